"""The imports of a generated module, in the order that import sorters want."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler.emit.layout import Group, layout
from mooncake_transpiler.types import ArrayLibrary


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """``from module import name as bound``; without a name, ``import module as bound``."""

    module: str
    name: str
    bound: str

    def __str__(self) -> str:
        return self.name if self.name == self.bound else f"{self.name} as {self.bound}"


RUNTIME = "mooncake_runtime"
KERNELS = "kernels"  # the module of the primitives
FORMATTED = "Formatted"  # an exception whose message tells numbers
RAISED = "Raised"  # the class of exceptions that tell what fields hold

_STANDARD = {
    "math": Import("math", "", "math"),
    "dataclass": Import("dataclasses", "dataclass", "dataclass"),
    "Annotated": Import("typing", "Annotated", "Annotated"),
    "Literal": Import("typing", "Literal", "Literal"),
    "NamedTuple": Import("typing", "NamedTuple", "NamedTuple"),
    "StatisticsError": Import("statistics", "StatisticsError", "StatisticsError"),
}
THIRD_PARTY = {
    "np": Import("numpy", "", "np"),
    "numpy": Import("numpy", "", "np"),  # beside CuPy
    "add_at": Import("mooncake_runtime.device_runs", "add_at", "add_at"),
    "offsets": Import("mooncake_runtime.device_runs", "offsets", "offsets"),
    "recurrence": Import("mooncake_runtime.device_recurrences", "recurrence", "recurrence"),
    "largest": Import("mooncake_runtime.device_rows", "largest", "largest"),
    "smallest": Import("mooncake_runtime.device_rows", "smallest", "smallest"),
    **{
        name: Import("mooncake_runtime.device_rows", name, name)
        for name in ("largest_number", "smallest_number")
    },
    "runs": Import("mooncake_runtime.device_runs", "runs", "runs"),
    "row_lanes": Import("mooncake_runtime.device_rows", "row_lanes", "row_lanes"),
    "row_threads": Import("mooncake_runtime.device_rows", "row_threads", "row_threads"),
    "OF_INDICES": Import("mooncake_runtime.device_indices", "OF_INDICES", "OF_INDICES"),
    "OF_LANES": Import("mooncake_runtime.device_rows", "OF_LANES", "OF_LANES"),
    "axis_sum": Import("mooncake_runtime.device_rows", "axis_sum", "axis_sum"),
    "block_sums": Import("mooncake_runtime.device", "block_sums", "block_sums"),
    **{
        name: Import("mooncake_runtime.device_overlaps", name, name)
        for name in (
            "disjoint",
            "one_or_disjoint",
            "parameters_apart",
            "parameters_one_or_apart",
            "rejoin",
            "separate",
        )
    },
    "flags": Import("mooncake_runtime.device_lists", "flags", "flags"),
    "integers": Import("mooncake_runtime.device_lists", "integers", "integers"),
    "iterations": Import("mooncake_runtime.device", "iterations", "iterations"),
    "running_sums": Import("mooncake_runtime.device", "running_sums", "running_sums"),
    "special": Import("mooncake_runtime.device_special", "special", "special"),
    "Cotangent": Import("mooncake_runtime", "Cotangent", "Cotangent"),
    "entry": Import("mooncake_runtime", "entry", "entry"),
    "inner": Import("mooncake_runtime", "inner", "inner"),
    "uncached": Import("mooncake_runtime", "uncached", "uncached"),
    KERNELS: Import("mooncake_runtime", "kernels", KERNELS),
    "rt": Import("mooncake_runtime", "scalar_kernels", "rt"),
    "alternative": Import("mooncake_runtime.instances", "alternative", "alternative"),
    "assign": Import("mooncake_runtime.instances", "assign", "assign"),
    "assign_each": Import("mooncake_runtime.instances", "assign_each", "assign_each"),
    "border": Import("mooncake_runtime.instances", "border", "border"),
    "default_of": Import("mooncake_runtime.instances", "default_of", "default_of"),
    "exactly": Import("mooncake_runtime.instances", "exactly", "exactly"),
    "instance": Import("mooncake_runtime.instances", "instance", "instance"),
    "is_a": Import("mooncake_runtime.instances", "is_a", "is_a"),
    RAISED: Import("mooncake_runtime.instances", RAISED, RAISED),
    **{
        name: Import("mooncake_runtime.lists", name, name)
        for name in (
            "all_exactly",
            "apart",
            "arrays_of",
            "distinct",
            "elements_of",
            "dicts_of",
            "instances_of",
            "numbers_of",
            "objects_of",
            "row_elements_of",
            "row_spans_of",
            "alternatives",
            "known",
            "some_of",
            "which_are_there",
            "items_at",
            "items_of",
            "refill",
            "rows_of",
            "zipped_rows",
            "spans_of",
            "unshared",
            "write_items",
            "tuples_of",
        )
    },
    **{
        name: Import("mooncake_runtime.linked", name, name)
        for name in (
            "link_lists_of",
            "linked",
            "links_of",
            "relink",
            "root_of",
            "root_or_none",
            "unlinked",
        )
    },
    "text_number": Import("mooncake_runtime.text_numbers", "text_number", "text_number"),
    "text_numbers": Import("mooncake_runtime.text_numbers", "text_numbers", "text_numbers"),
    **{
        name: Import("mooncake_runtime.text_numbers", name, name)
        for name in ("note_texts", "row_text_numbers", "text_of", "text_rows_of")
    },
    "texts_of": Import("mooncake_runtime.text_numbers", "texts_of", "texts_of"),
    FORMATTED: Import("mooncake_runtime.formatted", FORMATTED, FORMATTED),
    "reshaped": Import("mooncake_runtime.reshaping", "reshaped", "reshaped"),
    "extent": Import("mooncake_runtime.shadows", "extent", "extent"),
    "overlaps": Import("mooncake_runtime.shadows", "overlaps", "overlaps"),
    "shadow": Import("mooncake_runtime.shadows", "shadow", "shadow"),
    "grow": Import("mooncake_runtime.stacks", "grow", "grow"),
    "grow_rows": Import("mooncake_runtime.stacks", "grow_rows", "grow_rows"),
    "logged": Import("mooncake_runtime.telling", "logged", "logged"),
    "printed": Import("mooncake_runtime.telling", "printed", "printed"),
    "warned": Import("mooncake_runtime.telling", "warned", "warned"),
    "NDArray": Import("numpy.typing", "NDArray", "NDArray"),
}


IMPORTS = _STANDARD | THIRD_PARTY


# What a module over CuPy's arrays imports instead.
_CUPY = {
    "np": Import("cupy", "", "cp"),
    "NDArray": Import("cupy.typing", "NDArray", "NDArray"),
    "entry": Import("mooncake_runtime.device", "entry", "entry"),
    "extent": Import("mooncake_runtime.device_overlaps", "extent", "extent"),
    "apart": Import("mooncake_runtime.device_lists", "apart", "apart"),
    "elements_of": Import("mooncake_runtime.device_lists", "elements_of", "elements_of"),
    "spans_of": Import("mooncake_runtime.device_lists", "spans_of", "spans_of"),
    "grow": Import("mooncake_runtime.device", "grow", "grow"),
    "grow_rows": Import("mooncake_runtime.device", "grow_rows", "grow_rows"),
    "overlaps": Import("mooncake_runtime.device_overlaps", "overlaps", "overlaps"),
    "shadow": Import("mooncake_runtime.device_overlaps", "shadow", "shadow"),
    "reshaped": Import("mooncake_runtime.device", "reshaped", "reshaped"),
    KERNELS: Import("mooncake_runtime", "device_kernels", KERNELS),
}
_OF_LIBRARY: Mapping[ArrayLibrary, Mapping[str, Import]] = {
    ArrayLibrary.NUMPY: THIRD_PARTY,
    ArrayLibrary.CUPY: THIRD_PARTY | _CUPY,
}


@dataclass(frozen=True, slots=True)
class LibraryImports:
    """The imports of functions over the arrays of ``library``: ``needs``, and ``others``.

    The others are of the user's modules; ``names`` has what is called otherwise than usual.
    """

    needs: set[str]
    others: tuple[Import, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    library: ArrayLibrary = ArrayLibrary.NUMPY

    def among(self, entries: Mapping[str, Import]) -> list[Import]:
        """``entries`` that are needed."""
        named = {name: entry for name, entry in entries.items() if name in self.needs}
        return [replace(e, bound=self.names.get(name, e.bound)) for name, e in named.items()]

    @property
    def installed(self) -> list[Import]:
        return self.among(_OF_LIBRARY[self.library])

    @property
    def builtins(self) -> list[Import]:
        """Builtins that have another name here."""
        rest = sorted(n for n in self.needs - IMPORTS.keys() if self.names.get(n, n) != n)
        return [Import("builtins", n, self.names[n]) for n in rest if n in vars(builtins)]


def elsewhere(library: ArrayLibrary, needs: Iterable[str]) -> set[str]:
    """``needs`` that functions over NumPy's arrays import from somewhere else."""
    own = _OF_LIBRARY[library]
    return {name for name in needs if own.get(name) != THIRD_PARTY.get(name)}


