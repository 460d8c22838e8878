"""``--watch``: runs again whenever a source or the configuration has changed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.output.inputs import Inputs

INTERVAL = 0.5  # seconds between looks
Snapshot = Mapping[Path, tuple[int, int]]  # time of change and size, by file


def watch(
    look: Callable[[], Inputs],
    run: Callable[[], None],
    say: Callable[[str], None],
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """``run`` now and after each change of what ``look`` finds, until interrupted."""
    seen: Snapshot = {}
    while True:
        now = snapshot(look)
        if now != seen:
            for file in sorted({f for f in {**seen, **now} if seen and seen.get(f) != now.get(f)}):
                say(f"changed: {file}")
            run()
            seen = now  # what has changed during the run is seen by the next look
        wait(INTERVAL)


def snapshot(look: Callable[[], Inputs]) -> Snapshot:
    """The files that a run depends on, as they are now."""
    try:
        return dict(_states(look()))
    except ConfigError:  # the run says what is wrong; a mended file is a change
        return {}


def _states(inputs: Inputs) -> Iterator[tuple[Path, tuple[int, int]]]:
    root = inputs.sources.root
    files = [root / path for path in inputs.sources.paths]
    files += [folder / "pyproject.toml" for folder in (root, *root.resolve().parents)]
    for file in files:
        try:
            state = file.stat()
        except OSError:
            continue
        yield file, (state.st_mtime_ns, state.st_size)


def again(arguments: list[str]) -> None:
    """Run the command in a process of its own, as if it had not been run before."""
    command = [sys.executable, "-m", "mooncake_transpiler", *arguments]
    subprocess.run([word for word in command if word != "--watch"], check=False)
