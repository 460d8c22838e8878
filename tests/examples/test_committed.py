"""Committed generated files are up to date with the tools, and the quickstart runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench import make_block
from bench.primal import EXAMPLES, PROGRAMS, ROOT
from bench.transpile import START


@pytest.mark.parametrize("folder", [EXAMPLES, PROGRAMS], ids=["examples", "bench"])
def test_generated_modules_are_fresh(folder):
    command = [sys.executable, "-c", START, str(folder), str(folder), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_block_program_is_fresh():
    assert (PROGRAMS / "block.py").read_text() == make_block.text()


def run_example(name):
    command = [sys.executable, str(ROOT / "examples" / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_quickstart():
    assert float(run_example("quickstart.py").split()[1]) < 1e-9


def test_jacobian():
    assert run_example("jacobian.py").startswith("1000 blocks")