def render_imports(parts: Sequence[LibraryImports], runtime: str) -> list[str]:
    """Lines that import what the ``parts`` of a module need.

    ``runtime`` says what stands for the runtime: a copy of it is a package of the user's.
    """

    def united(found: Iterable[Sequence[Import]]) -> list[Import]:
        return list(dict.fromkeys(entry for entries in found for entry in entries))

    plain = united(part.among(_STANDARD) for part in parts)
    renamed = united(part.builtins for part in parts)
    standard = [*_modules(plain), *_from(renamed), *_from(plain)]
    installed = sorted(united(part.installed for part in parts), key=lambda entry: entry.module)
    copied = [entry for entry in installed if runtime != RUNTIME and _is_runtime(entry)]
    third = [*_modules(installed), *_from([e for e in installed if e not in copied])]
    copies = (replace(e, module=runtime + e.module.removeprefix(RUNTIME)) for e in copied)
    own = sorted({*(entry for part in parts for entry in part.others), *copies})
    absolute = _from([entry for entry in own if not entry.module.startswith(".")])
    # farther packages first
    relative = _from(
        sorted(
            (entry for entry in own if entry.module.startswith(".")),
            key=lambda e: (-_dots(e.module), e),
        )
    )
    sections = [section for section in (standard, third, absolute, relative) if section]
    lines: list[str] = []
    for section in sections:
        lines += [""] * bool(lines) + section
    return lines


def _is_runtime(entry: Import) -> bool:
    return entry.module.partition(".")[0] == RUNTIME


def _dots(module: str) -> int:
    return len(module) - len(module.lstrip("."))


def _modules(entries: list[Import]) -> list[str]:
    """The modules that are imported as such."""
    whole = (entry for entry in entries if not entry.name)
    return [f"import {e.module}" + f" as {e.bound}" * (e.bound != e.module) for e in whole]


def _from(entries: list[Import]) -> list[str]:
    """One line per module; renamed ones stand alone, after the others."""
    entries = [entry for entry in entries if entry.name]
    lines = []
    for module in dict.fromkeys(entry.module for entry in entries):
        own = [entry for entry in entries if entry.module == module]
        plain = sorted((e.name for e in own if e.name == e.bound), key=_member_key)
        if plain:
            group = Group("(", tuple(plain), ")")
            flat = f"from {module} import {', '.join(plain)}"
            lines += [flat] if len(flat) <= 88 else layout(f"from {module} import ", group, "", 0)
        lines += [f"from {module} import {e}" for e in own if e.name != e.bound]
    return lines


def _member_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name
