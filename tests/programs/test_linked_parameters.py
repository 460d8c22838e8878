"""Parameters of classes that refer to themselves: what comes back, and what is refused."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text, transpiled

HEAD = """
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass
class Node:
    value: float
    count: int = 0
    label: str = "a"
    next: Optional["Node"] = None


class Tree:
    def __init__(self, x: float, left: Tree | None = None, right: Tree | None = None) -> None:
        self.x = x
        self.left = left
        self.right = right


class Station:
    def __init__(self, x: float) -> None:
        self.x = x
        self.back: Station | None = None
        self.on: Station | None = None


@dataclass
class Part:
    pos: Vector
    next: Part | None = None


@dataclass
class Stack:
    top: Node | None
    scale: float
"""
PROGRAM = """
def squares(n: Optional[Node], a: float) -> float:
    s = 0.0
    while n is not None:
        s += a * n.value**2
        n = n.next
    return s


def scaled(n: Node | None, f: float) -> float:
    at = n
    while at is not None:
        at.value *= f
        at.count += 1
        at = at.next
    s = 0.0
    while n is not None:
        s += n.value**2
        n = n.next
    return s


def leaf_sum(root: Tree) -> float:
    s, stack = 0.0, [root]
    while stack:
        t = stack.pop()
        s += t.x**2
        for other in (t.left, t.right):
            if other is not None:
                stack.append(other)
    return s


def there_and_back(s: Station, n: int) -> float:
    total, at = 0.0, s
    for _ in range(n):
        if at.on is None:
            break
        at = at.on
        total += at.x * s.x
    while at.back is not None:
        at = at.back
        total = total * 0.5 + at.x
    return total


def around(s: Station) -> float:
    total, at = s.x, s.on
    while at is not None and at is not s:
        total = 0.5 * total + at.x**2
        at = at.on
    return total


def stretched(p: Part | None, f: float) -> float:
    at = p
    while at is not None:
        at.pos *= f
        at = at.next
    s = 0.0
    while p is not None:
        s += np.sum(p.pos**2)
        p = p.next
    return s


def of_stack(stack: Stack | None, x: float) -> float:
    if stack is None:
        return x
    s, n = 0.0, stack.top
    while n is not None:
        n.value += x
        s += stack.scale * n.value
        n = n.next
    return s


def products(a: Node | None, b: Node | None) -> float:
    s = 0.0
    while a is not None and b is not None:
        a.value *= 2.0
        s += a.value * b.value
        a, b = a.next, b.next
    return s


def raises(n: Node) -> float:
    return n.value / n.next.next.value
