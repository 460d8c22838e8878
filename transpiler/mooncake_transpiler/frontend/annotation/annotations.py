"""Annotations as types: every spelling of a scalar, an array and a tuple of them.

They are read in the scope of the module that they stand in; aliases are followed to the expression
that they stand for, in whatever module. Nothing is imported or executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import TOO_LARGE, TOO_LARGE_HELP, TooMuch
from mooncake_transpiler.frontend.annotation import links
from mooncake_transpiler.frontend.annotation.annotation_parts import (
    KEYS_HELP,
    TEXT,
    Inner,
    arguments_of,
    array_type,
    carried,
    dict_of_texts,
    dims_of,
    external_type,
    is_key,
    is_listable,
    is_nothing,
    is_text,
    jaxtyping_dtype,
    listed,
    literal_kind,
    literal_value,
    quoted_type,
    size_of,
    struct_type,
    text_of,
    tuple_type,
)
from mooncake_transpiler.frontend.annotation.entry_annotations import are_readable
from mooncake_transpiler.frontend.annotation.nested_ranks import UNTOLD, NestedRanks
from mooncake_transpiler.frontend.annotation.unions import enum, operands, text_or_none, union
from mooncake_transpiler.frontend.annotation.unresolved import (
    RANK_HELP,
    AnyRank,
    Carries,
    Read,
    Unresolved,
    dict_of,
    foreign,
    gpu,
    passed_function,
    ranked,
    rankless,
    unknown,
    untyped,
    variable,
)
from mooncake_transpiler.frontend.class_text.classes import ClassOutline, Spec, outline
from mooncake_transpiler.frontend.entities import Annotation, ClassKind, External
from mooncake_transpiler.frontend.name import typenames
from mooncake_transpiler.frontend.name.bindings import ClassBinding, UnknownBinding, ValueBinding
from mooncake_transpiler.frontend.name.mentions import is_asked
from mooncake_transpiler.frontend.name.resolve import BoundName, Found, Resolver
from mooncake_transpiler.frontend.rank_evidence import EACH, Step
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.types import BOOL, INT, NONE, Array, DType, ListKind, Opaque, Scalar, Tuple
from mooncake_transpiler.types import TEXT as TEXT_PART

Nodes = Sequence[cst.BaseExpression]
MAX_ALIASES = 100  # that one annotation may lead through


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads annotations of module ``module``; ``variables`` are the type variables in scope.

    ``linking``: objects may refer to others of their class; ``owner``: that whose fields are read.
    """

    resolver: Resolver
    module: str
    variables: frozenset[str] = frozenset()
    aliases: frozenset[tuple[str, str]] = frozenset()  # being followed
    ranks: NestedRanks = UNTOLD
    linking: bool = False
    owner: tuple[str, str] | None = None

    def read(self, node: cst.BaseExpression) -> Annotation:
        """The type that ``node`` stands for, or ``Unresolved``."""
        return ranked(node, self.read_any(node))

    def read_any(self, node: cst.BaseExpression) -> Read:
        """The type that ``node`` stands for, be it without a rank, or ``Unresolved``."""
        try:
            return self._dispatch(node)
        except TooMuch as excess:
            raise Unresolved(node, TOO_LARGE, str(excess), TOO_LARGE_HELP, Carries.MAYBE) from None

    def _dispatch(self, node: cst.BaseExpression) -> Read:
        match node:
            case cst.SimpleString() | cst.ConcatenatedString():
                return self._quoted(node)
            case cst.Name(value="None"):
                return Annotation(NONE)
            case cst.Name(value=name) if name in self.variables:
                raise variable(node)
            case cst.Name() | cst.Attribute():
                return self._named(node, self._lookup(node))
            case cst.Subscript(value=value):
                return self._subscript(node, self._lookup(value), arguments_of(node))
            case cst.BinaryOperation(operator=cst.BitOr()):
                return self._union(node, list(operands(node)))
            case _:
                raise Unresolved(node, "MK201", "this is not a type")

    def _quoted(self, node: cst.SimpleString | cst.ConcatenatedString) -> Read:
        inner = quoted_type(text_of(node))
        if inner is None:
            raise Unresolved(node, "MK201", "this string is not a type")
        return self._at(node, inner)

    def _at(self, node: cst.BaseExpression, inner: cst.BaseExpression) -> Read:
        """Read ``inner``, which stands elsewhere; what is wrong with it is so at ``node``."""
        try:
            return self.read_any(inner)
        except Unresolved as problem:
            problem.node = node
            raise

    def _lookup(self, node: cst.BaseExpression) -> Found:
        found = self.resolver.lookup(self.module, node)
        if found is None:
            raise unknown(node, self.resolver.names(self.module))
        return found

    def _named(self, node: cst.BaseExpression, found: Found) -> Read:
        match found:
            case BoundName(binding=ValueBinding() as value):
                return self._alias(node, found, value)
            case BoundName(binding=ClassBinding(node=cls)):
                return self.of_class(node, found, cls)
            case External(qualname=qualname):
                return external_type(node, qualname)
            case BoundName(binding=UnknownBinding(why=why)):
                raise Unresolved(node, "MK202", f"what this type is can't be told: {why}")
            case _:
                raise Unresolved(node, "MK201", "this is not a type")

    def _alias(self, node: cst.BaseExpression, found: BoundName, value: ValueBinding) -> Read:
        if isinstance(value.expr, cst.Call):
            maker = self.resolver.lookup(found.module, value.expr.func)
            if maker == External("typing.TypeVar"):
                raise variable(node)
            if maker == External("typing.NewType") and len(value.expr.args) == 2:
                return self._inside(found, node)._at(node, value.expr.args[1].value)
        return self._inside(found, node)._at(node, value.expr)

    def _inside(self, found: BoundName, node: cst.CSTNode) -> Reader:
        """A reader for where ``found`` is defined."""
        if (key := (found.module, found.name)) in self.aliases:
            raise links.not_supported(node, self.linking)
        if len(self.aliases) == MAX_ALIASES:
            message = f"more than {MAX_ALIASES} type aliases refer to each other"
            raise Unresolved(node, "MK204", message, carries=Carries.MAYBE)
        aliases = self.aliases | {key}
        return replace(self, module=found.module, variables=frozenset(), aliases=aliases)

    def of_class(self, node: cst.BaseExpression, found: BoundName, cls: cst.ClassDef) -> Annotation:
        """An instance is the struct of its fields."""
        key = (found.module, found.name)
        if self.linking and key == self.owner:
            return Annotation(links.ITSELF)
        of = outline(self.resolver, found, cls)
        if of.kind is ClassKind.ENUM:
            return Annotation(enum(node, of, self.resolver))
        if of.problem is not None:
            carries = Carries.MAYBE if key in self.aliases else self._carried_by(of)
            raise Unresolved(node, "MK204", f"{found.name}: {of.problem}", carries=carries)
        if of.kind is ClassKind.PLAIN and (of.untyped or not of.fields):
            raise untyped(node, found.name, of.untyped)
        ranks = self.ranks.of_class(self.resolver.field_ranks.get(key, {}))
        inner = replace(self._inside(found, node), ranks=ranks, owner=key)
        fields = {s.name: replace(inner, module=s.module)._field(node, s) for s in of.fields}
        own = links.links(fields)
        made = struct_type(of, fields | own, are_readable(self.resolver, of))
        return links.closed(node, made, tuple(own))

    def _field(self, node: cst.BaseExpression, spec: Spec) -> Annotation:
        """The type of a field; one that holds no floats, or that nobody reads, may be of any."""
        try:
            field = replace(self, ranks=self.ranks.at(spec.name))
            return field._closed(spec.annotation, field._at(node, spec.annotation))
        except Unresolved as one:
            if one.carries is Carries.NOTHING or self._is_unread(spec):
                return Annotation(Opaque(cst.Module([]).code_for_node(spec.annotation)))
            message = f"its field {spec.name}: {one.message}"
            raise Unresolved(one.node, one.code, message, one.help, one.carries) from None

    def _is_unread(self, spec: Spec) -> bool:
        """True for a field that nobody asks for, and that holds no object of the program."""
        parts = list(walk(spec.annotation))
        names = (part for part in parts if isinstance(part, cst.Name))
        found = (self.resolver.lookup(self.module, name) for name in names)
        if any(isinstance(one, BoundName) for one in found):
            return False
        is_quoted = any(isinstance(part, cst.SimpleString) for part in parts)
        return not is_quoted and not is_asked(self.resolver.modules.values(), spec.name)

    def _carried_by(self, of: ClassOutline) -> Carries:
        key = of.found.module, of.found.name
        inner = replace(self, module=of.found.module, aliases=self.aliases | {key})
        found = carried((spec.annotation for spec in of.fields), inner.read_any)
        return found if found is Carries.FLOATS else Carries.MAYBE

    def _subscript(self, node: cst.Subscript, head: Found, args: Nodes) -> Read:
        if not isinstance(head, External):
            raise Unresolved(node, "MK204", "generic types are not supported yet")
        match head.qualname:
            case "numpy.ndarray":
                return self._ndarray(node, args)
            case "numpy.typing.NDArray":
                return AnyRank(self._any_dtype(args[0]))
            case "typing.Annotated":
                return self._annotated(node, args)
            case "builtins.tuple" | "typing.Tuple":
                return self._tuple(node, args)
            case "typing.Literal":
                return self._literal(node, args)
            case "typing.Optional" if len(args) == 1:
                return self._union(node, [args[0], cst.Name("None")])
            case "typing.Union":
                return self._union(node, args)
            case name if name in typenames.TRANSPARENT:
                return self.read_any(args[0])
            case name if name.startswith("jaxtyping."):
                return self._jaxtyping(node, name, args)
            case name if name.startswith("numba.") and name in typenames.SCALARS:
                return Annotation(Array(typenames.SCALARS[name], len(args)), (None,))
            case "typing.Callable" | "collections.abc.Callable":
                raise passed_function(node, carried(args, self.read_any))
            case name if name in typenames.LISTS and len(args) == 1:
                return self._list(node, args[0])
            case name if name in typenames.DICTS and len(args) == 2:
                return self._dict(node, args)
            case name if name in typenames.CONTAINERS:
                raise self._contained(node, args, f"{name.rpartition('.')[2]} types")
            case name if name in typenames.GPU_ARRAYS:
                raise gpu(node)
            case name:
                raise foreign(node, name)

    def _ndarray(self, node: cst.Subscript, args: Nodes) -> Read:
        """``np.ndarray[tuple[int, int], np.dtype[np.float64]]``."""
        if len(args) != 2:
            message = "np.ndarray takes a shape and a dtype"
            raise Unresolved(node, "MK201", message, RANK_HELP.format("float64"))
        shape, of = args
        if isinstance(of, cst.Subscript) and self._lookup(of.value) == External("numpy.dtype"):
            of = arguments_of(of)[0]
        dtype = self._any_dtype(of)
        sizes = arguments_of(shape) if isinstance(shape, cst.Subscript) else []
        if not sizes or any(isinstance(size, cst.Ellipsis) for size in sizes):
            return AnyRank(dtype)
        if dtype is None:
            raise rankless(node, AnyRank(None))
        return array_type(dtype, () if is_nothing(sizes) else tuple(map(size_of, sizes)))

    def _any_dtype(self, node: cst.BaseExpression) -> DType | None:
        """An element type; None for a family of several."""
        head = node.value if isinstance(node, cst.Subscript) else node
        found = self.resolver.lookup(self.module, head)
        if isinstance(found, External) and found.qualname in typenames.FAMILIES:
            return None
        return self._dtype(node)

    def _dtype(self, node: cst.BaseExpression) -> DType:
        found = self.read_any(node)
        if isinstance(found, Annotation) and isinstance(found.type, Scalar):
            return found.type.dtype
        raise Unresolved(node, "MK201", "this is not an element type")

    def _annotated(self, node: cst.Subscript, args: Nodes) -> Read:
        """``Annotated[NDArray[np.float64], "n m"]``; other metadata is passed over."""
        inner = self.read_any(args[0])
        texts = [arg for arg in args[1:] if isinstance(arg, cst.SimpleString)]
        if isinstance(inner, AnyRank) and (inner.dtype is None or inner.others):
            raise rankless(args[0], inner)
        if isinstance(inner, AnyRank) and inner.dtype is not None and texts:
            return array_type(inner.dtype, dims_of(texts[0], text_of(texts[0])))
        if isinstance(inner, Annotation) and isinstance(inner.type, Array) and texts:
            dims = dims_of(texts[0], text_of(texts[0]))
            if len(dims) != inner.type.ndim:
                message = f"{len(dims)} dimensions for an array of rank {inner.type.ndim}"
                raise Unresolved(node, "MK205", message)
            return array_type(inner.type.dtype, dims)
        return inner

    def _jaxtyping(self, node: cst.Subscript, name: str, args: Nodes) -> Annotation:
        """``Float64[np.ndarray, "n m"]``, or the bare ``n`` that some linters leave of it."""
        dtype = jaxtyping_dtype(node, name, len(args))
        self._array_kind(args[0])
        is_text = isinstance(args[1], cst.SimpleString | cst.ConcatenatedString)
        text = text_of(args[1]) if is_text else cst.Module([]).code_for_node(args[1])
        return array_type(dtype, dims_of(args[1], text if is_text else text.replace(" ", "")))

    def _array_kind(self, node: cst.BaseExpression) -> None:
        """The array class inside ``Float64[...]``: NumPy's."""
        found = self._lookup(node.value if isinstance(node, cst.Subscript) else node)
        if isinstance(found, BoundName) and isinstance(found.binding, ValueBinding):
            self._inside(found, node)._array_kind(found.binding.expr)
        elif isinstance(found, External) and found.qualname in typenames.GPU_ARRAYS:
            raise gpu(node)
        elif not (isinstance(found, External) and found.qualname in typenames.ARRAYS):
            raise Unresolved(node, "MK204", "only NumPy arrays are supported", "use np.ndarray")

    def _tuple(self, node: cst.Subscript, args: Nodes) -> Annotation:
        if len(args) == 2 and isinstance(args[1], cst.Ellipsis):
            return self._list(node, args[0], ListKind.TUPLE)
        if is_nothing(args):
            return Annotation(Tuple(()))
        parts = (
            text_or_none(arg, self._lookup) or self._part(arg, k) for k, arg in enumerate(args)
        )
        return tuple_type(list(parts))

    def _part(self, node: cst.BaseExpression, step: Step) -> Annotation:
        """The type of what is inside, by ``step``."""
        if isinstance(node, cst.Name | cst.Attribute) and self._lookup(node) == TEXT:
            return Annotation(TEXT_PART)
        inside = replace(self, ranks=self.ranks.at(step))
        return inside._closed(node, inside.read_any(node))

    def _closed(self, node: cst.BaseExpression, found: Read) -> Annotation:
        """``found``, with the rank that is told for it."""
        if isinstance(found, AnyRank):
            return self.ranks.closed(node, found)
        return dict_of_texts(found) or ranked(node, found)

    def _list(
        self, node: cst.Subscript, arg: cst.BaseExpression, kind: ListKind = ListKind.LIST
    ) -> Annotation:
        """``list[float]``, ``tuple[float, ...]``; each array in it may have its own sizes."""
        try:
            found = self._part(arg, EACH)
        except Unresolved as problem:
            if problem.code == "MK203":
                raise
            message = f"a {kind.value} of these: {problem.message}"
            raise Unresolved(arg, problem.code, message, problem.help, problem.carries) from None
        if is_listable(found.type):
            return listed(found.type, kind)
        what = f"{kind.value}s of {found.type}"
        raise self._contained(node, [arg], what, links.help_for(found.type))

    def _dict(self, node: cst.Subscript, args: Nodes) -> Read:
        """``dict[str, float]``, ``dict[int, float]``, ``dict[tuple[int, int], float]``."""
        key = self._part(args[0], 0).type
        if is_text(key):
            return dict_of(args[1], self.read_any, dict_of_texts)
        item = self._part(args[1], EACH).type
        if is_key(key) and is_listable(item):
            return listed(Tuple((key, item)), ListKind.DICT)
        raise self._contained(node, args, f"dicts from {key} to {item}", KEYS_HELP)

    def _literal(self, node: cst.Subscript, args: Nodes) -> Annotation:
        for kind in (INT, BOOL):
            if {literal_kind(arg) for arg in args} == {kind}:
                return Annotation(kind)
        return ranked(node, self._union(node, args, partial(literal_value, self.read_any)))

    def _union(self, node: cst.BaseExpression, args: Nodes, read: Inner | None = None) -> Read:
        """``A | B``: each alternative once; numbers are of the widest kind among them."""
        try:
            found = [(arg, (read or self.read_any)(arg)) for arg in args]
            arrays = [one for _, one in found if isinstance(one, AnyRank)]
            rest = [
                dict_of_texts(one) or ranked(arg, one)
                for arg, one in found
                if one not in arrays[:1]
            ]
        except Unresolved as one:
            carries = carried(args, self.read_any) if read is None else one.carries
            raise Unresolved(one.node, one.code, one.message, one.help, carries) from None
        return AnyRank(arrays[0].dtype, (*arrays[0].others, *rest)) if arrays else union(node, rest)

    def _contained(
        self, node: cst.BaseExpression, args: Nodes, what: str, help: str | None = None
    ) -> Unresolved:
        """``node`` is not supported; whether that matters depends on what it holds."""
        message = f"{what} are not supported yet"
        return Unresolved(node, "MK204", message, help, carried(args, self.read_any))
