"""The shape of the code: imports go one way, files stay short."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "mooncake_runtime": ROOT / "runtime",
    "mooncake_rules": ROOT / "rules",
    "mooncake_transpiler": ROOT / "transpiler",
}
# What each package may import of the others and of what is installed.
BELOW: dict[str, frozenset[str]] = {
    "mooncake_runtime": frozenset({"numpy", "numba", "llvmlite"}),
    "mooncake_rules": frozenset({"mooncake_runtime", "numpy"}),
    "mooncake_transpiler": frozenset(
        {"mooncake_rules", "mooncake_runtime", "numpy", "numba", "libcst", "rich", "typer"}
    ),
}
# Modules that are imported where another library is at hand, and what they then import.
ADAPTERS = {
    "interop/jax.py": "jax",
    "interop/jax_ffi.py": "jax",
    "interop/pytensor.py": "pytensor",
    "interop/torch.py": "torch",
}
# The parts of a folder, which are modules and folders: each imports parts of lower levels only, and
# none of its own level.
LEVELS: dict[str, tuple[tuple[str, ...], ...]] = {
    "mooncake_runtime": (
        ("text_numbers",),
        ("formatted", "text_answers"),
        (
            "compiling",
            "device_indices",
            "differences",
            "field_names",
            "instances",
            "lines_run",
            "marks",
            "memory_numba",
            "plain",
            "placing",
            "plain_math",
            "stretched_axes",
            "telling_numba",
        ),
        ("spec",),
        ("exact_values",),
        ("device_overlaps", "taken"),
        ("device", "device_kernels", "device_lists", "fronts", "lists", "memory", "telling"),
        ("device_recurrences", "device_rows", "device_runs", "jit", "linked", "tangents"),
        ("numerical", "reshaping", "scalar_kernels", "shadows", "stacks"),
        ("case", "device_complex", "device_errors", "kernel_texts", "overlap"),
        ("device_translated",),
        ("device_bessel",),
        ("checks", "device_special", "kernels"),
        ("interop", "testing"),
    ),
    "mooncake_rules": (
        ("expr", "op_names"),
        ("over_complex", "poles", "spans", "masked_products"),
        ("op",),
        ("operators", "parts"),
        ("elementary",),
        ("bessel", "boxcox", "hypergeometric", "integrals", "piecewise", "special", "units"),
        ("gamma",),
        ("scalar",),
        ("arrays",),
        ("library",),
        ("catalogue", "pushforward_terms"),
        ("pushforward_equations",),
        ("pushforwards",),
        ("pullbacks",),
        ("primitives",),
    ),
    "mooncake_transpiler": (
        ("collector", "packages", "reaching", "version"),
        ("diagnostic",),
        ("modes", "taken_apart"),
        ("compilation", "config", "types"),
        ("border", "output"),
        ("ir",),
        ("analysis", "failures", "naming", "versions"),
        ("interface",),
        ("frontend", "passes", "ad", "emit"),
        ("run",),
        ("listing", "terminal"),
        ("report", "verify"),
        ("cli",),
        ("__main__",),
    ),
    "mooncake_transpiler.frontend": (
        ("entities", "rank_evidence"),
        ("text",),
        ("name",),
        ("class_text",),
        ("annotation", "constant"),
        ("rank", "library"),
        ("declaration",),
        ("program",),
        ("lower",),
    ),
    "mooncake_transpiler.ad": (
        ("call", "services"),
        ("fact",),
        ("carried", "saving"),
        ("reverse",),
        ("tape",),
        ("derivations", "subject"),
        ("helper_sweeps",),
        ("forward",),
        ("helper_pullbacks",),
        ("derive",),
        ("compose",),
    ),
    # Its README says what each folder knows.
    "mooncake_transpiler.frontend.lower": (
        ("state",),
        ("scalar",),
        ("memory",),
        ("object",),
        ("failure",),
        ("array",),
        ("row",),
        ("merge",),
        ("instance",),
        ("container",),
        ("operation", "call"),
        ("rule",),
        ("written",),
        ("builtin",),
        ("control", "names"),
        ("assignments", "calls"),
        ("expressions", "survey"),
        ("statements",),
        ("dispatch",),
        ("bodies", "fitting_ranks", "primitive"),
        ("lowered_functions", "odd_ranks"),
        ("told_ranks",),
        ("lowered_programs",),
    ),
}
LONGEST = 400  # lines of a file
LONGEST_FUNCTION = 40
# Modules of two packages that are called alike, most of them a rule and its kernel.
ALIKE = frozenset(
    {
        "algebra",
        "arguments",
        "basic",
        "bessel",
        "complexes",
        "counting",
        "differences",
        "errors",
        "expr",
        "factors",
        "fourier",
        "gamma",
        "instances",
        "lists",
        "marks",
        "membership",
        "memory",
        "numbers",
        "operators",
        "over_complex",
        "pairs",
        "plain",
        "powers",
        "pullbacks",
        "pushforwards",
        "reshaping",
        "scalar",
        "sizes",
        "sorting",
        "spans",
        "stacks",
        "stage",
        "trees",
        "views",
        "whole",
    }
)


def files(package: str) -> Iterator[Path]:
    yield from sorted((PACKAGES[package] / package).rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    """The dotted names that ``file`` imports; for ``from a import b`` both ``a`` and ``a.b``."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom():
                raise AssertionError(f"{file}: a relative import")
            case _:
                pass


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_one_way(package: str) -> None:
    allowed = BELOW[package] | sys.stdlib_module_names | {package}
    for file in files(package):
        found = {name.partition(".")[0] for name in imported(file)}
        found -= {ADAPTERS.get(file.relative_to(PACKAGES[package] / package).as_posix())}
        assert found <= allowed, f"{file.relative_to(ROOT)} imports {sorted(found - allowed)}"


