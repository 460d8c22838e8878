"""Answers of Python's own classes about a value: is it ``Sized``, an ``int``, ``Hashable`` …

Python itself is asked. A class of the program has a stand-in for that: a class with attributes of
the same names, derived from the same classes of Python's. Nothing of the program runs.
"""

from __future__ import annotations

import importlib
import logging
import types

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    EnumMember,
    External,
    FunctionDecl,
    Logger,
    ModuleRef,
)
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import kinds, scalars
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Closure,
    Generator,
    IntRange,
    Items,
    Known,
    Operand,
    Passed,
    Static,
)
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.named_tuples import MAKER
from mooncake_transpiler.frontend.text.trees import is_name
from mooncake_transpiler.types import DType

Classes = tuple[type, ...]

# Where classes come from that Python can be asked about.
_MODULES = ("abc", "builtins", "cmath", "collections", "collections.abc", "decimal", "enum",
            "fractions", "functools", "math", "numbers", "numpy", "numpy.linalg", "operator",
            "statistics", "types", "typing")  # fmt: skip
# Classes of other libraries of which no number, array or object of the program is an instance.
_OTHERS = {
    name: types.new_class(name.rpartition(".")[2])
    for name in (
        "dask.array.Array", "dask.dataframe.DataFrame", "dask.dataframe.Series", "jax.Array",
        "jax.core.Tracer", "jax.numpy.ndarray", "pandas.DataFrame", "pandas.DatetimeIndex",
        "pandas.Index", "pandas.Series", "pandas.Timestamp", "pint.Quantity", "polars.DataFrame",
        "polars.Series", "sympy.Expr", "sympy.Symbol", "tensorflow.Tensor", "tensorflow.Variable",
        "torch.Tensor", "torch.nn.Parameter", "xarray.DataArray", "xarray.Dataset",
    )
}  # fmt: skip
# Bases without a part in what instances are.
_MARKERS = frozenset({"typing.Generic", "typing.Protocol"})
_AS = {"typing.NamedTuple": tuple, MAKER: tuple}
# A number of these types is Python's own, or NumPy's.
_PYTHONS = {DType.FLOAT64: float, DType.INT64: int, DType.COMPLEX128: complex, DType.BOOL: bool}
# What would run while classes are made.
_OF_CLASSES = frozenset({"__init_subclass__", "__set_name__", "__class_getitem__"})
_CONTAINERS = {"list": list, "tuple": tuple, "dict": dict}
_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def outside(qualname: str) -> object | None:
    """The object of Python's with this name, if it is known here."""
    if qualname in _OTHERS:
        return _OTHERS[qualname]
    module, _, name = qualname.rpartition(".")
    if qualname in _MARKERS or module not in _MODULES:
        return None
    return getattr(importlib.import_module(module), name, None)


def head(base: cst.Arg) -> cst.BaseExpression:
    """The name of a base class: ``Generic`` of ``Generic[T]``."""
    return base.value.value if isinstance(base.value, cst.Subscript) else base.value


