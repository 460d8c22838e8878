"""Annotations that are no type of the normal form, and what their values may carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

import libcst as cst

from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.frontend.entities import Annotation
from mooncake_transpiler.frontend.text.trees import dotted
from mooncake_transpiler.types import DType


class Carries(Enum):
    """The contents of a type that the normal form lacks: floats, possibly floats, or none."""

    FLOATS = "floats"
    MAYBE = "maybe"  # some class: nothing shows that floats are involved
    NOTHING = "nothing"  # a string, a path: certainly nothing to differentiate
    ANYTHING = "anything"  # a type variable: the caller decides
    UNSAID = "unsaid"  # Any: as good as no annotation


class Unresolved(Exception):
    """``node`` is not a type that can be worked with."""

    def __init__(
        self,
        node: cst.CSTNode,
        code: str,
        message: str,
        help: str | None = None,
        carries: Carries = Carries.FLOATS,
    ) -> None:
        super().__init__(message)
        self.node, self.code, self.message, self.help = node, code, message, help
        self.carries = carries


def untyped(node: cst.CSTNode, name: str, attribute: str | None) -> Unresolved:
    """The class ``name`` as a type: nothing tells the types of its attributes, or of one."""
    if attribute is None:
        message = f"{name}: the attributes of this class are not annotated"
        return Unresolved(node, "MK204", message, "make it a dataclass", Carries.MAYBE)
    message = f"{name}: the type of its attribute {attribute} is not told by its __init__"
    help_ = (
        f"annotate it there: `self.{attribute}: float = ...`; an array as "
        'Annotated[NDArray[np.float64], "n"]'
    )
    return Unresolved(node, "MK204", message, help_, Carries.MAYBE)


@dataclass(frozen=True, slots=True)
class AnyRank:
    """An array whose rank is not said: ``NDArray[np.float64]``; ``np.ndarray`` has no dtype.

    ``others``: what it may be instead, ``None`` in ``np.ndarray | None``.
    """

    dtype: DType | None
    others: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyKeys:
    """A dict from text to ``item`` whose keys are not said: ``dict[str, float]``.

    ``problem``: why ``item`` is not known; ``open``: it is an array of any rank.
    """

    item: Annotation | None
    problem: Unresolved | None = None
    open: AnyRank | None = None

    def known(self) -> Annotation:
        """The type of its items."""
        if self.item is None:
            assert self.problem is not None
            raise self.problem
        return self.item

    def unresolved(self, node: cst.CSTNode) -> Unresolved:
        """The refusal of such a dict where nothing tells its keys."""
        if self.problem is not None:
            return self.problem
        help_ = "name its keys in a TypedDict, or write them out where it is used"
        return Unresolved(node, "MK204", "the keys of this dict are not known", help_)


RANK_HELP = 'write Annotated[NDArray[np.{0}], "n"] for a vector, "n m" for a matrix'


Read = Annotation | AnyRank | AnyKeys


def ranked(node: cst.BaseExpression, found: Read) -> Annotation:
    """``found``, if its rank, or its keys, are known."""
    if isinstance(found, AnyRank):
        raise rankless(node, found)
    if isinstance(found, AnyKeys):
        raise found.unresolved(node)
    return found


def rankless(node: cst.CSTNode, found: AnyRank) -> Unresolved:
    help_ = RANK_HELP.format("float64" if found.dtype is None else found.dtype.value)
    if found.dtype is None:
        help_ += "; np.int64 for indices, np.bool_ for a mask"
    what = "dtype and rank of this array are" if found.dtype is None else "rank of this array is"
    is_whole = not (found.dtype is None or found.dtype.is_differentiable or found.others)
    carries = Carries.NOTHING if is_whole else Carries.FLOATS
    return Unresolved(node, "MK203", f"the {what} not known", help_, carries)


def foreign(node: cst.BaseExpression, name: str) -> Unresolved:
    short = name.removeprefix("builtins.")
    if name.startswith("numpy."):
        help_ = "write np.float64, np.float32, or an array of these: NDArray[np.float64]"
        return Unresolved(node, "MK204", f"{short} is no type that is supported", help_)
    message = f"values of type {short} are not supported yet"
    return Unresolved(node, "MK204", message, carries=Carries.NOTHING)


def unknown(node: cst.BaseExpression, names: Iterable[str]) -> Unresolved:
    """``node`` is no name that the module has; ``names`` are those that it has."""
    path = dotted(node) or ()
    hint = did_you_mean(path[0], [*names, *_NUMBERS]) if len(path) == 1 else ""
    name = ".".join(path) or "this"
    return Unresolved(node, "MK202", f"{name} is not a type that is known here{hint}")


_NUMBERS = ("bool", "int", "float", "complex")


def passed_function(node: cst.CSTNode, carries: Carries) -> Unresolved:
    message = "functions can't be passed from Python to compiled code"
    help_ = "pass it in a function of the program: return minimum(np.cos, x)"
    return Unresolved(node, "MK364", message, help_, carries)


def variable(node: cst.BaseExpression) -> Unresolved:
    return Unresolved(node, "MK204", "a type variable", carries=Carries.ANYTHING)


def gpu(node: cst.BaseExpression) -> Unresolved:
    return Unresolved(node, "MK206", "GPU arrays are not supported yet", "use np.ndarray")


def dict_of(
    item: cst.BaseExpression,
    read: Callable[[cst.BaseExpression], Read],
    inside: Callable[[Read], Annotation | None],
) -> AnyKeys:
    """A dict from text to what ``read`` makes of ``item``, and ``inside`` of such dicts in it."""
    try:
        found = read(item)
        if isinstance(found, AnyRank):
            return AnyKeys(None, rankless(item, found), found)
        return AnyKeys(inside(found) or ranked(item, found))
    except Unresolved as problem:
        return AnyKeys(None, problem)