@cache
def modules(package: str) -> dict[str, set[str]]:
    """The modules of a package, each with those of the package that it imports anywhere."""
    found = {}
    for file in files(package):
        dotted = file.relative_to(PACKAGES[package]).with_suffix("").parts
        found[".".join(dotted).removesuffix(".__init__")] = file
    return {name: set(_modules_imported(file, found)) for name, file in found.items()}


def _modules_imported(file: Path, known: Collection[str]) -> Iterator[str]:
    """The modules among ``known`` that ``file`` imports; of ``from a import b`` the innermost."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in known)
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    yield from [one for one in (inner, module) if one in known][:1]
            case _:
                pass


def files_by_name(package: str) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for file in files(package):
        if file.name != "__init__.py":
            found.setdefault(file.stem, []).append(file)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_no_two_modules_of_a_package_have_one_name(package: str) -> None:
    alike = {name for name, found in files_by_name(package).items() if len(found) > 1}
    assert alike == ({"memory"} if package == "mooncake_runtime" else set())


def test_few_modules_of_two_packages_have_one_name() -> None:
    known = [set(files_by_name(package)) for package in PACKAGES]
    alike = {name for k, names in enumerate(known) for other in known[:k] for name in names & other}
    assert alike == ALIKE


def test_no_two_classes_have_one_name() -> None:
    found: dict[str, list[Path]] = {}
    for file in (file for package in PACKAGES for file in files(package)):
        for stmt in ast.parse(file.read_text()).body:
            if isinstance(stmt, ast.ClassDef):
                found.setdefault(stmt.name, []).append(file)
    assert {name for name, places in found.items() if len(places) > 1} == set()


def part_of(dotted: str, folder: str) -> str | None:
    """The part of ``folder`` that a module belongs to; None outside of it."""
    if dotted == folder:
        return "__init__"
    inside = dotted.startswith(f"{folder}.")
    return dotted[len(folder) + 1 :].partition(".")[0] if inside else None


def parts(package: str, folder: str) -> dict[str, set[str]]:
    """The parts of ``folder``, each with the others that it imports."""
    found: dict[str, set[str]] = {}
    for name, others in modules(package).items():
        part = part_of(name, folder)
        if part is not None:
            used = {other for one in others if (other := part_of(one, folder)) is not None}
            found.setdefault(part, set()).update(used - {part})
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_do_not_import_in_circles(package: str) -> None:
    list(TopologicalSorter(modules(package)).static_order())


@pytest.mark.parametrize("package", PACKAGES)
def test_the_parts_of_a_folder_do_not_import_in_circles(package: str) -> None:
    for file in files(package):
        if file.name == "__init__.py":
            folder = ".".join(file.relative_to(PACKAGES[package]).parent.parts)
            list(TopologicalSorter(parts(package, folder)).static_order())


@pytest.mark.parametrize("folder", LEVELS)
def test_parts_import_lower_levels_only(folder: str) -> None:
    level_of = {part: level for level, names in enumerate(LEVELS[folder]) for part in names}
    found = parts(folder.partition(".")[0], folder)
    assert found.keys() - {"__init__"} == level_of.keys()
    for part, others in found.items():
        for other in others - {"__init__"} if part != "__init__" else ():
            assert level_of[other] < level_of[part], f"{part} imports {other} in {folder}"


def test_the_readme_of_lowering_states_its_layers() -> None:
    folder = "mooncake_transpiler.frontend.lower"
    text = (PACKAGES["mooncake_transpiler"] / folder.replace(".", "/") / "README.md").read_text()
    cells = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    stated = [re.findall(r"`(\w+)(?:/|\.py)`", cell) for cell in cells]
    level_of = {part: level for level, names in enumerate(LEVELS[folder]) for part in names}
    levels = [sorted(level_of[name] for name in names) for names in stated]
    assert sorted(name for names in stated for name in names) == sorted(level_of)
    assert all(low[0] <= high[0] for low, high in pairwise(levels)), levels


def test_the_command_is_imported_by_its_start_alone() -> None:
    found = [
        file.name
        for package in PACKAGES
        for file in files(package)
        if "mooncake_transpiler.cli" in set(imported(file))
    ]
    assert found == ["__main__.py"]


def test_sources_are_run_by_one_command_only() -> None:
    """Modules that import the user's code are loaded where ``verify`` is called, only there."""
    package = PACKAGES["mooncake_transpiler"] / "mooncake_transpiler"
    for file in files("mooncake_transpiler"):
        if file.relative_to(package).parts[0] != "verify" and "verify" in file.read_text():
            body = ast.parse(file.read_text()).body
            found = {name for stmt in body for name in _imported_by(stmt)}
            assert not any(name.startswith("mooncake_transpiler.verify") for name in found), file
    importers = {
        file.name
        for file in files("mooncake_transpiler")
        if file.relative_to(package).parts[0] != "verify"
        and any(part_of(name, "mooncake_transpiler") == "verify" for name in imported(file))
    }
    assert importers == {"cli.py"}


def _imported_by(stmt: ast.stmt) -> Iterator[str]:
    match stmt:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module)):
            yield module
        case _:
            pass


def test_each_pass_has_tests_of_its_name() -> None:
    folder = PACKAGES["mooncake_transpiler"] / "mooncake_transpiler" / "passes"
    first_table = (folder / "README.md").read_text().partition("what the passes share")[0]
    passes = set(re.findall(r"`(\w+)\.py`", first_table))
    tested = {file.stem.removeprefix("test_") for file in (ROOT / "tests" / "passes").glob("*.py")}
    assert passes
    assert passes - tested == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_files_are_short(package: str) -> None:
    lengths = {str(f.relative_to(ROOT)): len(f.read_text().splitlines()) for f in files(package)}
    assert {name: n for name, n in lengths.items() if n >= LONGEST} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_are_short(package: str) -> None:
    found = {
        f"{file.relative_to(ROOT)}: {node.name}": node.end_lineno - node.lineno + 1
        for file in files(package)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None
    }
    assert {name: n for name, n in found.items() if n > LONGEST_FUNCTION} == {}
