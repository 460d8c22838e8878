"""Instances of the user's classes: what derivative functions take apart and put together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import wraps
from types import EllipsisType
from typing import Any, ParamSpec, TypeGuard, TypeVar

import numpy as np

from mooncake_runtime.formatted import PENDING, at, filled, holes, told

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def instance(cls: type[T], /, **fields: Any) -> T:
    """An instance of ``cls`` with these values of its fields.

    Neither ``__init__`` nor ``__post_init__`` runs: the primal has done what they do.
    """
    made = object.__new__(cls)
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def assign(tangent: object, name: str, value: Any) -> None:
    """Assign a field of ``tangent``, if that is an object whose fields can be assigned.

    ``[:]`` stands for the items of a list.
    """
    if isinstance(tangent, list) and name == "[:]":
        tangent[:] = value
        return
    with suppress(AttributeError):
        setattr(tangent, name, value)


def assign_each(items: Iterable[object], name: str, values: Iterable[Any]) -> None:
    """Assign a field of each of ``items``, or an item of each of these dicts.

    Where that has the value it stays what it is, and so do tuples.
    """
    for one, value in zip(items, values, strict=True):
        old = one[name] if isinstance(one, dict) else getattr(one, name)
        if not any(isinstance(held, np.ndarray) for held in (value, old)) and old == value:
            continue
        if isinstance(one, dict):
            one[name] = value
        else:
            assign(one, name, value)


class Raised(Exception):
    """An exception on its way out of compiled code: its class, its message, and fields.

    That is, path and value of each number or text that the function has assigned to a field of a
    parameter: ``Raised(ValueError, "late", "state.t", 2.0)``. Numbers for the braces of the message
    are in front of them: ``Raised(ValueError, "{} is late", 3, "state.t", 2.0)``.
    """


def border(function: Callable[P, R]) -> Callable[P, R]:
    """``function``, which takes objects apart; a missing attribute is a TypeError that names it.

    What leaves it as ``Raised`` is the exception of the program, and fields hold what that says.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Raised as raised:
            bound = inspect.signature(function).bind(*args, **kwargs).arguments
            raise _unwrapped(raised, bound).with_traceback(raised.__traceback__) from None
        except AttributeError as error:
            if error.name is None:  # it is the program's own
                raise
            bound = inspect.signature(function).bind(*args, **kwargs).arguments
            path = next(_found(bound, error.obj), "an argument")
            kind = "None" if error.obj is None else type(error.obj).__name__
            message = f"{function.__name__}: {path} must have an attribute {error.name!r}"
            raise TypeError(f"{message}, got {kind}") from None
        except Exception as error:
            if not hasattr(error, PENDING):
                raise
            bound = inspect.signature(function).bind(*args, **kwargs).arguments
            raise told(error, bound).with_traceback(error.__traceback__) from None

    return call


def _unwrapped(raised: Raised, arguments: Mapping[str, object]) -> BaseException:
    """The exception of the program; assigns the fields."""
    cls, message, *held = raised.args
    count = holes(message or "")
    numbers, held = held[:count], held[count:]
    for path, value in zip(held[::2], held[1::2], strict=True):
        holder, _, field = path.rpartition(".")
        setattr(at(arguments, holder), field, value)
    error: BaseException = cls() if message is None else cls(filled(message, numbers, arguments))
    return error


def _found(arguments: Mapping[str, object], wanted: object) -> Iterator[str]:
    """The places of ``wanted`` among the arguments, as text: ``parameter 'p.ends'``."""
    level = list(arguments.items())
    while level:
        yield from (f"parameter {path!r}" for path, value in level if value is wanted)
        level = [pair for path, value in level for pair in _parts(path, value)]


def _parts(path: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        yield from ((f"{path}[{k}]", item) for k, item in enumerate(value))
        return
    if isinstance(value, list):
        yield from ((f"{path}[{k}]", item) for k, item in enumerate(value))
        return
    names: Iterable[str] = getattr(value, "_fields", ()) or getattr(
        value, "__dataclass_fields__", ()
    )
    yield from ((f"{path}.{name}", getattr(value, name)) for name in names if hasattr(value, name))


def alternative(path: str, value: object, /, *options: object) -> int:
    """The number of the option that ``value`` at ``path`` is; TypeError or ValueError if none.

    An option is None, a text, a member of an enum or a class; np.number stands for all numbers,
    ``...`` for all other texts, and ``("call", "lower")`` for those whose ``lower()`` is "call".
    Classes and enums are told by their names: those of the original module serve as well as those
    of its copy.
    """
    names = [option.__name__ if isinstance(option, type) else None for option in options]
    for cls in type(value).__mro__:  # the nearest class counts
        if cls.__name__ in names:
            return names.index(cls.__name__)
    for number, option in enumerate(options):
        if _is(value, option):
            return number
    known = ", ".join(map(_described, options))
    fixed = not any(isinstance(option, type) for option in options)
    error = ValueError if fixed and isinstance(value, str | Enum) else TypeError
    raise error(f"parameter {path!r} must be one of {known}, got {_described(value)}")


def is_a(value: object, option: type[T] | None) -> TypeGuard[T]:
    """True if ``value`` is an instance of ``option``, or of a class of its name."""
    return _is(value, option)


def _turned(text: str, *methods: str) -> str:
    """The text that these methods make of ``text``, one after the other."""
    for method in methods:
        text = getattr(text, method)()
    return text


def _is(value: object, option: object) -> bool:
    match option:
        case None:
            return value is None
        case EllipsisType():
            return isinstance(value, str)
        case Enum():
            same_class = type(value).__name__ == type(option).__name__
            return same_class and isinstance(value, Enum) and value.name == option.name
        case type():
            if option is np.number:
                return isinstance(value, int | float | complex | np.number)
            return any(cls.__name__ == option.__name__ for cls in type(value).__mro__)
        case tuple():
            return isinstance(value, str) and _turned(value, *option[1:]) == option[0]
        case _:
            return bool(value == option)


def _described(value: object) -> str:
    match value:
        case type():
            return "number" if value is np.number else value.__name__
        case Enum():
            return str(value)
        case EllipsisType():
            return "any text"
        case str() | None:
            return repr(value)
        case _:
            return type(value).__name__


def default_of(function: Callable[..., object], parameter: str) -> Any:
    """The default of a parameter."""
    return inspect.signature(function).parameters[parameter].default


def exactly(path: str, value: object, wanted: type, *others: str) -> None:
    """Raise TypeError if ``value`` is of one of the classes called ``others``."""
    found = type(value).__name__
    if found != wanted.__name__ and any(cls.__name__ in others for cls in type(value).__mro__):
        raise TypeError(
            f"parameter {path!r} must be a {wanted.__name__}, got {found}, whose methods are others"
        )