class StandIns:
    """The stand-ins that the answer to one question needs."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._made: dict[ClassDecl, type | None] = {}

    def of(self, cls: ClassDecl) -> type | None:
        """The stand-in of ``cls``; None if not all of its bases are known."""
        if cls not in self._made:
            self._made[cls] = self._stand_in(cls)
        return self._made[cls]

    def _stand_in(self, cls: ClassDecl) -> type | None:
        if cls.module == errors.MODULE:  # an exception of Python's, or of its library
            error = outside(errors.LIBRARY.get(cls.name, f"builtins.{cls.name}"))
            return error if isinstance(error, type) else None
        if cls.module == library_classes.NAME:
            library = outside(library_classes.python_name(cls))
            return library if isinstance(library, type) else None
        if "__subclasshook__" in cls.methods:
            return None
        bases = []
        for base in cls.node.bases:
            found = self._base(cls, head(base))
            if found is None:
                return None
            bases.append(found)
        try:
            made = types.new_class(cls.name, tuple(b for b in bases if b is not object))
        except TypeError:  # there is no order of these bases
            return None
        for name, value in _attributes(cls).items():
            setattr(made, name, value)
        return made

    def _base(self, cls: ClassDecl, node: cst.BaseExpression) -> type | None:
        source = self._ctx.source
        match resolve(source, source.modules[cls.module], node):
            case ClassDecl() as base:
                return self.of(base)
            case External(qualname=qualname) if qualname in _MARKERS:
                return object
            case External(qualname=qualname):
                found = _AS.get(qualname) or outside(qualname)
                return found if isinstance(found, type) else None
            case _:
                return None

    # ---- values ---------------------------------------------------------------------------------

    def classes(self, value: Operand) -> Classes | None:
        """The classes one of which ``value`` is an instance of; None if they are not known."""
        if isinstance(value, Ref) and containers.is_container(value):
            return (_CONTAINERS[value.cls.name],)
        if (own := objects.declared(self._ctx, value)) is not None:
            found = self.of(own)
            return None if found is None else (found,)
        if scalars.is_scalar(value):
            return _of_number(self._ctx, value)
        if delayed.is_array(value):
            return _arrays()
        match value:
            case Items(once=None):
                return (list if value.is_list else tuple,) if value.names is None else None
            case Static(value=known):
                return self._of_known(known)
            case Passed(spelled="str") | RunText():
                return (str,)
            case IntRange(once=None):
                return (range,)
            case Generator():
                return (types.GeneratorType,)
            case Closure():
                return (types.FunctionType,)
            case Bound():
                return _FUNCTIONS
            case _:
                return None

    def _of_known(self, known: Known) -> Classes | None:
        """The classes of what ``Static`` holds."""
        match known:
            case str() | None | np.finfo() | np.iinfo():
                return (type(known),)
            case FunctionDecl():
                return (types.FunctionType,)
            case DType(value=name):
                return (type(np.dtype(name)),)
            case EnumMember(cls=cls):
                made = self.of(cls)
                return None if made is None else (made,)
            case ClassDecl():
                found = self.of(known)
                return None if found is None else (type(found),)
            case ModuleRef():
                return (types.ModuleType,)
            case External(qualname=qualname):
                there = outside(qualname)
                return None if there is None else (type(there),)
            case Logger(name=name):
                return (logging.Logger,) if name else (logging.RootLogger,)


def _of_number(ctx: Context, value: ir.Atom) -> Classes:
    of = scalars.dtype(value)
    pythons, numpys = _PYTHONS.get(of), np.dtype(of.value).type
    if kinds.may_be_int(ctx, value):
        return (int, float, numpys)
    match kinds.kind(ctx, value):
        case Kind.PYTHON if pythons is not None:
            return (pythons,)
        case Kind.NUMPY:
            return (numpys,)
        case _:
            return (numpys,) if pythons is None else (pythons, numpys)


def _arrays() -> Classes:
    return (np.ndarray,)


def _attributes(cls: ClassDecl) -> dict[str, object]:
    """The attributes of the class itself, by name; None stands for those that it denies."""
    found: dict[str, object] = {}
    for name, (_, value) in cls.own_constants.items():
        is_none = is_name(value, "None")
        found[name] = None if is_none else _anything
    found |= dict.fromkeys(cls.own_methods, _anything)
    options = cls.options
    by_value = options is not None and options.get("eq", True) and not options.get("unsafe_hash")
    changes = options is not None and not options.get("frozen")
    if (by_value and changes) or (options is None and "__eq__" in found):
        found.setdefault("__hash__", None)
    return {name: value for name, value in found.items() if name not in _OF_CLASSES}


def _anything(*args: object) -> object:
    raise AssertionError(f"a stand-in is called with {args}")
