"""Names of functions: of the program ``module:name``, of rules and of primitives.

All that is known of a function by its name alone is asked here.
"""

from __future__ import annotations

from mooncake_rules.primitives import PREFIX

RULES = "rules"  # the module of functions that rules of the library stand for


def short(name: str) -> str:
    """The name of a function without its module."""
    return name.rpartition(":")[2]


def module_of(name: str) -> str:
    """The module of a function."""
    return name.rpartition(":")[0]


def private_name(name: str) -> str:
    """The name of a function of the same module that is private."""
    return f"{module_of(name)}:_{short(name)}"


def reverse_name(name: str) -> str:
    """The name of the reverse of the function ``name``; no other function has such a name."""
    return f"{name}.reverse"


def part_name(name: str, part: str) -> str:
    """The name of ``part`` of the derivative of the helper ``name``: as above, no other's."""
    return f"{name}.{part}"


def in_library(name: str) -> str:
    """The name of a function that a rule of the library stands for."""
    return f"{RULES}:{name}"


def primitive_name(name: str) -> str:
    """The name by which calls have a function of the runtime."""
    return PREFIX + name


def is_primitive(name: str) -> bool:
    """True if no function of the program is called so, but one of the runtime."""
    return name.startswith(PREFIX)


def is_of_library(name: str) -> bool:
    """True if a rule of the library, and no user's, says what the function is."""
    return module_of(name) == RULES
