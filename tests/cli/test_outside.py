"""Nothing outside OUT is written or removed, whatever stands in OUT."""

from __future__ import annotations

from pathlib import Path

import pytest
from mooncake_transpiler.output.digests import text_digest

from tests.cli.conftest import Run, tree, write
from tests.cli.fake import FakeCompiler

RECORD = ".mooncake-transpile"


@pytest.mark.parametrize("way", ["../mine.py", "a/../../mine.py", "{}/mine.py", "..\\mine.py"])
def test_a_record_names_nothing_outside(
    way: str,
    run: Run,
    src: Path,
    out: Path,
    tmp_path: Path,
    compiler: FakeCompiler,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(src, out)
    mine = write(tmp_path / "mine.py", "mine = 1\n")
    path = way.format(tmp_path)
    record = (out / RECORD).read_text()
    write(out / RECORD, f"{record}{text_digest(mine.read_bytes())}  {path}\n")
    for option in ("--check", "--force", "-v"):
        capsys.readouterr()
        assert run(src, out, option) == 2
        assert "remove the line" in capsys.readouterr().err
    assert mine.is_file()


def test_links_to_folders_in_out_are_not_followed(
    run: Run,
    src: Path,
    out: Path,
    tmp_path: Path,
    compiler: FakeCompiler,
    capsys: pytest.CaptureFixture[str],
) -> None:
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere / "helper.py", "mine = 1\n")
    write(elsewhere / "loss.py", (src / "pkg/loss.py").read_text())
    before = tree(elsewhere)
    out.mkdir()
    (out / "pkg").symlink_to(elsewhere)
    for options in ([], ["--force"]):
        capsys.readouterr()
        assert run(src, out, *options) == 1
        assert "MK507" in capsys.readouterr().out
        assert tree(elsewhere) == before
    assert (out / "square_grad.py").is_file()


def test_what_a_link_hides_is_not_removed(
    run: Run, src: Path, out: Path, tmp_path: Path, compiler: FakeCompiler
) -> None:
    run(src, out)
    (out / "pkg").rename(tmp_path / "moved")
    (out / "pkg").symlink_to(tmp_path / "moved")
    before = tree(tmp_path / "moved")
    for file in (src / "pkg").iterdir():
        file.unlink()
    (src / "pkg").rmdir()
    run(src, out)
    run(src, out, "--force")
    assert tree(tmp_path / "moved") == before


def test_out_may_be_a_link(run: Run, src: Path, tmp_path: Path, compiler: FakeCompiler) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert run(src, tmp_path / "link") == 0
    assert run(src, tmp_path / "link", "--check") == 0
