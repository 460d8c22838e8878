"""Ranks of arrays that docstrings and comments of signatures tell, by the shapes in them.

def fit(
    y: np.ndarray,  # (n,)                     y: 1 axis
    X: np.ndarray,
) -> float:
    \"\"\"X : ndarray of shape (n, d)\"\"\"         X: 2 axes
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

import libcst as cst

from mooncake_transpiler.frontend.text.trees import parameters

Shape = tuple[bool, ...]  # True for an axis of size 1

_DIMS = r"\(\s*([^()\n]*?)\s*\)"
_SHAPE = rf"shapes?\b(?:\s+of)?\s*[:=]?\s*`*{_DIMS}"
_SAID = re.compile(rf"{_SHAPE}|^\W*{_DIMS}|{_DIMS}[ -]*(?:nd)?(?:array|matrix|tensor|vector)")
_SIGN = re.compile(r"\s*[x\xd7]\s*")
_TIMES = re.compile(  # N x 3 matrix
    r"\b(\w+(?:\s+[x\xd7]\s+\w+)+|[\da-zA-Z](?:[x\xd7][\da-zA-Z])+)\s+(?=array|matrix|vector)"
)
_IS = r"(?:(?:is|are|has|have|of|with|in)\s+)?(?:an?\s+)?"
_OR = re.compile(r"\)`*\s+or\s+`*\(")
_HEAD = re.compile(r"\s*(?:[-*] |:(?:param|type|ivar|var) )?([`*\w, ]+?)(?: ?\([^)]*\))?\s*:")
_DIMENSION = re.compile(r"[1-9]\d*|[A-Za-z_]\w*(\s*[-+*/]\s*\w+)*")
_NO_DIMENSIONS = frozenset(
    {"optional", "default", "float", "int", "bool", "str", "array", "ndarray", "list", "tuple"}
    | {"none", "true", "false", "inclusive", "exclusive", "required", "keyword"}
)


def documented(node: cst.FunctionDef) -> dict[str, Shape]:
    """The shapes of parameters that the docstring of ``node`` and comments beside them tell."""
    params = parameters(node.params)
    found = _in_text(node.get_docstring() or "", [param.name.value for param in params])
    for param in params:
        comma = param.comma.whitespace_after if isinstance(param.comma, cst.Comma) else None
        for space in (comma, param.whitespace_after_param):
            match space:
                case cst.ParenthesizedWhitespace(first_line=line) if line.comment is not None:
                    found |= _of_comment(param.name.value, line.comment.value)
                case _:
                    pass
    return found


def documented_fields(node: cst.ClassDef) -> dict[str, Shape]:
    """The shapes of fields that the docstring of a class and comments beside them tell."""
    fields = {}
    for stmt in node.body.body:
        match stmt:
            case cst.SimpleStatementLine(body=[cst.AnnAssign(target=cst.Name(value=name))]):
                comment = stmt.trailing_whitespace.comment
                fields[name] = "" if comment is None else comment.value
            case _:
                pass
    found = _in_text(node.get_docstring() or "", fields)
    for name, text in fields.items():
        found |= _of_comment(name, text)
    return found


def _of_comment(name: str, text: str) -> dict[str, Shape]:
    shape = _shape(text.lstrip("# "))
    return {name: shape} if shape else {}


def _in_text(text: str, names: Collection[str]) -> dict[str, Shape]:
    """The shapes of ``names`` by what stands behind them: an entry of a list, or a few words."""
    text = _TIMES.sub(lambda times: f"({_SIGN.sub(', ', times[1])}) ", text)
    shapes: dict[str, list[Shape]] = {name: [] for name in names}
    for name, said in _entries(text.splitlines(), names):
        shapes[name].append(_shape(said))
    for name in names:
        words = rf"(?<![\w.]){re.escape(name)}`*\s+{_IS}"
        found = re.finditer(rf"{words}(?:{_SHAPE}|{_DIMS})", text)
        shapes[name] += [_axes(match[1] or match[2] or "") for match in found]
    return {name: shape for name, found in shapes.items() if (shape := _only(found))}


def _entries(lines: Iterable[str], names: Collection[str]) -> Iterator[tuple[str, str]]:
    """The names that lines begin with, each with what follows, in lines with more indentation too.

    ``x, y : ndarray`` is about both.
    """
    own: list[str] = []
    depth, said = 0, ""
    for line in (*lines, ""):
        indent = len(line) - len(line.lstrip())
        head = _HEAD.match(line)
        heads = [] if head is None else [one.strip("`* ") for one in head[1].split(",")]
        if heads and all(one in names for one in heads):
            yield from ((name, said) for name in own)
            own, depth, said = heads, indent, line[head.end() :] if head else ""
        elif line.strip() and indent <= depth:
            yield from ((name, said) for name in own)
            own = []
        else:
            said += f" {line.strip()}"
    yield from ((name, said) for name in own)


def _shape(text: str) -> Shape:
    """The only shape in ``text``; without axes if there is none, or several."""
    if _OR.search(text):
        return ()
    said = (next(filter(None, one.groups()), "") for one in _SAID.finditer(text.strip()))
    return _only(map(_axes, said))


def _only(shapes: Iterable[Shape]) -> Shape:
    """The shape if all have as many axes, those without any left aside; else none."""
    told = [shape for shape in shapes if shape]
    return tuple(map(all, zip(*told, strict=True))) if len(set(map(len, told))) == 1 else ()


def _axes(inside: str) -> Shape:
    """The dimensions between parentheses; none if these are other words."""
    dims = [one.strip() for one in inside.split(",")]
    if len(dims) > 1 and not dims[-1]:
        dims.pop()
    is_shape = all(_DIMENSION.fullmatch(one) and one.lower() not in _NO_DIMENSIONS for one in dims)
    return tuple(one == "1" for one in dims) if is_shape else ()