"""


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(HEAD + PROGRAM)


@pytest.fixture(scope="module")
def compiled() -> Modules:
    return transpiled(HEAD + PROGRAM, jit=True)


def nodes(program: ModuleType, *values: float) -> Any:
    first = None
    for value in reversed(values):
        first = program.Node(value, next=first)
    return first


def values(node: Any, name: str = "value") -> list[float]:
    found = []
    while node is not None:
        found.append(getattr(node, name))
        node = node.next
    return found


def circle(program: ModuleType, *xs: float) -> Any:
    stations = [program.Station(x) for x in xs]
    for k, one in enumerate(stations):
        one.on = stations[(k + 1) % len(stations)]
        one.on.back = one
    return stations[0]


def test_gradient_is_linked_as_the_argument(modules: Modules) -> None:
    program, generated = modules
    value, (bar, a_bar) = generated.squares_value_and_grad(nodes(program, 1.0, 2.0, 3.0), 0.5)
    assert value == 7.0
    assert a_bar == 14.0
    assert values(bar) == [1.0, 2.0, 3.0]
    assert bar.count is None
    assert bar.label is None


def test_none_has_no_gradient(modules: Modules) -> None:
    value, (bar, a_bar) = modules[1].squares_value_and_grad(None, 0.5)
    assert (value, bar, a_bar) == (0.0, None, 0.0)


def test_objects_that_are_shared_have_one_gradient(modules: Modules) -> None:
    program, generated = modules
    shared = program.Tree(3.0)
    bar = generated.leaf_sum_grad(program.Tree(1.0, shared, program.Tree(2.0, None, shared)))
    assert bar.left is bar.right.right
    assert (bar.x, bar.left.x, bar.right.x) == (2.0, 12.0, 4.0)  # it is visited twice
    assert bar.right.left is None


def test_circles(modules: Modules) -> None:
    program, generated = modules
    start = circle(program, 1.0, 2.0, 3.0)
    value, bar = generated.around_value_and_grad(start)
    assert value == program.around(start) == 0.5 * (0.5 + 4.0) + 9.0
    assert bar.on.on.on is bar
    assert bar.back is bar.on.on
    assert (bar.x, bar.on.x, bar.on.on.x) == (0.25, 2.0, 6.0)


def test_lists_with_links_in_both_directions(modules: Modules) -> None:
    program, generated = modules
    first, second, third = (program.Station(x) for x in (0.5, 2.0, 3.0))
    first.on, second.back, second.on, third.back = second, first, third, second
    value, bar = generated.there_and_back_value_and_grad(first, 5)
    assert value == program.there_and_back(first, 5)
    assert (bar.x, bar.on.x, bar.on.on.x) == (0.25 * 5.0 + 1.0, 0.25 * 0.5 + 0.5, 0.25 * 0.5)
    assert bar.on.back is bar


def test_assigned_fields_come_back(modules: Modules) -> None:
    program, generated = modules
    first = nodes(program, 1.0, 2.0)
    value, residuals = generated.scaled_fwd(first, 3.0)
    assert value == 45.0
    assert values(first) == [3.0, 6.0]
    assert values(first, "count") == [1, 1]
    first.next.next = program.Node(5.0)  # the residuals are about what was there
    bar, f_bar = generated.scaled_pullback(residuals, 1.0)
    assert values(bar) == [18.0, 36.0]
    assert f_bar == 30.0
    assert values(first) == [1.0, 2.0, 5.0]
    assert values(first, "count") == [0, 0, 0]


def test_gradients_leave_fields_as_they_were(modules: Modules) -> None:
    program, generated = modules
    first = nodes(program, 1.0, 2.0)
    value, grad = generated.scaled_value_and_grad(first, 3.0)
    assert (value, grad.f) == (45.0, 30.0)
    assert values(first) == [1.0, 2.0]


def test_tangents_are_linked_alike(modules: Modules) -> None:
    program, generated = modules
    first, dot = nodes(program, 1.0, 2.0), nodes(program, 0.5, -1.0)
    assert generated.squares_jvp(first, 2.0, dot, 0.0) == (10.0, 4.0 * (0.5 - 2.0))
    bar = generated.squares_grad(first, 1.0).n
    assert generated.squares_jvp(first, 1.0, bar, 1.0) == (5.0, 2.0 * (2.0 + 8.0) + 5.0)
    assert generated.squares_jvp(None, 1.0, None, 1.0) == (0.0, 0.0)
    value, tangent = generated.scaled_jvp(first, 3.0, dot, 1.0)
    assert value == 45.0
    assert tangent == pytest.approx(18.0 * 0.5 + 36.0 * -1.0 + 30.0)
    assert values(first) == [3.0, 6.0]
    assert values(dot) == [1.0 + 1.5, 2.0 - 3.0]


def test_tangents_of_another_shape(modules: Modules) -> None:
    program, generated = modules
    first = nodes(program, 1.0, 2.0)
    for dot in (None, nodes(program, 1.0), nodes(program, 1.0, 2.0, 3.0)):
        with pytest.raises(ValueError, match=r"n_dot\.value must have the shape of n\.value"):
            generated.squares_jvp(first, 1.0, dot, 0.0)
    tree = program.Tree(1.0, program.Tree(2.0))
    with pytest.raises(ValueError, match=r"root_dot\.left must be that of root\.left"):
        generated.leaf_sum_jvp(tree, program.Tree(1.0, None, program.Tree(2.0)))


def test_arrays_in_objects_are_changed_in_place(modules: Modules) -> None:
    program, generated = modules
    first = program.Part(np.array([1.0, 2.0]), program.Part(np.array([3.0])))
    held = first.pos
    value, residuals = generated.stretched_fwd(first, 2.0)
    assert value == 56.0
    assert first.pos is held
    assert held.tolist() == [2.0, 4.0]
    bar, f_bar = generated.stretched_pullback(residuals, 1.0)
    assert held.tolist() == [1.0, 2.0]
    assert bar.pos.tolist() == [8.0, 16.0]
    assert bar.next.pos.tolist() == [24.0]
    assert f_bar == 56.0


def test_objects_in_fields(modules: Modules) -> None:
    program, generated = modules
    stack = program.Stack(nodes(program, 1.0, 2.0), 3.0)
    value, (bar, x_bar) = generated.of_stack_value_and_grad(stack, 0.5)
    assert value == 12.0
    assert values(bar.top) == [3.0, 3.0]
    assert (bar.scale, x_bar) == (4.0, 6.0)
    assert generated.of_stack_value_and_grad(None, 0.5) == (0.5, (None, 1.0))
    _, (empty, _) = generated.of_stack_value_and_grad(program.Stack(None, 3.0), 0.5)
    assert empty.top is None
    generated.of_stack_fwd(stack, 0.5)
    assert values(stack.top) == [1.5, 2.5]


def test_two_parameters_of_one_class(modules: Modules) -> None:
    program, generated = modules
    a, b = nodes(program, 1.0, 2.0, 3.0), nodes(program, 4.0, 5.0)
    value, (a_bar, b_bar) = generated.products_value_and_grad(a, b)
    assert value == 2.0 * (4.0 + 10.0)
    assert values(a_bar) == [8.0, 10.0, 0.0]
    assert values(b_bar) == [2.0, 4.0]
    generated.products_fwd(a, b)
    assert values(a) == [2.0, 4.0, 3.0]
    assert values(b) == [4.0, 5.0]
    with pytest.raises(ValueError, match="parameters a and b share objects"):
        generated.products_grad(a, a.next)


def test_long_lists(modules: Modules) -> None:
    program, generated = modules
    value, grad = generated.squares_value_and_grad(nodes(program, *np.ones(20_000)), 1.0)
    assert value == 20_000.0
    assert set(values(grad.n)) == {2.0}


WRONG = {
    "number": (lambda p: 3.0, r"'n' must be a Node, got float"),
    "inside": (lambda p: p.Node(1.0, next=p.Node(1.0, next=2)), r"'n.next.next' must be a Node"),
    "field": (lambda p: p.Node("a"), r"n \(object 0\).value: expected float64, got str"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments(modules: Modules, case: str) -> None:
    program, generated = modules
    make, message = WRONG[case]
    with pytest.raises(TypeError, match=message):
        generated.squares_grad(make(program), 1.0)


def test_none_where_there_must_be_an_object(modules: Modules) -> None:
    program, generated = modules
    with pytest.raises(TypeError, match="'root' must be a Tree, got NoneType"):
        generated.leaf_sum_grad(None)
    with pytest.raises(AttributeError, match="no attribute 'next'"):
        generated.raises_grad(program.Node(1.0))


def test_compiled(compiled: Modules) -> None:
    program, generated = compiled
    value, grad = generated.scaled_value_and_grad(nodes(program, 1.0, 2.0), 3.0)
    assert (value, grad.f) == (45.0, 30.0)
    assert values(grad.n) == [18.0, 36.0]
    assert generated.squares_jvp(None, 1.0, None, 1.0) == (0.0, 0.0)
    assert generated.around_grad(circle(program, 1.0, 2.0, 3.0)).on.on.x == 6.0


HVP = """
# mooncake: modes=hvp
def cubes(n: Node | None) -> float:
    s = 0.0
    while n is not None:
        s += n.value**3
        n = n.next
    return s
