"""Dicts whose keys are known, looked up by a key that is not: it is compared with each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.container import dicts, missing_keys, recorded, searched
from mooncake_transpiler.frontend.lower.failure import failing, optional
from mooncake_transpiler.frontend.lower.instance import record_rows
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.scalar import kinds, run_texts, scalars, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, constant, is_scalar
from mooncake_transpiler.frontend.lower.state import passed_text
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe, is_sequence
from mooncake_transpiler.frontend.lower.state.operands import (
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.tabled import KeysNeeded
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL

Places = Mapping[str, ir.Atom]  # for each key that it may be, by name: a bool, that it is this one


def item(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> Operand:
    """``ref[key]``; a KeyError, or a new item, where there is no such key."""
    if (record := recorded.content(ctx, ref)) is not None:
        there, value = recorded.found(ctx, node, record, key)
        assert isinstance(key, Static)
        if there != TRUE:
            missing_keys.fail_if(ctx, node, ctx.builder.not_(there), str(key.value))
        return value
    if (pairs := containers.pairs(ctx, ref)) is not None:
        return searched.item(ctx, node, ref, pairs, key)
    if not is_open(ctx, key):
        if ref.key in ctx.heap.factories and not dicts.has(ctx, node, ref, key):
            new = ctx.lower.call(ctx, cst.Call(cst.Name("_")), ctx.heap.factories[ref.key])
            dicts.write(ctx, node, ref, key, new)
        return dicts.item(ctx, node, ref, key)
    if searched.may_make(ctx, ref):
        raise _keys_needed(ctx, node, ref, key)
    held = dicts.mapping(ctx, node, ref)
    if isinstance(key, Maybe) and dicts.NONE not in held:
        return item(ctx, node, ref, optional.present(ctx, node, key, dicts.NONE, "KeyError"))
    found = _places(ctx, node, held, key)
    _require(ctx, node, ref, key, found)
    if not found:
        return next(iter(held.values()))  # which nobody sees: a KeyError was raised
    *others, last = found
    return _chosen(ctx, node, held, [(found[name], name) for name in others], lambda: held[last])


def get(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, default: Operand) -> Operand:
    """``ref.get(key, default)``."""
    if (record := recorded.content(ctx, ref)) is not None:
        there, value = recorded.found(ctx, node, record, key)
        if there == TRUE:
            return value
        return branches.choose(ctx, node, there, _given(value), _given(default), "")
    if (pairs := containers.pairs(ctx, ref)) is not None:
        return searched.get(ctx, node, pairs, key, default)
    held = dicts.mapping(ctx, node, ref)
    if not is_open(ctx, key):
        name = dicts.place(ctx, node, held, dicts.name_of(ctx, node, key))
        return held.get(name, default)
    found = _places(ctx, node, held, key)
    tests = [(cond, name) for name, cond in found.items()]
    return _chosen(ctx, node, held, tests, lambda: default)


def has(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> ir.Atom:
    """``key in ref``."""
    if (record := recorded.content(ctx, ref)) is not None:
        return recorded.found(ctx, node, record, key)[0]
    if (pairs := containers.pairs(ctx, ref)) is not None:
        return searched.has(ctx, node, pairs, key)
    if not is_open(ctx, key):
        return constant(dicts.has(ctx, node, ref, key))
    found = _places(ctx, node, dicts.mapping(ctx, node, ref), key)
    return kinds.as_kind(ctx, failing.any_of(ctx, *found.values()), Kind.PYTHON)


def write(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, value: Operand) -> None:
    """``ref[key] = value``."""
    if (pairs := containers.pairs(ctx, ref)) is not None:
        searched.write(ctx, node, pairs, key, value)
        return
    if not is_open(ctx, key):
        dicts.write(ctx, node, ref, key, value)
        return
    held = dicts.mapping(ctx, node, ref)
    if not _is_there(ctx, node, held, key):
        raise _keys_needed(ctx, node, ref, key)
    found = _places(ctx, node, held, key)
    for name, cond in found.items():
        old = held[name]
        if is_scalar(old) and is_scalar(value):
            held[name] = scalars.select(ctx, cond, value, old)
        else:
            held[name] = branches.choose(ctx, node, cond, lambda: value, _given(old), "")
    replacing.replaced(ctx, node, ref, replacing.dict_content(held))


def remove(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> Operand:
    """``del ref[key]``; the value that it had."""
    if (pairs := containers.pairs(ctx, ref)) is not None:
        return searched.remove(ctx, node, pairs, key)
    _check_known(ctx, node, ref, key)
    return dicts.remove(ctx, node, ref, key)


def take(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, default: Operand) -> Operand:
    """``ref.pop(key, default)``."""
    if (pairs := containers.pairs(ctx, ref)) is not None:
        return searched.take(ctx, node, pairs, key, default)
    _check_known(ctx, node, ref, key)
    there = dicts.has(ctx, node, ref, key)
    return dicts.remove(ctx, node, ref, key) if there else default


def set_default(
    ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, default: Operand
) -> Operand:
    """``ref.setdefault(key, default)``."""
    if (pairs := containers.pairs(ctx, ref)) is not None:
        return searched.get_or_put(ctx, node, pairs, key, default)
    _check_known(ctx, node, ref, key)
    if not dicts.has(ctx, node, ref, key):
        dicts.write(ctx, node, ref, key, default)
    return dicts.item(ctx, node, ref, key)


def _check_known(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> None:
    if is_open(ctx, key):
        raise _keys_needed(ctx, node, ref, key)


def made(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], hint: str = "") -> Operand:
    """The dict that the expression ``node`` makes, with keys that are known from here on."""
    return record_rows.made(ctx, node, held, hint) or new(ctx, node, held, hint)


def new(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], hint: str = "") -> Ref:
    """The dict that the expression ``node`` makes."""
    if node in ctx.heap.plan.searched:
        ref = searched.made(ctx, node, held, hint)
    else:
        ref = replacing.new_dict(ctx, held, hint)
    ctx.heap.made_at[ref.key] = node
    return ref


def _keys_needed(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> Exception:
    """The reason why ``ref``, which gets the new ``key``, must be searched; or a refusal."""
    message = f"the keys of a dict must be known ahead of time, got {describe(key)}"
    refusal = ctx.unroll(node, "MK333", message, searched.KEYS_HELP)
    made_at = ctx.heap.made_at.get(ref.key)
    is_plain = searched.is_key(ctx, key) and ref.key not in ctx.heap.ambiguous
    if ctx.unrollable or made_at is None or not is_plain:
        return refusal
    return KeysNeeded(made_at, refusal)


def _given(operand: Operand) -> Callable[[], Operand]:
    return lambda: operand


def _chosen(
    ctx: Context,
    node: cst.CSTNode,
    held: Mapping[str, Operand],
    tests: Sequence[tuple[ir.Atom, str]],
    last: Callable[[], Operand],
) -> Operand:
    """The item of the first key whose test holds; ``last`` if none does."""
    if not tests:
        return last()
    (cond, name), *others = tests
    rest = last if not others else lambda: _chosen(ctx, node, held, others, last)
    if isinstance(cond, ir.Const):
        return held[name] if cond.value else rest()
    return branches.choose(ctx, node, cond, lambda: held[name], rest, "")


def is_open(ctx: Context, key: Operand) -> bool:
    """True if the key is known only when the program runs."""
    if searched.is_frozen(ctx, key):
        return True
    match key:
        case Told() | Passed() | RunText() | Maybe():
            return True
        case Items(is_list=False, once=None, items=items) if is_sequence(key):
            return any(is_open(ctx, item_) for item_ in items)
        case _:
            return _is_number(key)


def _is_number(key: Operand) -> bool:
    """True for an integer or a bool of the run."""
    return (
        isinstance(key, ir.Value)
        and is_scalar(key)
        and (scalars.dtype(key).is_int or key.type == BOOL)
    )


def _places(
    ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], key: Operand
) -> dict[str, ir.Atom]:
    if ctx.unrollable:
        message = "the keys of a dict must be constants here"
        raise ctx.unroll(node, "MK333", message, "use the variable of a short loop")
    tests = {name: _is_key(ctx, node, name, key) for name in held}
    return {name: cond for name, cond in tests.items() if cond != constant(False)}


def _is_key(ctx: Context, node: cst.CSTNode, name: str, key: Operand) -> ir.Atom:
    """A bool: ``key`` is equal to the key of a dict that is called ``name``."""
    match key:
        case Maybe() if name == dicts.NONE:
            return optional.is_none(ctx, key)
        case Maybe(there=there, value=value):
            return scalars.conjunction(ctx, there, _is_key(ctx, node, name, value))
        case RunText(number=number):
            ctx.heap.asks_texts = True
            known = dicts.key_called(ctx, name)
            if (one := run_texts.as_one(known)) is None:
                return constant(False)
            return compute(ctx, node, "eq", (number, one.number))
        case Told():
            options = told_values.known(ctx, key)
            same = [_is_called(ctx, node, name, one) for one in options]
            return told_values.is_any(ctx, key, (k for k, is_same in enumerate(same) if is_same))
        case Passed() as passed:
            known = dicts.key_called(ctx, name)
            if isinstance(known, Static) and passed_text.is_not(passed, known.value):
                return constant(False)
            if isinstance(known, Static):
                message = f"{key.path} may be any value of type {key.spelled}"
                help_ = f'say which ones there are: {key.path}: Literal["a", "b"]'
                raise ctx.refuse(node, "MK363", message, help_)
            return constant(False)
        case Items(items=items):
            return _is_tuple(ctx, node, dicts.key_called(ctx, name), items)
        case Static():
            return constant(_is_called(ctx, node, name, key))
        case _:
            assert isinstance(key, ir.Value)
            known_value = dicts.value_of(ctx, node, name)
            if not isinstance(known_value, bool | int | float):
                return constant(False)
            return compute(ctx, node, "eq", (key, constant(known_value)))


def _is_called(ctx: Context, node: cst.CSTNode, name: str, key: Static) -> bool:
    """True if ``key``, which is known, is equal to the key of a dict that is called ``name``."""
    return dicts.place(ctx, node, {name: key}, dicts.name_of(ctx, node, key)) == name


def _is_tuple(ctx: Context, node: cst.CSTNode, known: Operand, items: Sequence[Operand]) -> ir.Atom:
    """A bool: ``known``, a key of a dict, is the tuple of ``items``."""
    if not isinstance(known, Items) or len(known.items) != len(items):
        return constant(False)
    pairs = ((dicts.name_of(ctx, node, a), b) for a, b in zip(known.items, items, strict=True))
    tests = [
        _is_key(ctx, node, name, item_) if is_open(ctx, item_)
        else constant(name == dicts.name_of(ctx, node, item_))
        for name, item_ in pairs
    ]  # fmt: skip
    return failing.all_of(ctx, *tests)


def _is_there(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], key: Operand) -> bool:
    """True if the dict has the key, whichever it is."""
    match key:
        case Maybe(value=value):
            return dicts.NONE in held and _is_there(ctx, node, held, value)
        case Static():
            return dicts.place(ctx, node, held, dicts.name_of(ctx, node, key)) in held
        case Told():
            names = [dicts.name_of(ctx, node, one) for one in told_values.known(ctx, key)]
            return all(dicts.place(ctx, node, held, name) in held for name in names)
        case ir.Value():
            known = (False, True) if key.type == BOOL else ctx.numbers.ranges.get(key)
            values = {dicts.value_of(ctx, node, name) for name in held}
            return known is not None and len(known) <= len(values) and values.issuperset(known)
        case _:
            return False


def _require(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, found: Places) -> None:
    """Raise a KeyError unless the key is one of those that were found."""
    held = dicts.mapping(ctx, node, ref)
    if _is_there(ctx, node, held, key):
        return
    if not held:
        raise _keys_needed(ctx, node, ref, key)
    match key:
        case Told():
            for k, one in enumerate(told_values.known(ctx, key)):
                name = dicts.name_of(ctx, node, one)
                if dicts.place(ctx, node, held, name) in held:
                    continue
                text = (
                    one.value
                    if isinstance(one.value, str)
                    else missing_keys.shown_member(ctx, node, one)
                )
                missing_keys.fail_if(ctx, node, told_values.is_number(ctx, key, k), text)
        case Passed():
            missing_keys.fail_for(ctx, node, key)
        case _:
            there = failing.any_of(ctx, *found.values())
            if isinstance(there, ir.Const):
                if not there.value:
                    raise ctx.refuse(node, "MK333", f"no key of this dict can be {describe(key)}")
                return
            missing_keys.fail_unless(ctx, node, there, key)
