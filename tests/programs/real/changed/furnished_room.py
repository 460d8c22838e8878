from dataclasses import dataclass
from typing import Literal


@dataclass
class Item:
    kind: Literal["bed", "rug", "sofa", "desk", "pendant"]
    x: float
    y: float
    rot_deg: float
    w: float
    d: float


def _footprint(item: Item) -> tuple[float, float, float, float]:
    if item.rot_deg == 90:
        return (item.x, item.y, item.d, item.w)
    return (item.x, item.y, item.w, item.d)


def _overlaps(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    ax, ay, aw, ad = a
    bx, by, bw, bd = b
    return not (ax + aw <= bx or bx + bw <= ax or ay + ad <= by or by + bd <= ay)


def resolve(
    items: list[Item],
    room_w: float,
    room_d: float,
    door_swings: list[tuple[float, float, float, float]] | None = None,
) -> list[Item]:
    if door_swings is None:
        door_swings = []
    result = [Item(i.kind, i.x, i.y, i.rot_deg, i.w, i.d) for i in items]
    for idx in range(len(result)):
        fx, fy, fw, fd = _footprint(result[idx])
        nx = max(0.0, min(fx, room_w - fw))
        ny = max(0.0, min(fy, room_d - fd))
        result[idx].x, result[idx].y = nx, ny
        if result[idx].kind in ("rug", "pendant"):
            continue
        for j in range(idx):
            if result[j].kind in ("rug", "pendant"):
                continue
            a = _footprint(result[j])
            if _overlaps(a, _footprint(result[idx])):
                ax, ay, aw, ad = a
                result[idx].x = min(ax + aw, room_w - fw)
        for swing in door_swings:
            if _overlaps(swing, _footprint(result[idx])):
                result[idx].y = swing[1] + swing[3]
    return result


def spread(widths: list[float], room_w: float, room_d: float) -> float:
    kinds = ["bed", "rug", "sofa", "desk"]
    items = [
        Item(kinds[k % 4], 0.4 * k, 0.1, 90 if k == 2 else 0, w, 0.6) for k, w in enumerate(widths)
    ]
    placed = resolve(items, room_w, room_d, [(0.0, 0.0, 0.3, 0.3)])
    return sum(p.x * p.w + p.y for p in placed)
