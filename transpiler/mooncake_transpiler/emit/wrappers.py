"""Functions in plain Python in front of compiled ones: they take objects apart and make them.

    def energy_value_and_grad(state: State) -> tuple[float, StateBar]:
        value, (pos_bar, t_bar) = _energy_value_and_grad(state.pos, state.t)
        return value, StateBar(pos_bar, t_bar)

NamedTuples are made here, too: compiled code takes longer to hand them to Python.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects, is_optional
from mooncake_transpiler.border.borders import CONTENT, Action, flat
from mooncake_transpiler.border.homes import is_handed
from mooncake_transpiler.border.paths import key_text
from mooncake_transpiler.emit.function import Emitted, docstring
from mooncake_transpiler.emit.given.given_objects import Use, given, selected
from mooncake_transpiler.emit.given.last_fields import as_before, assignments
from mooncake_transpiler.emit.given.linked_objects import LinkedObjects
from mooncake_transpiler.emit.given.lists_in_lists import rows
from mooncake_transpiler.emit.given.object_checks import checks
from mooncake_transpiler.emit.given.reach import Reach, guarded
from mooncake_transpiler.emit.given.seen_types import as_seen
from mooncake_transpiler.emit.layout import Group, Item, assigned, layout, quoted, tuple_group
from mooncake_transpiler.emit.module_scope import ModuleScope
from mooncake_transpiler.emit.packed_lines import packed
from mooncake_transpiler.emit.signature import definition
from mooncake_transpiler.emit.uses import RESERVED, Uses
from mooncake_transpiler.interface.compiled_parts import is_made, takes_objects
from mooncake_transpiler.interface.saved_names import residuals_name
from mooncake_transpiler.types import (
    NONE,
    Array,
    Direction,
    DType,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    StructKind,
    Tuple,
    Type,
    without_none,
)


@dataclass(frozen=True, slots=True)
class Compiled:
    """The callee of a wrapper: its name, and the number of result items before those wanted.

    ``seed``: the number of the wrapper's parameters before a cotangent that is 1, if there is one.
    """

    name: str
    skipped: int = 0
    seed: int | None = None


def emit_wrapper(func: ir.Func, name: str, compiled: Compiled, scope: ModuleScope) -> Emitted:
    """The text of the function ``name`` with the signature of ``func``."""
    uses = Uses(scope.imported)
    names = {*scope.names, *(p.name for p in func.params)}
    lines = _Wrapper(func, name, compiled, names, scope.discard, uses.use).all_lines()
    head = definition(as_seen(func), name, uses.use)
    if takes_objects(func):
        head = [f"@{uses.use('border')}", *head]
    written = packed(head + docstring(func.doc, 1) + lines)
    return Emitted(tuple(written), frozenset(uses.needs), func)


@dataclass(slots=True)
class _Wrapper:
    func: ir.Func
    name: str
    compiled: Compiled
    taken: set[str]
    discard: str
    use: Use

    def all_lines(self) -> list[str]:
        """The body: first all linked objects are found."""
        self.func, linked = LinkedObjects.of(self.func, self.fresh)
        return [*linked.lines(Reach.of(self.func, self.use)), *self.lines()]

    def lines(self) -> list[str]:
        match self.func.border.action:
            case Action.RESTORE:
                return self._restoring()
            case Action.ASSIGN:
                return self._assigning()
            case Action.NONE:
                return [*self._checks(), *self._calling(self.compiled.skipped)]

    def _checks(self) -> list[str]:
        return checks(self.func, self.name, self.use)

    # ---- calls ----------------------------------------------------------------------------------

    def _call(self, args: Iterable[Item]) -> Group:
        return Group(f"{self.compiled.name}(", tuple(args), ")", compact=True)

    def _args(self) -> Iterator[Item]:
        for k, param in enumerate((*self.func.params, None)):
            if k == self.compiled.seed:
                yield "1.0"
            if param is None:
                return
            if has_objects(param.type):
                yield from given(param.type, param.name, self.use)
            else:
                yield self._taken(param)

    def _taken(self, param: ir.Param) -> str:
        match param.type:
            case Array(ndim=ndim) if ndim and is_handed(param.type):
                return f"{self.use('np')}.asarray({param.name})"
            case _:
                return param.name

    def _given(self, name: str, type_: Type) -> str:
        """A result of compiled code, handed over."""
        if not is_handed(type_):
            return name
        is_number = isinstance(type_, Scalar) or (isinstance(type_, Array) and not type_.ndim)
        return f"{self.use('float')}({name})" if is_number else f"{self.use('np')}.asnumpy({name})"

    def _calling(self, skipped: int) -> list[str]:
        """Call the compiled function and return what it returns."""
        result = self.func.result
        is_changed = is_handed(result) or (takes_objects(self.func) and is_made(result))
        if not skipped and not is_changed:
            return layout("return ", self._call(self._args()), "", 1)
        hint = "grad" if skipped else "value"
        is_whole = not (takes_objects(self.func) or is_handed(result))
        target, value = (self.fresh(hint),) * 2 if is_whole else self.apart(result, hint)
        if skipped:
            target = tuple_group([self.discard] * skipped + [target])
        return [*assigned(target, self._call(self._args())), *_returned(value)]

    # ---- results --------------------------------------------------------------------------------

    def apart(self, type_: Type, hint: str) -> tuple[Item, Item]:
        """An assignment target for a compiled result of ``type_``, and the result in Python."""
        match type_:
            case Tuple(items=items, names=None) if is_made(type_):
                pairs = [self.apart(item, _of_item(hint, k)) for k, item in enumerate(items)]
                return tuple_group([t for t, _ in pairs]), tuple_group([v for _, v in pairs])
            case NoneType():
                return self.discard, "None"
            case Scalar(is_text=False) | Array():
                name = self.fresh(hint)
                return name, self._given(name, type_)
            case _ if is_made(type_):
                targets: list[str] = []
                of_numbers = isinstance(type_, List) and not isinstance(type_.item, Tuple)
                label = hint if of_numbers else ""
                value = self.made(type_, label, "" if of_numbers else _suffix(type_), targets)
                return tuple_group(targets), value
            case _:
                name = self.fresh("residuals" if isinstance(type_, Tuple) else hint)
                return name, name

    def made(self, type_: Type, hint: str, suffix: str, targets: list[str]) -> Item:
        """A value of ``type_`` made of variables for its leaves, which go to ``targets``."""
        match type_:
            case NoneType():
                return "None"
            case Opaque(source=source):
                return source or "None"
            case Selector():
                return str(type_)
            case OneOf(options=options):
                return self._one_of(options, hint, suffix, targets)
            case Tuple(is_record=True):
                return self._record(type_, hint, suffix, targets)
            case Tuple():
                return self._tuple(type_, hint, suffix, targets)
            case List(item=Tuple() as item, may_be_none=optional) if type_.links:
                return self._rooted(item, hint, suffix, targets, optional)
            case List(item=Tuple(items=items), kind=ListKind.DICT):
                both = zip(items, ("keys", "values"), (suffix if hint else "", suffix), strict=True)
                columns = tuple(
                    self._listed(part, f"{hint}_{label}".lstrip("_"), own, targets)
                    for part, label, own in both
                )
                zipped = Group(f"{self.use('zip')}(", (*columns, "strict=True"), ")", compact=True)
                return Group(f"{self.use('dict')}(", (zipped,), ")", compact=True)
            case List(item=item, kind=kind):
                made = self._listed(item, hint, suffix, targets)
                head = f"{self.use(kind.value)}("
                return made if kind is ListKind.LIST else Group(head, (made,), ")", compact=True)
            case Scalar(is_text=True):
                targets.append(self.fresh(hint))
                return self._texts("text_of", targets[-1])
            case _:
                targets.append(self.fresh(hint + suffix))
                return self._given(targets[-1], type_)

    def _one_of(self, options: tuple[Type, ...], hint: str, suffix: str, targets: list[str]) -> str:
        """One of several values, by a number that goes to ``targets``, too."""
        number = self.fresh(f"{hint}_case".lstrip("_"))
        targets.append(number)
        values = [str(self.made(option, hint, suffix, targets)) for option in options]
        if len(dict.fromkeys(values)) == 1:
            return values[0]
        if all(isinstance(option, Selector | NoneType) for option in options):
            return f"({', '.join(values)})[{number}]"
        return selected(values, number)

    def _tuple(self, type_: Tuple, hint: str, suffix: str, targets: list[str]) -> Item:
        """A tuple, a NamedTuple, or an object of the user's class."""
        names, cls = type_.names, type_.cls
        labels = names or tuple(str(k) for k in range(len(type_.items)))
        inner = [
            self.made(item, f"{hint}_{label}".lstrip("_"), suffix, targets)
            for item, label in zip(type_.items, labels, strict=True)
        ]
        if names is None:
            return tuple_group(inner)
        if _is_users(type_):
            values = [f"{n}={v}" for n, v in zip(names, inner, strict=True)]
            return Group(f"{self.use('instance')}(", (str(cls), *values), ")", compact=True)
        return Group(f"{cls}(", tuple(inner), ")", compact=True)

    def _texts(self, maker: str, name: str) -> Group:
        """The text, or texts, whose number or numbers ``name`` holds."""
        known = tuple(map(quoted, self.func.border.words))
        return Group(f"{self.use(maker)}(", (name, *known), ")", compact=True)

    def _record(self, type_: Tuple, hint: str, suffix: str, targets: list[str]) -> Item:
        """A dict, without the keys that the one that was given lacks."""
        values: list[Item] = []
        for key, item in zip(type_.names or (), type_.items, strict=True):
            label = flat(f"{hint}_{key}")
            if key in type_.optional and isinstance(item, OneOf):
                number = self.fresh(f"{label}_case")
                targets.append(number)
                value = self.made(item.options[0], label, suffix, targets)
                values.append(f"**({{{key_text(key)}: {value}}} if {number} == 0 else {{}})")
            else:
                values.append(f"{key_text(key)}: {self.made(item, label, suffix, targets)}")
        return Group("{", tuple(values), "}", compact=True)

    def _listed(self, item: Type, hint: str, suffix: str, targets: list[str]) -> Item:
        """A list of items, made of variables for arrays of their parts."""
        match item:
            case OneOf() if is_optional(item):
                return self._with_gaps(item, hint, suffix, targets)
            case OneOf(options=options):
                targets.append(self.fresh(hint))
                members = ", ".join(map(str, options))
                return f"[({members})[which] for which in {targets[-1]}]"
            case Scalar(is_text=True):
                targets.append(self.fresh(hint))
                return self._texts("texts_of", targets[-1])
            case Scalar(dtype=dtype):
                name = self.fresh(hint + suffix)
                targets.append(name)
                is_python = dtype in (DType.FLOAT64, DType.INT64, DType.COMPLEX128, DType.BOOL)
                return f"{name}.tolist()" if is_python else f"{self.use('list')}({name})"
            case Array() | List():
                return rows(item, hint, suffix, targets, self.fresh, self.use)
            case Tuple(items=items, names=names, cls=cls):
                labels = names or tuple(str(k) for k in range(len(items)))
                inner = [
                    self._listed(part, f"{hint}_{label}".lstrip("_"), suffix, targets)
                    for part, label in zip(items, labels, strict=True)
                ]
                if names is None:
                    return Group(f"{self.use('tuples_of')}(", tuple(inner), ")", compact=True)
                if item.is_record:
                    keys = ", ".join(map(key_text, labels))
                    head, cls = f"{self.use('dicts_of')}(", f"({keys},)"
                elif _is_users(item):
                    head = f"{self.use('objects_of')}("
                    inner = [f"{n}={v}" for n, v in zip(names, inner, strict=True)]
                else:
                    head = f"{self.use('instances_of')}("
                return Group(head, (str(cls), *inner), ")", compact=True)
            case NoneType():
                return "None"
            case _:
                raise AssertionError(f"lists do not hold {item}")

    def _with_gaps(self, item: OneOf, hint: str, suffix: str, targets: list[str]) -> Item:
        """A list of what may be None, made of variables for which are, and for the others."""
        targets.append(self.fresh(f"{hint}_case".lstrip("_")))
        which, none = targets[-1], str(item.options.index(NONE))
        values = self._listed(without_none(item), hint, suffix, targets)
        return Group(f"{self.use('some_of')}(", (which, values, none), ")", compact=True)

    def _rooted(
        self, item: Tuple, hint: str, suffix: str, targets: list[str], optional: bool
    ) -> Item:
        """The first of linked objects, made of variables for arrays of their parts."""
        held = list[Item]()
        for name, part in zip(item.names or (), item.items, strict=True):
            own = "" if name in item.links else suffix
            found = self._listed(part, f"{hint}_{name}".lstrip("_"), own, targets)
            held.append(f"{name}={found}")
        links = f"({', '.join(map(quoted, item.links))}{',' * (len(item.links) == 1)})"
        head = f"{self.use('root_or_none' if optional else 'root_of')}("
        return Group(head, (str(item.cls), links, *held), ")", compact=True)

    def fresh(self, hint: str) -> str:
        first = hint if hint.isidentifier() else f"item{hint}"
        name, number = first, 2
        while name in self.taken or name in RESERVED or keyword.iskeyword(name):
            name, number = f"{first}_{number}", number + 1
        self.taken.add(name)
        return name

    # ---- rebound fields -------------------------------------------------------------------------

    def _assigning(self) -> list[str]:
        """Give fields their last values; the residuals carry what they held before."""
        border, result = self.func.border, self.func.result
        reach = Reach.of(self.func, self.use)
        assert isinstance(result, Tuple)
        y, _, other, *_ = result.items
        head, value = self.apart(y, "value")
        finals = [self.apart(r.type, r.label) for r in border.rebound]
        rest, derived = self.apart(other, "residuals" if residuals_name(other) else "y_dot")
        dots = [self.apart(r.type, f"{r.label}_dot") for r in border.tangents]
        groups = [tuple_group([t for t, _ in group]) for group in (finals, dots) if group]
        target = tuple_group([head, groups[0], rest, *groups[1:]])
        lines = [*self._checks(), *assigned(target, self._call(self._args()))]
        if residuals_name(other):
            before = self.fresh("before")
            held = [reach.value(path, type_) for path, type_ in border.holders]
            held += [as_before(reach, r) for r in border.rebound]
            lines += layout(f"{before} = ", tuple_group(held), "", 1)
            derived = tuple_group([derived, before])
        made = list(assignments(reach, border.rebound, [v for _, v in finals]))
        for one, (_, dot) in zip(border.tangents, dots, strict=True):
            if one.is_column or one.in_place or one.is_dict:
                made += assignments(reach, [one], [dot])
                continue
            name = one.place.lstrip(".")
            call = Group(f"{self.use('assign')}(", (one.holder, quoted(name), dot), ")")
            made.append((reach.tests(one.path), "", call, ""))
        by_path = {r.path: (r, value) for r, (_, value) in zip(border.rebound, finals, strict=True)}
        for holder, path in border.alike:
            one, links = by_path[path]
            made += assignments(reach, [replace(one, path=f"{holder}{one.place}")], [links])
        return [*lines, *guarded(made), *_returned(tuple_group([value, derived]))]

    def _restoring(self) -> list[str]:
        """Give fields back what they held before."""
        border, (residuals, *_) = self.func.border, self.func.params
        inner = self.fresh("inner")
        names = {path: self.fresh(flat(path)) for path, _ in border.holders}
        before = {
            r.path: self.fresh(flat(r.path.replace(CONTENT, "_items"))) for r in border.rebound
        }
        target = tuple_group([inner, tuple_group([*names.values(), *before.values()])])
        reach = Reach({names[path]: type_ for path, type_ in border.holders}, self.use)
        args = [inner if a == residuals.name else a for a in self._args()]
        head, value = self.apart(self.func.result, "slots")
        held = [replace(r, path=f"{names[r.holder]}{r.place}") for r in border.rebound]
        return [
            *assigned(target, residuals.name),
            *assigned(head, self._call(args)),
            *guarded(assignments(reach, held, list(before.values()))),
            *_returned(value),
        ]


def _is_users(type_: Tuple) -> bool:
    """True for an object of a class of the user's, which is made without its ``__init__``."""
    return type_.is_object and type_.of is not None and type_.of.kind is not StructKind.DERIVED


def _suffix(type_: Type) -> str:
    """The ending of the names of the parts of a gradient or tangent."""
    if isinstance(type_, List):
        return _suffix(type_.item)
    if not isinstance(type_, Tuple):
        return "_bar"
    if type_.of is not None and type_.of.kind not in (StructKind.DERIVED, StructKind.RECORD):
        return ""
    return "_dot" if type_.direction is Direction.TANGENT else "_bar"


def _of_item(hint: str, k: int) -> str:
    return hint if k == 0 else f"{hint}_{k}"


def _returned(value: Item) -> list[str]:
    return layout("return ", value, "", 1, bare=True)
