"""Names for temporaries; functions under other names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mooncake_transpiler.ir.atoms import Atom, Value
from mooncake_transpiler.ir.functions import Func
from mooncake_transpiler.ir.nodes import Block, Call
from mooncake_transpiler.ir.rebuilding import fresh, rebound, substitution


def renamed(block: Block, hints: Mapping[Value, str]) -> Block:
    """``block`` with the values in ``hints``, which it binds, under these names."""
    env: dict[Value, Atom] = {}

    def bind(value: Value) -> Value:
        if value not in hints:
            return value
        named = env[value] = Value(hints[value], value.type)
        return named

    return rebound(block, substitution(env), bind) if hints else block


def calling_only(func: Func, name: str) -> Func:
    """``func`` with a call of the function ``name``, which takes and returns the same, as body."""
    params = tuple(replace(p, leaves=tuple(map(fresh, p.leaves))) for p in func.params)
    outs = tuple(Value("", atom.type) for atom in func.body.yields)
    args = tuple(leaf for param in params for leaf in param.leaves)
    return replace(func, params=params, body=Block((Call(outs, name, args, func.origin),), outs))
