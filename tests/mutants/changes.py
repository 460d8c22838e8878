"""Changes of a program at random: programs that nobody would write, most of them wrong."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from random import Random
from textwrap import indent

from tests.mutants.texts import with_lines_changed, with_tokens_changed

BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod, ast.MatMult,
          ast.BitAnd, ast.BitOr, ast.LShift)  # fmt: skip
COMPARED = (ast.Lt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.In, ast.NotIn)
UNARY = (ast.USub, ast.Not, ast.Invert, ast.UAdd)
CONSTANTS = (0, 1, -1, 3, 0.0, 2.5, True, None, "text", "", 1j, 10**30, float("inf"), ..., b"x")
EXPRESSIONS = (
    "()", "[]", "{}", "{1: 2.0}", "(1, 2.0)", "[0.5]", "lambda v: v", "np", "np.sin", "x[0]",
    "len", "print", "range(3)", "x[::-1]", "np.zeros(3)", "np.ones((2, 0))", "[v for v in (1, 2)]",
    "f'{1}'", "(yield)", "x if x else 0", "(w := 2.0)", "not_known", "self", "super()", "*x",
    "__name__", "x.shape", "np.array([1.0, 2.0])", "type(x)", "np.nan", "{1, 2}",
)  # fmt: skip
STATEMENTS = (
    "pass", "return", "return 1.0", "break", "continue", "x += 1", "x[0] = 2.0", "del x", "x = x",
    "raise", "raise ValueError('no')", "assert x", "global x", "nonlocal x", "import math",
    "x, y = y, x", "for x in x: pass", "while True: break", "with x: pass", "x: float",
    "try: x = 1.0\nexcept ValueError: pass", "def x(v): return v", "class x: pass",
    "if x: x = (x, x)", "x = None", "x.a = 1.0", "match x:\n    case [y, *z]: x = y",
)  # fmt: skip

Change = Callable[[ast.Module, Random], None]


def mutant(source: str, seed: int) -> str:
    """``source`` with one to four changes: of its tree, or one in three times of its text."""
    random = Random(seed)
    count = random.choice((1, 1, 2, 4))
    if random.random() < 1 / 3:
        change = random.choice((with_tokens_changed, with_lines_changed))
        for _ in range(count):
            source = change(source, random)
        return source
    tree = ast.parse(source)
    for _ in range(count):
        random.choice(CHANGES)(tree, random)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _functions(tree: ast.Module) -> list[ast.AST]:
    """The functions and classes at module level, changes elsewhere say little."""
    return [stmt for stmt in tree.body if isinstance(stmt, ast.FunctionDef | ast.ClassDef)]


def _nodes(tree: ast.Module, *kinds: type[ast.AST]) -> list[ast.AST]:
    inside = (node for function in _functions(tree) for node in ast.walk(function))
    return [node for node in inside if isinstance(node, kinds)]


def _blocks(tree: ast.Module) -> list[list[ast.stmt]]:
    nodes = [*_nodes(tree, ast.AST)]
    found = [getattr(node, name, None) for node in nodes for name in ("body", "orelse")]
    return [block for block in found if isinstance(block, list) and block]


def _drop(tree: ast.Module, random: Random) -> None:
    block = random.choice(_blocks(tree))
    if len(block) > 1:
        del block[random.randrange(len(block))]


def _double(tree: ast.Module, random: Random) -> None:
    block = random.choice(_blocks(tree))
    stmt = copy.deepcopy(random.choice(block))
    block.insert(random.randrange(len(block) + 1), stmt)


def _move(tree: ast.Module, random: Random) -> None:
    """A statement to another block."""
    source, target = random.choice(_blocks(tree)), random.choice(_blocks(tree))
    stmt = copy.deepcopy(random.choice(source))
    target.insert(random.randrange(len(target) + 1), stmt)


def _swap(tree: ast.Module, random: Random) -> None:
    block = random.choice(_blocks(tree))
    random.shuffle(block)


def _wrap(tree: ast.Module, random: Random) -> None:
    """A statement in a loop, branch or try."""
    block = random.choice(_blocks(tree))
    k = random.randrange(len(block))
    heads = ("for k in range(3): pass", "if x: pass", "while x: pass", "with x: pass",
             "try: pass\nexcept: pass", "def inner(): pass")  # fmt: skip
    around = ast.parse(random.choice(heads)).body[0]
    around.body = [block[k]]  # type: ignore[attr-defined]
    block[k] = around


def _add(tree: ast.Module, random: Random) -> None:
    block = random.choice(_blocks(tree))
    text = indent(random.choice(STATEMENTS), "    ")
    (new,) = ast.parse(f"def f():\n{text}").body[0].body  # type: ignore[attr-defined]
    _with_names(new, tree, random)
    block.insert(random.randrange(len(block) + 1), new)


def _operator(tree: ast.Module, random: Random) -> None:
    node = _one(_nodes(tree, ast.BinOp, ast.AugAssign, ast.Compare, ast.UnaryOp), random)
    match node:
        case ast.BinOp() | ast.AugAssign():
            node.op = random.choice(BINARY)()
        case ast.Compare():
            node.ops[0] = random.choice(COMPARED)()
        case ast.UnaryOp():
            node.op = random.choice(UNARY)()
        case _:
            pass


def _constant(tree: ast.Module, random: Random) -> None:
    node = _one(_nodes(tree, ast.Constant), random)
    if isinstance(node, ast.Constant):
        node.value = random.choice(CONSTANTS)


def _name(tree: ast.Module, random: Random) -> None:
    names = _nodes(tree, ast.Name)
    node, other = _one(names, random), _one(names, random)
    if isinstance(node, ast.Name) and isinstance(other, ast.Name):
        node.id = other.id


def _attribute(tree: ast.Module, random: Random) -> None:
    found = _nodes(tree, ast.Attribute)
    node, other = _one(found, random), _one(found, random)
    if isinstance(node, ast.Attribute) and isinstance(other, ast.Attribute):
        node.attr = other.attr


def _annotation(tree: ast.Module, random: Random) -> None:
    found = _nodes(tree, ast.arg)
    node, other = _one(found, random), _one(found, random)
    if isinstance(node, ast.arg) and isinstance(other, ast.arg):
        texts = ("int", "bool", "complex", "None", "float | None", "list[float]", "str", "object")
        chosen = ast.parse(random.choice(texts), mode="eval").body
        node.annotation = random.choice((other.annotation, chosen))


def _expression(tree: ast.Module, random: Random) -> None:
    """An expression in the place of another: one of the program, or one of ``EXPRESSIONS``."""
    places = [
        (node, name, k)
        for node in _nodes(tree, ast.AST)
        for name, value in ast.iter_fields(node)
        for k, part in enumerate(value if isinstance(value, list) else [value])
        if isinstance(part, ast.expr) and isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
    ]
    if not places:
        return
    node, name, k = random.choice(places)
    new = ast.parse(f"[{random.choice(EXPRESSIONS)}]", mode="eval").body.elts[0]  # type: ignore[attr-defined]
    _with_names(new, tree, random)
    if random.random() < 0.5:
        other, field, index = random.choice(places)
        value = getattr(other, field)
        new = copy.deepcopy(value[index] if isinstance(value, list) else value)
    value = getattr(node, name)
    if isinstance(value, list):
        value[k] = new
    else:
        setattr(node, name, new)


def _arguments(tree: ast.Module, random: Random) -> None:
    call = _one(_nodes(tree, ast.Call), random)
    if not isinstance(call, ast.Call):
        return
    if call.args and random.random() < 0.5:
        del call.args[random.randrange(len(call.args))]
    else:
        call.args.append(ast.Constant(random.choice(CONSTANTS)))


def _with_names(node: ast.AST, tree: ast.Module, random: Random) -> None:
    """Let ``x`` and ``y`` in ``node`` be names of the program."""
    names = [one.id for one in _nodes(tree, ast.Name) if isinstance(one, ast.Name)]
    chosen = {name: random.choice(names) if names else name for name in "xy"}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            inner.id = chosen.get(inner.id, inner.id)


def _one(nodes: Sequence[ast.AST], random: Random) -> ast.AST | None:
    return random.choice(nodes) if nodes else None


CHANGES: tuple[Change, ...] = (
    _drop, _double, _move, _swap, _wrap, _add, _operator, _constant, _name, _attribute,
    _annotation, _expression, _expression, _arguments,
)  # fmt: skip
