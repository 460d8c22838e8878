"""A progress bar, where there is somebody to watch it: what is done, what is next, how long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mooncake_transpiler.compilation import Notify


@contextmanager
def progress_bar(doing: str = "differentiating") -> Iterator[Notify]:
    """Shows how much is done; on anything but a terminal, and of nothing, it stays silent."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),  # an estimate, by what has been done so far
        TextColumn("{task.fields[name]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, visible=False, name="")

        def notify(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, visible=total > 0, name=name)

        yield notify


def _silent(done: int, total: int, name: str) -> None:
    pass
