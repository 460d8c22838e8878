"""The kinds of derivatives that can be asked for, in directives and in ``pyproject.toml``."""

MODES = ("reverse", "forward", "hvp", "hessian", "jacobian")
DEFAULT_MODES = ("reverse", "forward")  # what is emitted if none are asked for


def is_mode(name: str) -> bool:
    """Whether ``name`` means something: a mode, or one over another."""
    return name in MODES or is_composition(name)


def is_composition(name: str) -> bool:
    """Whether ``name`` asks for derivatives of derivatives: ``reverse-over-reverse``."""
    parts = name.split("-over-")
    return len(parts) > 1 and all(part in DEFAULT_MODES for part in parts)