"""


def test_hessian_times_a_direction() -> None:
    program, generated = transpiled(HEAD + HVP)
    bar, product = generated.cubes_hvp(nodes(program, 1.0, 2.0), nodes(program, 1.0, 0.5))
    assert values(bar) == [3.0, 12.0]
    assert values(product) == [6.0, 6.0]


OPEN_RANKS = """
@dataclass
class Layer:
    weights: np.ndarray
    shift: np.ndarray
    above: Layer | None = None


def output(layer: Layer | None, x: float) -> float:
    s = x
    while layer is not None:
        s = np.tanh(layer.weights[0, 1] * s + np.sum(layer.shift))
        layer = layer.above
    return s
"""


def test_ranks_that_the_body_tells() -> None:
    program, generated = transpiled(HEAD + OPEN_RANKS)
    below = program.Layer(np.ones((2, 2)), np.zeros(3), program.Layer(np.ones((3, 2)), np.ones(1)))
    bar = generated.output_grad(below, 0.5).layer
    assert np.count_nonzero(bar.weights) == 1
    assert bar.above.shift.shape == (1,)


NOT_ANNOTATED = """
class Item:
    def __init__(self, x: float, more=None):
        self.x = x
        self.more = more
        self.other = None


def in_both(i: Item, w: float) -> float:
    s = 0.0
    while i is not None:
        s += w * i.x
        i = i.more if i.x > 0.0 else i.other
    return s


