"""Kernels as text: ``cp.ElementwiseKernel`` with a body in CUDA C++."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda import ctext
from mooncake_transpiler.emit.cuda.body import PAD, Body
from mooncake_transpiler.emit.cuda.kernel_operands import SUMS, Kernel

WIDTH = 88  # characters of a line of Python
MAX_ATTEMPTS = 40  # to make lines short enough


def kernel_text(kernel: Kernel, cp: str, use: Callable[[str], str]) -> str:
    """The assignment that makes the kernel; ``use`` imports and spells functions of the runtime."""
    pins: frozenset[ir.Value] = frozenset()
    for _ in range(MAX_ATTEMPTS):
        body = Body(kernel, pins)
        text = body.lines()
        if not body.pins - pins:
            break
        pins |= body.pins
    ins = [op for op in kernel.operands if not op.is_written]
    outs = [op for op in kernel.operands if op.is_written]
    written = [body.parameter(op) for op in outs]
    sums = [f"sum{k}" for k in range(len(kernel.terms))]
    type_ = ctext.TYPES[kernel.dtype]
    if sums:
        written.append(f"raw {kernel.dtype.value} {SUMS}")
    lines = [
        f"{kernel.name} = {cp}.ElementwiseKernel(",
        *_parameters([body.parameter(op) for op in ins]),
        *_parameters(written),
        f'{PAD}"""',
        *(f"{PAD}{line}" for line in text),
        f'{PAD}""",',
        f'{PAD}"{kernel.name.strip("_")}",',
    ]
    if sums:
        starts = ", ".join(f"{name} = 0" for name in sums)
        lines.append(f'{PAD}loop_prep="{type_} {starts};",')
        lines.append(f'{PAD}after_loop={use("block_sums")}("{type_}", {len(sums)}),')
    names = body.special()
    parts = [use("OF_INDICES")] if body.takes_apart() else []
    parts += [use("OF_LANES")] if body.asks_lanes() else []
    lines += _preamble(parts, use("special") if names else "", names)
    return "\n".join([*lines, ")"])


def _preamble(parts: Sequence[str], special: str, names: Sequence[str]) -> list[str]:
    """The argument with definitions that the text needs, over several lines if need be."""
    given = [f'"{name}"' for name in names]
    parts = [*parts, *([f"{special}({', '.join(given)})"] if given else [])]
    line = f"{PAD}preamble={' + '.join(parts)},"
    if not parts or len(line) <= WIDTH:
        return [line] if parts else []
    *first, last = [f"{PAD}{'+ ' if k else 'preamble='}{part}" for k, part in enumerate(parts)]
    if not given or len(last) + 1 <= WIDTH:
        return [*first, f"{last},"]
    start = last[: last.index("(") + 1]
    inner = PAD * 2 + ", ".join(given)
    held = [inner] if len(inner) <= WIDTH else [f"{PAD * 2}{name}," for name in given]
    return [*first, start, *held, f"{PAD}),"]


def _parameters(texts: Sequence[str]) -> list[str]:
    """Parameters as one string, over several lines if need be."""
    line = f'{PAD}"{", ".join(texts)}",'
    if len(line) <= 88:
        return [line]
    lines: list[str] = []
    for k, text in enumerate(texts):
        part = f"{text}, " if k + 1 < len(texts) else text
        if lines and len(lines[-1]) + len(part) <= 86 - len(PAD):
            lines[-1] += part
        else:
            lines.append(part)
    return [*(f'{PAD}"{text}"' for text in lines[:-1]), f'{PAD}"{lines[-1]}",']
