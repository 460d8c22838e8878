"""A report as text for a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mooncake_transpiler.report.byte_formulas import Size, plus, text
from mooncake_transpiler.report.findings import FunctionFacts, ModuleFacts, Saved, Section, Spot
from mooncake_transpiler.report.page import total


def plain(modules: Sequence[ModuleFacts]) -> str:
    """The report on all functions, without the generated code."""
    pieces = ["\n".join(_function(module, one)) for module in modules for one in module.functions]
    return "\n\n".join(pieces) + "\n" if pieces else ""


def _function(module: ModuleFacts, one: FunctionFacts) -> Iterator[str]:
    yield f"{module.name}:{one.name}  {one.state}, {one.why}  ({module.path}:{one.line})"
    for word, what in one.remarks:
        yield f"  {word + ':':12} {what}"
    if one.certificate:
        yield f"  {'verified:':12} {one.certificate}"
    if not one.sections:
        return
    saved = _by_spot(one.ledger)
    for section in one.sections:
        yield ""
        yield from _section(section, saved)
    if one.pullback:
        yield ""
        yield from _tape(one)
    if one.rules:
        yield ""
        yield "  rules behind calls"
        width = max(len(rule.call) for rule in one.rules)
        for rule in one.rules:
            yield f"    {rule.call:{width}}  {rule.formula}  [{rule.home}]"


def _by_spot(ledger: Sequence[Saved]) -> dict[Spot, Size]:
    found: defaultdict[Spot, Size] = defaultdict(int)
    for item in ledger:
        if item.spot is not None:
            found[item.spot] = plus(found[item.spot], item.bytes)
    return dict(found)


def _section(section: Section, saved: dict[Spot, Size]) -> Iterator[str]:
    yield f"  {section.path}, {section.name}"
    width = max(len(line.text) for line in section.lines)
    for line in section.lines:
        first = line.number == line.start
        size = saved.get((section.path, line.number)) if first else None
        notes = [*line.tags, *([f"saves {text(size)}"] if size is not None else [])]
        row = f"  {line.number:5}  {line.text:{width}}  {', '.join(notes)}"
        yield row.rstrip()


def _tape(one: FunctionFacts) -> Iterator[str]:
    yield f"  the tape: {text(total(one.ledger))} bytes"
    names = [f"{item.name}: {item.type}" for item in one.ledger]
    sizes = ["-" if item.held else text(item.bytes) for item in one.ledger]
    widths = [max(map(len, column), default=0) for column in (names, sizes)]
    for item, name, size in zip(one.ledger, names, sizes, strict=True):
        yield f"    {name:{widths[0]}}  {size:{widths[1]}}  {item.reason}"
        needed = [one.pullback[k].text.strip() for k in item.readers]
        if needed:
            more = f"  (and {len(needed) - 1} more)" if len(needed) > 1 else ""
            yield f"      needed by: {needed[0]}{more}"
    for symbol in one.symbols:
        yield f"    {symbol.name} is {symbol.meaning}"
