"""``python -m bench.limits``: time and memory that the transpiler takes for sources of some size.

Each source is transpiled once at half its size and once as a whole, by the command, in a process of
its own: processor seconds, and the most memory that it holds. Near 2 the time is linear.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.transpile import START

HEAD = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


"""
Files = dict[str, str]


@dataclass(frozen=True, slots=True)
class Kind:
    """Sources of one kind: the modules for a size, and the largest size."""

    text: str
    files: Callable[[int], Files]
    size: int


def _one(body: str) -> Files:
    return {"program.py": HEAD + body}


def _function(lines: Iterator[str], result: str = "y") -> Files:
    body = "".join(f"    {line}\n" for line in lines)
    return _one(f"def f(a: float, x: Vec) -> float:\n    y = a\n{body}    return {result}\n")


def _numbers(size: int) -> Files:
    return _function(f"y = y * 0.5 + np.sin(a + {k}.0)" for k in range(size))


def _arrays(size: int) -> Files:
    return _function((f"x = x * 0.5 + {k}.0" for k in range(size)), "np.sum(x)")


def _branches(size: int) -> Files:
    return _function(f"y = y * 2.0 if y < {k}.0 else y + a" for k in range(size))


def _loops(size: int) -> Files:
    lines = ("for i in range(len(x)):\n        x[i] = x[i] * 0.5 + a" for _ in range(size))
    return _function(lines, "np.sum(x)")


def _items(size: int) -> Files:
    items = ", ".join(f"a * {k}.0" for k in range(size))
    return _one(f"def f(a: float) -> float:\n    return sum(({items}))\n")


def _functions(size: int) -> Files:
    one = "def f{0}(a: float) -> float:\n    return a * np.sin(a + {0}.0)\n\n\n"
    return _one("".join(one.format(k) for k in range(size)))


def _calls(size: int) -> Files:
    one = "def _f{0}(a: float) -> float:\n    return _f{1}(a * 0.5) + a\n\n\n"
    calls = "".join(one.format(k, k + 1) for k in range(size))
    last = f"def _f{size}(a: float) -> float:\n    return np.sin(a)\n\n\n"
    return _one(f"{calls}{last}def f(a: float) -> float:\n    return _f0(a)\n")


def _modules(size: int) -> Files:
    body = "(a: float, x: Vec) -> float:\n    for v in x:\n        a = a * v\n    return a\n"
    functions = "\n\n".join(f"def f{k}{body}" for k in range(10))
    return {f"module{k}.py": HEAD + functions for k in range(size)}


KINDS = (
    Kind("statements over numbers", _numbers, 10_000),
    Kind("statements over arrays", _arrays, 1_000),
    Kind("conditional expressions", _branches, 1_000),
    Kind("loops in a row", _loops, 300),
    Kind("items of a tuple", _items, 10_000),
    Kind("functions", _functions, 2_000),
    Kind("calls inside one another", _calls, 300),
    Kind("modules of 10 functions", _modules, 200),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.limits", description=__doc__)
    parser.add_argument("kinds", nargs="*", help="words that kinds of sources begin with")
    wanted = tuple(parser.parse_args().kinds)
    for kind in KINDS:
        if not wanted or kind.text.startswith(wanted):
            half, whole = (_cost(kind.files(size)) for size in (kind.size // 2, kind.size))
            ratio = whole.seconds / half.seconds
            print(f"{kind.size:6} {kind.text:26} {whole}  ({ratio:.1f} times half of it)")
    if not wanted or "one of".startswith(wanted):
        print(f"   one of 200 modules changed      {_one_changed(200)}")


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds, and bytes at once."""

    seconds: float
    bytes: int
    status: int

    def __str__(self) -> str:
        refused = f", refused (exit {self.status})" if self.status else ""
        return f"{self.seconds:6.1f} s {self.bytes / 2**20:6.0f} MiB{refused}"


def _cost(files: Files) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        return _transpiled(Path(folder), files)


def _one_changed(size: int) -> Cost:
    """The cost of a run after one of so many modules has changed."""
    with tempfile.TemporaryDirectory() as folder:
        files = _modules(size)
        _transpiled(Path(folder), files)
        name, text = next(iter(files.items()))
        return _transpiled(Path(folder), {name: text.replace("a * v", "a + v")})


def _transpiled(folder: Path, files: Files) -> Cost:
    """The cost of the command for ``folder`` with these ``files`` in it."""
    for name, text in files.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-c", START, str(folder), str(folder), "-j", "1"]
    return _run(command)


def _run(command: list[str]) -> Cost:
    """The cost of a process; what it prints is thrown away."""
    null = os.open(os.devnull, os.O_WRONLY)
    redirected = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=redirected)
    _, status, used = os.wait4(pid, 0)
    os.close(null)
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Cost(used.ru_utime + used.ru_stime, memory, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
