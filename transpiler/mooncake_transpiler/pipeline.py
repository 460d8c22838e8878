"""From the user's modules to the text of gradient modules, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

from mooncake_transpiler import ir
from mooncake_transpiler.ad.derive import Derived, derive
from mooncake_transpiler.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.passes.counted import counted
from mooncake_transpiler.passes.hoist import hoist
from mooncake_transpiler.passes.induction import induction
from mooncake_transpiler.passes.inline import inline
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.printer import format_func
from mooncake_transpiler.products import Notify, Product, crash_from
from mooncake_transpiler.reading import Target, Unit, read_program

Pass = Callable[[ir.Func], ir.Func]

# What is done to a function between inlining and differentiation.
PASSES: tuple[tuple[str, Pass], ...] = (
    ("fold", simplify),
    ("counted", counted),
    ("induction", induction),
    ("hoist", hoist),
    ("simplify", simplify),
)
STAGES = ("lower", "inline", *(name for name, _ in PASSES), "derive")


def compile_modules(
    names: list[str], inputs: Inputs, jobs: int, notify: Notify
) -> tuple[dict[str, Product], list[Diagnostic]]:
    """The products of the modules ``names``, and what is wrong with the program as a whole."""
    reading = read_program(inputs)
    products: dict[str, Product] = {}
    units: list[Unit] = []
    for name in names:
        if reading.has_errors(name):
            products[name] = Product(has_errors=True)
        elif unit := reading.unit(name):
            units.append(unit)
        else:
            products[name] = Product()
    notify(0, len(units))
    for unit, product in zip(units, _generate_all(units, jobs), strict=True):
        products[unit.module] = product
        notify(len(products) - len(names) + len(units), len(units))
    return products, list(reading.diagnostics)


def _generate_all(units: list[Unit], jobs: int) -> Iterator[Product]:
    workers = min(jobs, len(units))
    if workers <= 1:
        yield from map(generate, units)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(generate, units)


def generate(unit: Unit) -> Product:
    """The gradient module of one module; all of its functions that fail are reported."""
    program = inline(unit.program)
    diagnostics: list[Diagnostic] = []
    derived: list[Derived] = []
    for target in unit.targets:
        try:
            derived.append(differentiate(target, program))
        except Refused as refused:
            diagnostics.append(refused.diagnostic)
        except RecursionError:
            diagnostics.append(_too_deep(target.func))
        except Exception as error:
            return Product(crash=crash_from(error, _subject(unit, target.func)), has_errors=True)
    if diagnostics:
        return Product(diagnostics=tuple(diagnostics), has_errors=True)
    return _emit(unit, derived)