def followed(i: Item) -> float:
    s = 0.0
    while i is not None:
        s += i.x
        i, more = i.more, i.more
    while more is not None:
        more = more.other
    return s
"""


def test_links_that_are_not_annotated() -> None:
    program, generated = transpiled(HEAD + NOT_ANNOTATED)
    value, grad = generated.in_both_value_and_grad(program.Item(1.0, program.Item(-2.0)), 3.0)
    assert value == -3.0
    assert (grad.i.x, grad.i.more.x, grad.i.other) == (3.0, 3.0, None)


MANY = """
@dataclass
class Joint:
    x: float
    others: list[Joint]
    up: Joint | None = None


def reached(joint: Joint, a: float) -> float:
    s, waiting = 0.0, [joint]
    while waiting:
        j = waiting.pop()
        s = a * s + j.x**2
        waiting.extend(j.others)
    return s


def halved(joint: Joint) -> float:
    for j in joint.others:
        j.x *= 0.5
        if j.up is not None:
            j.up.x += j.x
    return joint.x


def replaced(joint: Joint, x: float) -> float:
    if x > 1.0:
        joint.others[0] = joint
    return joint.others[0].x * x


def by_levels(joint: Joint, a: float) -> float:
    s, level = 0.0, [joint]
    while level:
        below = []
        for j in level:
            s += a * j.x
            for other in j.others:
                below.append(other)
        level, a = below, a * a
    return s
