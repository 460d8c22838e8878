"""Runs that end early: killed between two moves of files, or interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mooncake_transpiler.compilation import crash_from

from tests.cli.conftest import Run, tree, write
from tests.cli.fake import FakeCompiler

KILLED = 9


def killed_at(move: int, run: Run, *argv: object) -> bool:
    """Run the command in a process that dies in front of its ``move``-th move of a file."""
    child = os.fork()
    if child == 0:  # nothing is cleaned up, as nothing is where a process is killed
        moves = 0
        replace = Path.replace

        def counted(file: Path, target: Path) -> Path:
            nonlocal moves
            moves += 1
            if moves == move:
                os._exit(KILLED)
            return replace(file, target)

        Path.replace = counted  # type: ignore[method-assign]
        os._exit(run(*argv))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def temporaries(folder: Path) -> list[Path]:
    return [*folder.rglob("*.tmp")]


@pytest.mark.parametrize("is_first", [True, False], ids=["first run", "later run"])
@pytest.mark.parametrize("is_edited", [True, False], ids=["edited", "as it was"])
def test_the_next_run_repairs_what_a_killed_one_left(
    is_first: bool,
    is_edited: bool,
    run: Run,
    src: Path,
    tmp_path: Path,
    compiler: FakeCompiler,
) -> None:
    fresh, left = tmp_path / "fresh", set()
    for move in range(1, 20):
        out = tmp_path / f"out{move}"
        if not is_first:
            assert run(src, out) == 0
            write(src / "square.py", f"def square(x: float) -> float:\n    return {move} * x\n")
            write(src / "pkg/helper.py", f"def cube(x):\n    return {move} * x\n")
        if not killed_at(move, run, src, out):
            break
        left.add(bool(temporaries(out)))
        if is_edited:
            write(src / "square.py", f"def square(x: float) -> float:\n    return x - {move}\n")
        assert run(src, out) == 0
        assert run(src, fresh, "--force") == 0
        assert tree(out) == tree(fresh)
        assert not temporaries(out)
    assert move > 5
    assert left == {True}


def test_removals_are_repaired(run: Run, src: Path, out: Path, compiler: FakeCompiler) -> None:
    run(src, out)
    before = (out / ".mooncake-transpile").read_text()
    (src / "square.py").unlink()
    run(src, out)
    write(out / ".mooncake-transpile", before)  # the last thing that a run writes
    assert run(src, out, "--check") == 0
    assert run(src, out) == 0
    assert "square.py" not in (out / ".mooncake-transpile").read_text()


def test_an_interrupt_that_becomes_an_error_is_an_interrupt() -> None:
    """As in libcst, where a ``finally`` looks for what the interrupt has kept from being there."""
    found: dict[str, int] = {}
    try:
        try:
            raise KeyboardInterrupt
        finally:
            found["missing"]
    except KeyError as error:
        with pytest.raises(KeyboardInterrupt):
            crash_from(error, "m.py")


def _hear_interrupts() -> None:
    """Undo what a shell does to processes in its background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seconds", [0.1, 0.4, 1.0])
def test_an_interrupt_is_a_quiet_end(
    jobs: int, seconds: float, tmp_path: Path, src: Path, out: Path
) -> None:
    for number in range(30):
        body = "".join(f"    x = x * x + np.sin({k} * x)\n" for k in range(60))
        head = "import numpy as np\n\n\ndef f(x: float) -> float:\n"
        write(src / f"many{number}.py", f"{head}{body}    return x\n")
    command = [sys.executable, "-m", "mooncake_transpiler", src, out, "-j", str(jobs)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts,
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    said, error = process.communicate(timeout=60)
    is_starting = process.returncode == 1 and "mooncake_transpiler" not in error  # site is loaded
    assert process.returncode in (130, -signal.SIGINT) or is_starting
    if process.returncode == 130:  # else Python itself was only starting
        assert (said, error) == ("", "")
    assert not temporaries(tmp_path)
