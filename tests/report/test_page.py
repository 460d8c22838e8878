"""The page stands alone, is the same each time, and works in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from mooncake_transpiler.report.byte_formulas import symbols_in, value
from mooncake_transpiler.report.page import page, total

from tests.report.conftest import Modules
from tests.report.programs import WAVE

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--virtual-time-budget=3000",
]  # fmt: skip
VOID = {"meta", "input", "link", "br"}


class Structure(HTMLParser):
    """The elements of a page, and the text in each `script`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


def test_the_page_stands_alone(modules: Modules) -> None:
    text = page(modules(WAVE))
    found = Structure(text)
    assert found.open == []
    names = [name for name, _ in found.attributes]
    assert "src" not in names
    assert [value for name, value in found.attributes if name == "href"] == ["#main"]
    assert not re.search(r"https?:|//\w|@import|url\(|import\(|fetch\(|XMLHttp", text)


def test_text_of_the_user_stays_text(modules: Modules) -> None:
    text = page(modules(WAVE))
    assert "</script><b>" in WAVE
    found = Structure(text)
    assert len(found.scripts) == 2
    assert "<b>" not in text
    (module,) = json.loads(found.scripts[0])["modules"]
    wave = next(one for one in module["functions"] if one["name"] == "wave")
    doc = wave["sections"][0]["lines"][1]["text"]
    assert doc == '    """A text with </script><b> and an & in it."""'


def test_placeholders_in_the_source_stay(modules: Modules) -> None:
    source = WAVE.replace("A text", "@FACTS@ @SCRIPT@ @STYLE@")
    found = Structure(page(modules(source)))
    assert "@FACTS@ @SCRIPT@ @STYLE@" in found.scripts[0]
    json.loads(found.scripts[0])


def test_the_page_is_the_same_each_time(modules: Modules) -> None:
    assert page(modules(WAVE)) == page(modules(WAVE))


DRIVER = """
<script>
{
const seen = {};
const rows = (k) => [...document.querySelectorAll(".columns .column")[k].querySelectorAll(".row")];
const partners = (k) => rows(k).filter((row) => row.classList.contains("partner"));
const lit = (k) => partners(k).map((row) => row.textContent);
const line = rows(0).find((row) => row.textContent.includes("total = total"));
line.dispatchEvent(new MouseEvent("mouseenter"));
seen.lit = [lit(0), lit(1), lit(2)];
line.dispatchEvent(new MouseEvent("mouseleave"));
seen.left = document.querySelectorAll(".partner").length;
line.focus();
seen.focused = lit(2).length;
line.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
seen.next = document.activeElement.querySelector(".n").textContent;
seen.load = Math.max(...rows(0).map((row) => Number(row.style.getPropertyValue("--load"))));
seen.before = document.querySelector(".total strong").textContent;
for (const input of document.querySelectorAll(".sliders input")) {
  input.value = 30;
  input.dispatchEvent(new Event("input"));
}
seen.after = document.querySelector(".total strong").textContent;
const entry = [...document.querySelectorAll(".tape tbody tr")].pop();
entry.dispatchEvent(new MouseEvent("mouseenter"));
seen.entry = lit(2).length;
document.querySelectorAll(".switch button")[1].click();
seen.columns = document.querySelectorAll(".columns .column").length;
const theme = document.getElementById("theme");
const press = () => { theme.click(); return document.documentElement.dataset.theme; };
seen.themes = [press(), press(), press()];
seen.markup = document.querySelectorAll("main b").length;
seen.wide = document.documentElement.scrollWidth > innerWidth;
location.hash = "#" + encodeURIComponent("program:damped");
setTimeout(() => {
  seen.other = document.querySelector("h1").textContent;
  document.body.replaceChildren(JSON.stringify(seen));
}, 300);
}
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize("width", [1280, 500])
def test_the_page_in_a_browser(modules: Modules, tmp_path: Path, width: int) -> None:
    (module,) = modules(WAVE)
    wave = next(one for one in module.functions if one.name == "wave")
    file = tmp_path / "report.html"
    file.write_text(page([module]).replace("</body>", f"{DRIVER}</body>"), "utf-8")
    argv = [
        str(CHROMIUM), *FLAGS, f"--window-size={width},900", f"--user-data-dir={tmp_path}/user",
        "--dump-dom", f"{file.as_uri()}#program%3Awave",
    ]  # fmt: skip
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)
    seen = json.loads(re.search(r"<body[^>]*>(.*)</body>", done.stdout, re.DOTALL)[1])
    source, forward, pullback = seen["lit"]
    assert source[0].startswith("19")
    assert len(source) == 3  # the statement has three lines
    assert any("total * c" in row for row in forward)
    assert any("# total = total * c" in row for row in pullback)
    assert seen["left"] == 0
    assert seen["focused"] == len(pullback)
    assert seen["next"] == "20"
    assert seen["load"] == 1
    size = total(wave.ledger)
    assert seen["before"] == shown(value(size, dict.fromkeys(symbols_in(size), 100)))
    assert seen["after"] == shown(value(size, dict.fromkeys(symbols_in(size), 1000)))
    assert seen["entry"] > 0
    assert seen["columns"] == 2
    assert seen["themes"] in (["light", "dark", "light"], ["light", "dark", "dark"])
    assert seen["markup"] == 0
    assert not seen["wide"]
    assert seen["other"] == "damped"


def shown(count: float) -> str:
    """Bytes as the page writes them, three digits."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            digits = max(0, 2 - len(str(int(count))) + 1) if unit != "B" else 0
            return f"{count:.{digits}f} {unit}"
        count /= 1000
    raise AssertionError(count)