"""


@pytest.fixture(scope="module")
def joints() -> Modules:
    return transpiled(HEAD + MANY)


def tree(program: ModuleType) -> Any:
    tip = program.Joint(3.0, [])
    root = program.Joint(1.0, [program.Joint(2.0, [tip]), program.Joint(4.0, [])])
    tip.up = root
    return root


def test_lists_of_objects(joints: Modules) -> None:
    program, generated = joints
    root = tree(program)
    value, grad = generated.reached_value_and_grad(root, 0.5)
    assert value == program.reached(root, 0.5)
    bar = grad.joint
    assert [other.x for other in bar.others] == [0.5 * 4.0, 0.25 * 8.0]
    assert bar.others[0].others[0].x == 6.0
    assert bar.others[0].others[0].up is bar
    assert bar.others[1].others == []
    _, tangent = generated.reached_jvp(root, 0.5, bar, 0.0)
    assert tangent == bar.x**2 + 2.0**2 + 2.0**2 + 6.0**2
    first, second = program.Joint(1.0, []), program.Joint(1.0, [program.Joint(1.0, [])])
    with pytest.raises(ValueError, match=r"joint_dot\.others must have the shape of joint\.others"):
        generated.reached_jvp(root, 0.5, program.Joint(1.0, [first, second]), 0.0)


def test_lists_of_objects_that_are_assigned(joints: Modules) -> None:
    program, generated = joints
    root = tree(program)
    root.others[0].up = root
    value, residuals = generated.halved_fwd(root)
    assert value == 1.0 + 1.0
    assert [other.x for other in root.others] == [1.0, 2.0]
    (bar,) = generated.halved_pullback(residuals, 1.0)
    assert (bar.x, [other.x for other in bar.others]) == (1.0, [0.5, 0.0])
    assert root.x == 1.0


def test_lists_of_objects_that_the_function_makes(joints: Modules) -> None:
    program, generated = joints
    value, grad = generated.by_levels_value_and_grad(tree(program), 0.5)
    assert value == 0.5 + 0.25 * 6.0 + 0.0625 * 3.0
    assert grad.joint.others[0].others[0].x == 0.0625


def test_lists_of_objects_stay_as_they_are(joints: Modules) -> None:
    program, generated = joints
    root = tree(program)
    assert generated.replaced_grad(root, 0.5).x == 2.0
    with pytest.raises(ValueError, match="parameter joint: lists of its objects are changed"):
        generated.replaced_grad(root, 2.0)


RELINKED = """
def turned(n: Node | None, a: float) -> float:
    before = None
    while n is not None:
        n.next, before, n = before, n, n.next
    s, k = 0.0, 1.0
    while before is not None:
        s += k * before.value**2
        before, k = before.next, k * a
    return s


def with_another(n: Node, a: float) -> float:
    if a > 1.0:
        n.next = Node(a, 0, "b", n.next)
    return n.next.value * a


def built(n: Node | None, a: float) -> float:
    first = last = Node(a)
    while n is not None:
        last.next = Node(n.value * a)
        last = last.next
        n = n.next
    s = 0.0
    at: Node | None = first
    while at is not None:
        s = 0.5 * s + at.value
        at = at.next
    return s


def cut(a: Node, b: Node) -> float:
    if b.next is not None:
        b.next = b.next.next
    return a.value * b.value
