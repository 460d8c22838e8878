"""The kinds of derivatives that can be asked for, in directives and in ``pyproject.toml``."""

MODES = ("reverse", "forward", "hvp", "hessian", "jacobian")
