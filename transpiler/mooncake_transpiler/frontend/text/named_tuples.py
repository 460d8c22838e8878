"""Classes that are made by a call, as the class statements that they stand for.

P = namedtuple("P", "eps sigma", defaults=[1.0])       class P(namedtuple):
                                                            eps: object
                                                            sigma: object = 1.0
P = NamedTuple("P", [("eps", float)])                  class P(NamedTuple):
                                                            eps: float
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler.frontend.text.trees import dotted

MAKER = "collections.namedtuple"


def class_of_call(name: str, node: cst.BaseExpression) -> cst.ClassDef | None:
    """The statement that binds ``name``; None if ``node`` is no such call."""
    match node:
        case cst.Call(func=func, args=[cst.Arg(keyword=None, star=""), second, *others]):
            pass
        case _:
            return None
    if second.keyword is not None or second.star:
        return None
    maker = (dotted(func) or ("",))[-1]
    if maker == "namedtuple":
        fields = _named(second.value)
    elif maker == "NamedTuple":
        fields = _annotated(second.value)
    else:
        return None
    defaults: Sequence[cst.BaseExpression] | None = ()
    for other in others:
        is_known = other.keyword is not None and other.keyword.value == "defaults"
        defaults = _items(other.value) if is_known else None
    if fields is None or defaults is None or len(defaults) > len(fields):
        return None
    first = len(fields) - len(defaults)
    body = [
        cst.SimpleStatementLine([
            cst.AnnAssign(cst.Name(field), cst.Annotation(type_),
                          defaults[k - first] if k >= first else None)
        ])
        for k, (field, type_) in enumerate(fields)
    ]  # fmt: skip
    lines = body or [cst.SimpleStatementLine([cst.Pass()])]
    return cst.ClassDef(cst.Name(name), cst.IndentedBlock(lines), [cst.Arg(func)])


_Field = tuple[str, cst.BaseExpression]


def _named(node: cst.BaseExpression) -> list[_Field] | None:
    """``"x y"``, ``"x, y"`` or ``["x", "y"]``."""
    if isinstance(node, cst.SimpleString):
        text = node.evaluated_value
        names = text.replace(",", " ").split() if isinstance(text, str) else None
    else:
        names = _texts(_items(node))
    return None if names is None else [(name, cst.Name("object")) for name in names]


def _annotated(node: cst.BaseExpression) -> list[_Field] | None:
    """``[("x", float), ("y", int)]``."""
    found: list[_Field] = []
    items = _items(node)
    for item in items or ():
        match item:
            case cst.Tuple(elements=[cst.Element(value=name), cst.Element(value=type_)]):
                names = _texts([name])
                if names is None:
                    return None
                found.append((names[0], type_))
            case _:
                return None
    return None if items is None else found


def _items(node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The items of a display without stars."""
    if not isinstance(node, cst.List | cst.Tuple):
        return None
    if any(isinstance(element, cst.StarredElement) for element in node.elements):
        return None
    return [element.value for element in node.elements]


def _texts(nodes: Sequence[cst.BaseExpression] | None) -> list[str] | None:
    found = []
    for node in nodes or ():
        text = node.evaluated_value if isinstance(node, cst.SimpleString) else None
        if not isinstance(text, str):
            return None
        found.append(text)
    return None if nodes is None else found
