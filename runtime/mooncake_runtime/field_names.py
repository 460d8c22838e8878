"""Names of fields in gradients, for parameters and attributes.

Those of a NamedTuple can't begin with an underscore, so the gradient of ``_length`` is ``length``.
"""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword


def field_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of the fields of a NamedTuple for ``names``, in their order."""
    fields: list[str] = []
    for name in names:
        field = name.lstrip("_")
        usable = field.isidentifier() and not iskeyword(field)
        taken = {*fields, *names} - {name}
        fields.append(free(field if usable else f"arg{field}", taken))
    return tuple(fields)


def free(name: str, taken: set[str]) -> str:
    """``name``, followed by as many underscores as it takes not to be among ``taken``."""
    while name in taken:
        name += "_"
    return name
