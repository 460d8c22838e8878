"""The IndexError that is raised where a tested index is out of bounds."""

from __future__ import annotations

from mooncake_runtime.formatted import braced

from mooncake_transpiler import ir

LONGEST = 160  # of a message


def raised(
    base: ir.Atom, axis: int, index: ir.Atom, size: ir.Atom, origin: ir.Origin | None
) -> ir.Block:
    """The block that raises for ``index``: it and the size stand for the braces."""
    of = f" of {base.hint}" if isinstance(base, ir.Value) and base.hint else ""
    text = f"index {{}} is out of bounds for axis {axis}{of} with size {{}}"
    if origin is not None:
        where = f", at {origin.path}: {origin.text}"
        if len(text) + len(where) > LONGEST:
            where = f"{where[: LONGEST - len(text) - 4].rstrip()} ..."
        text += braced(where)
    return ir.Block((ir.Raise("IndexError", text, origin, (), (index, size)),))