"""


@pytest.fixture(scope="module")
def relinked() -> Modules:
    return transpiled(HEAD + RELINKED)


def test_links_are_assigned(relinked: Modules) -> None:
    program, generated = relinked
    first = nodes(program, 1.0, 2.0, 3.0)
    last = first.next.next
    value, residuals = generated.turned_fwd(first, 0.5)
    assert value == 9.0 + 2.0 + 0.25
    assert values(last) == [3.0, 2.0, 1.0]
    bar, a_bar = generated.turned_pullback(residuals, 1.0)
    assert values(bar) == [0.5, 2.0, 6.0]
    assert a_bar == 4.0 + 2 * 0.5
    assert values(first) == [1.0, 2.0, 3.0]
    assert values(generated.turned_grad(first, 0.5).n) == [0.5, 2.0, 6.0]
    assert values(first) == [1.0, 2.0, 3.0]


def test_tangents_are_linked_as_what_they_belong_to(
    relinked: Modules,
) -> None:
    program, generated = relinked
    first, dot = nodes(program, 1.0, 2.0), nodes(program, 0.5, -1.0)
    last, last_dot = first.next, dot.next
    assert generated.turned_jvp(first, 0.5, dot, 0.0) == (4.5, -4.0 + 0.5)
    assert values(last) == [2.0, 1.0]
    assert values(last_dot) == [-1.0, 0.5]


def test_links_to_objects_that_the_function_makes(relinked: Modules) -> None:
    program, generated = relinked
    first = nodes(program, 1.0, 2.0)
    value, grad = generated.built_value_and_grad(first, 1.0)
    assert value == 0.25 + 0.5 + 2.0
    assert values(grad.n) == [0.5, 1.0]
    assert values(first) == [1.0, 2.0]
    assert generated.with_another_grad(first, 0.5).n.next.value == 0.5
    with pytest.raises(ValueError, match="'next' is assigned an object that is not reached"):
        generated.with_another_fwd(first, 2.0)
    assert values(first) == [1.0, 2.0]


def test_links_of_one_of_two(relinked: Modules) -> None:
    program, generated = relinked
    a, b = nodes(program, 1.0, 2.0), nodes(program, 3.0, 4.0, 5.0)
    assert generated.cut_fwd(a, b)[0] == 3.0
    assert (values(a), values(b)) == ([1.0, 2.0], [3.0, 5.0])


WRONG_LISTS = {
    "none": (lambda p: p.Joint(1.0, None), "'others' is no list"),
    "object": (lambda p: p.Joint(1.0, p.Joint(2.0, [])), "'others' is no list"),
    "item": (lambda p: p.Joint(1.0, [p.Joint(2.0, []), 3]), r"'joint.others\[1\]' must be a Joint"),
    "list": (lambda p: p.Joint(1.0, [], [p.Joint(2.0, [])]), "'up' is a list"),
}


@pytest.mark.parametrize("case", WRONG_LISTS)
def test_wrong_lists(joints: Modules, case: str) -> None:
    program, generated = joints
    make, message = WRONG_LISTS[case]
    with pytest.raises(TypeError, match=message):
        generated.reached_grad(make(program), 1.0)


REFUSED = {
    "list": (
        "b: Bag",
        "b.more = []\n    return b.x",
        "MK361",
        "'more' of objects of Bag is assigned",
    ),
    "root": ("s: Stack", "s.top = None\n    return s.scale", "MK361", "s.top is assigned"),
    "text": ("n: Node", "return n.value * len(n.label.center(9))", "MK212", "'label'"),
    "list of roots": ("ns: list[Node]", "return ns[0].value", "MK204", "lists of Node"),
    "number": ("n: Node | float", "return 1.0", "MK360", "not told apart"),
    "dict": ("c: Many", "return c.x", "MK204", "its field inner"),
    "two lists": ("g: Graph", "return g.x", "MK204", "several of its fields are lists"),
    "longer list": ("b: Bag", "b.more.append(b)\n    return b.x", "MK320", "get longer"),
    "mutual": ("o: One", "return o.x", "MK204", "by way of others"),
    "named tuple": ("p: Pair", "return p.x", "MK204", "a NamedTuple can't be linked"),
    "field": ("f: Fit", "return f.x", "MK204", r"its field shape is a \(float64, float64\)"),
}
OTHERS = """
@dataclass
class Many:
    x: float
    inner: dict[str, Many]


@dataclass
class Graph:
    x: float
    into: list[Graph]
    out: list[Graph]


@dataclass
class Bag:
    x: float
    more: list[Bag]


@dataclass
class One:
    x: float
    other: Other | None = None


@dataclass
class Other:
    y: float
    one: One | None = None


class Pair(NamedTuple):
    x: float
    second: Pair | None = None


@dataclass
class Fit:
    x: float
    shape: tuple[float, float]
    next: Fit | None = None
"""


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    params, body, code, message = REFUSED[case]
    program = f"{HEAD}{OTHERS}\n\ndef f({params}) -> float:\n    {body}\n"
    with pytest.raises(Refusal, match=f"{code} .*{message}") as caught:
        gradient_text(program)
    assert len(caught.value.diagnostics) == 1


def test_results_are_refused() -> None:
    with pytest.raises(Refusal, match=r"MK204 .*the result of f: .* are parameters only"):
        gradient_text(f"{HEAD}\n\ndef f(n: Node) -> Node:\n    return n\n")
