"""Names of Python, NumPy and the runtime in the text of a module, and the imports they need.

Mostly its own name. Where a parameter, function or class of the module has that name, the module
imports it under another one: ``import numpy as np_``, ``from builtins import range as range_``.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

from mooncake_transpiler.emit.imports import IMPORTS, RAISED
from mooncake_transpiler.naming import free

EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
# The builtins that expressions, annotations and wrappers are made of.
BUILTINS = EXCEPTIONS | {
    "abs", "bool", "bytes", "complex", "divmod", "float", "int", "isinstance", "len", "list",
    "max", "min", "object", "pow", "print", "range", "round", "str", "tuple",
}  # fmt: skip
DISCARD = "_"  # what is assigned that nobody reads
OVERLAP = "overlap"  # how arrays overlap
HEADS = frozenset(("Annotated", "Literal", "NDArray", "NamedTuple", "entry", "inner", "uncached"))
WRAPPERS = {n for n, e in IMPORTS.items() if e.module.endswith((".instances", ".lists"))} - {RAISED}
# What functions in plain Python refer to, so that no variable of theirs may be called so.
RESERVED = BUILTINS.union(IMPORTS, (DISCARD, OVERLAP)) - HEADS
IN_BODIES = RESERVED - WRAPPERS  # the same for compiled ones
_NAME = re.compile(r"(?<![\w.{])[a-z]\w*(?=[.(])")  # in the template of an op


def renamed(taken: Collection[str]) -> dict[str, str]:
    """Other names for what text may refer to and whose own name is ``taken``."""
    own = BUILTINS.union(IMPORTS, (DISCARD, OVERLAP))
    used = {*own, *taken}
    return {name: free(name, used) for name in sorted(own.intersection(taken))}


class Uses:
    """The outer names that some text uses: collects ``needs``, and spells them as ``imported``."""

    def __init__(self, imported: Mapping[str, str] = MappingProxyType({})) -> None:
        self.imported = imported
        self.needs: set[str] = set()

    def use(self, name: str) -> str:
        """The spelling of ``name`` here; it will be imported."""
        self.needs.add(name)
        return self.imported.get(name, name)

    def spelled(self, template: str) -> str:
        """``np.exp({0})``, as it is spelled here."""
        return _NAME.sub(lambda found: self.use(found[0]), template)
