"""Parameters and results of functions: what their annotations say, or leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import libcst as cst

from mooncake_transpiler.frontend.annotation.annotation_parts import dict_of_texts, record_type
from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.keys import keys
from mooncake_transpiler.frontend.annotation.nested_ranks import (
    NOTHING_TOLD,
    InObjects,
    NestedRanks,
    with_rank,
)
from mooncake_transpiler.frontend.annotation.unresolved import (
    AnyKeys,
    AnyRank,
    Carries,
    Unresolved,
    rankless,
)
from mooncake_transpiler.frontend.entities import Annotation
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.rank.outlines import outlines
from mooncake_transpiler.frontend.rank.ranks import Places, evidence
from mooncake_transpiler.frontend.rank_evidence import EACH, Evidence, Path, Step
from mooncake_transpiler.types import (
    ANY_DICT,
    NONE,
    TEXT,
    Array,
    List,
    OneOf,
    Opaque,
    Scalar,
    Tuple,
    Type,
    is_differentiable,
    without_none,
)

EITHER = (1, 2)  # the ranks of vectors and matrices
MAX_ALTERNATIVES = 16  # for the ranks in one parameter


@dataclass(frozen=True, slots=True)
class DeclaredSlot:
    """A parameter or the result: what its annotation says, if it has one."""

    what: str
    node: cst.CSTNode
    annotation: Annotation | None
    problem: Unresolved | None
    open: AnyRank | AnyKeys | None = None  # an array without its rank, a dict without its keys
    vector: Annotation | None = None  # what is taken for it where nothing tells its rank
    alternatives: tuple[Annotation, ...] = ()  # if it holds vectors or matrices, for all one knows
    is_inferred: bool = False  # the rank of an array
    is_guessed: bool = False  # that, and nothing told it
    fewest: int = 0  # axes that it has at least, where text or names tell of more
    leads: bool = False  # it stands before what it is multiplied with: rather a matrix

    def guessed(self) -> DeclaredSlot:
        """The slot with a vector for an array whose rank nothing tells."""
        return self if self.vector is None else replace(self.inferred(self.vector), is_guessed=True)

    def among(self, alternatives: Sequence[Annotation]) -> DeclaredSlot:
        """The slot with one of ``alternatives``, whichever fits."""
        if not alternatives:
            return self
        return replace(self, vector=alternatives[0], alternatives=tuple(alternatives))

    def inferred(self, annotation: Annotation) -> DeclaredSlot:
        is_array = isinstance(self.open, AnyRank)
        return replace(self, annotation=annotation, problem=None, open=None, vector=None,
                       is_inferred=is_array)  # fmt: skip

    @property
    def is_missing(self) -> bool:
        return self.carries is Carries.UNSAID

    @property
    def lacks_rank(self) -> bool:
        return self.problem is not None and self.problem.code == "MK203"

    @property
    def carries(self) -> Carries:
        if self.problem is not None:
            return self.problem.carries
        if self.annotation is None:
            return Carries.UNSAID
        return Carries.FLOATS if is_differentiable(self.annotation.type) else Carries.NOTHING


@dataclass(slots=True)
class ParameterUses:
    """Ranks and keys that annotations of a function leave open, by what its body does with them."""

    resolver: Resolver
    module: str
    node: cst.FunctionDef
    reader: Reader
    found: Places | None = None

    def closed(self, name: str, slot: DeclaredSlot) -> DeclaredSlot:
        """The parameter with its rank, or its keys, if these can be told."""
        match slot.open:
            case None:
                return self._nested(name, slot) if slot.lacks_rank else slot
            case AnyRank():
                return self._ranked(name, slot, slot.open)
            case AnyKeys():
                annotation = self._keyed(name, slot.open)
                return slot if annotation is None else slot.inferred(annotation)

    def _keyed(self, name: str, open_: AnyKeys) -> Annotation | None:
        found = keys(self.resolver, self.module, self.node, name)
        if found is None:
            return self._of_any_keys(name, open_)
        optional = [key for key, may_lack in found.items() if may_lack]
        items: dict[str, Annotation] = {}
        for key in found:
            item = open_.item if open_.open is None else self._item(name, key, open_.open)
            if item is None or not isinstance(item.type, Scalar | Array | List):
                return self._of_any_keys(name, open_)
            items[key] = item
        return record_type(ANY_DICT, items, optional) if items else self._of_any_keys(name, open_)

    def _of_any_keys(self, name: str, open_: AnyKeys) -> Annotation | None:
        """The dict with whatever text as keys."""
        if open_.open is None:
            return dict_of_texts(open_)
        return dict_of_texts(replace(open_, item=self._item(name, EACH, open_.open)))

    def _item(self, name: str, key: Step, open_: AnyRank) -> Annotation | None:
        """The array behind a key of a dict; that of a vector if nothing tells its rank."""
        told = self._evidence().get((name, (key,)), NOTHING_TOLD)
        ranks = NestedRanks(lambda path: told, guesses=True, path=(key,))
        try:
            return ranks.closed(cst.Name(name), open_)
        except Unresolved:
            return None

    def _nested(self, name: str, slot: DeclaredSlot) -> DeclaredSlot:
        """A parameter with arrays inside, by what tells their ranks."""
        node, told = slot.node, self._evidence()
        assert isinstance(node, cst.BaseExpression)

        def about(path: Path) -> Evidence:
            return told.get((name, path), NOTHING_TOLD)

        def read(ranks: NestedRanks) -> Annotation | None:
            try:
                return replace(self.reader, ranks=ranks).read(node)
            except Unresolved:
                return None

        def chosen(ranks: Mapping[Path, Evidence]) -> NestedRanks:
            return replace(guessed, told=lambda path: ranks.get(path) or about(path))

        guessed = NestedRanks(about, guesses=True, in_objects=InObjects.CLASSES)
        if (annotation := read(NestedRanks(about))) is not None:
            return slot.inferred(annotation)
        if (vector := read(guessed)) is not None:
            return replace(slot, vector=vector)
        unsure = [at for (param, at), of in told.items() if param == name and of.is_ambiguous]
        made = [read(chosen(ranks)) for ranks in _either_rank(unsure)]
        return slot.among([one for one in made if one is not None])

    def _about(self, name: str) -> Evidence:
        return self._evidence().get((name, ()), NOTHING_TOLD)

    def _evidence(self) -> Places:
        if self.found is None:
            types = outlines(self.reader, self.node)
            self.found = evidence(self.resolver, self.module, self.node, types)
        return self.found

    def _ranked(self, name: str, slot: DeclaredSlot, open_: AnyRank) -> DeclaredSlot:
        """An array by what tells its rank."""
        of = self._about(name)
        dtype = of.dtype(open_.dtype)
        node, slot = slot.node, replace(slot, fewest=of.fewest)
        assert isinstance(node, cst.BaseExpression)
        if of.is_ambiguous:
            either = [with_rank(node, open_, dtype, rank) for rank in EITHER]
            return replace(slot.among(either), leads=of.leads)
        if of.rank is not None:
            return slot.inferred(with_rank(node, open_, dtype, of.rank, of.dims(of.rank)))
        guess = of.guessed
        vector = None if guess is None else with_rank(node, open_, dtype, guess)
        return replace(slot, vector=vector)


def _either_rank(paths: Sequence[Path]) -> Iterator[dict[Path, Evidence]]:
    """Each way to take the arrays at ``paths`` as vectors or matrices."""
    for ranks in islice(product(EITHER, repeat=len(paths)), MAX_ALTERNATIVES):
        facts = (Evidence(exact={rank}) for rank in ranks)
        yield dict(zip(paths, facts, strict=True))


def read_parameter(reader: Reader, param: cst.Param) -> DeclaredSlot:
    """The slot of ``param``; ``x: T = None`` is ``x: T | None = None``."""
    what = f"parameter {param.name.value}"
    found = read_slot(reader, what, param.name, param.annotation)
    is_none = isinstance(param.default, cst.Name) and param.default.value == "None"
    if not is_none or param.annotation is None or _may_be_none(found):
        return found
    text = param.annotation.annotation
    either = cst.BinaryOperation(text, cst.BitOr(), cst.Name("None"))
    return read_slot(reader, what, param.name, cst.Annotation(either))


def _may_be_none(slot: DeclaredSlot) -> bool:
    if isinstance(slot.open, AnyRank):
        return any(other.type == NONE for other in slot.open.others)
    known = slot.annotation
    if known is None:
        return slot.problem is not None and slot.open is None  # of parts, or no type at all
    return known.type == NONE or without_none(known.type) != known.type


def read_slot(
    reader: Reader, what: str, node: cst.CSTNode, annotation: cst.Annotation | None
) -> DeclaredSlot:
    """The slot ``what`` of a signature, with what its annotation at ``node`` says."""
    if annotation is None:
        return DeclaredSlot(what, node, None, None)
    try:
        found = reader.read_any(annotation.annotation)
    except Unresolved as problem:
        return DeclaredSlot(what, annotation.annotation, None, problem)
    if isinstance(found, AnyRank):
        unknown = rankless(annotation.annotation, found)
        return DeclaredSlot(what, annotation.annotation, None, unknown, found)
    if isinstance(found, AnyKeys):
        unknown = found.unresolved(annotation.annotation)
        return DeclaredSlot(what, annotation.annotation, None, unknown, found)
    return DeclaredSlot(what, annotation.annotation, found, None)


def returned(slot: DeclaredSlot) -> DeclaredSlot:
    """Text that may be None leaves functions as it is: known, or the text of a parameter."""
    if slot.annotation is None:
        return slot
    return replace(slot, annotation=replace(slot.annotation, type=_whole(slot.annotation.type)))


def _whole(type_: Type) -> Type:
    if type_ == OneOf((TEXT, NONE)):
        return Opaque("str | None")
    if not isinstance(type_, Tuple) or type_.names is not None:
        return type_
    return replace(type_, items=tuple(map(_whole, type_.items)))
