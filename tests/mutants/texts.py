"""Changes of a program's text at random, in its tokens and in its lines: most are no Python."""

from __future__ import annotations

import io
import tokenize
from random import Random

KEPT = (
    tokenize.ENCODING, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
)  # fmt: skip
TOKENS = (
    "+", "-", "*", "**", "/", "//", "%", "@", "~", "(", ")", "[", "]", "{", "}", ",", ":", "=",
    "==", "<", ".", "...", "->", ":=", "0", "1", "-1", "2.5", "1e400", "0x1f", "1_0", "1j",
    "'text'", "f'{x}'", "b''", "None", "True", "not", "in", "is", "if", "else", "for", "while",
    "return", "lambda", "yield", "await", "async", "del", "with", "as", "match", "case", "_",
    "__debug__", "é", "\\", "#", "$", "\t", "\0", "\ufeff",
)  # fmt: skip


def with_tokens_changed(source: str, random: Random) -> str:
    """``source`` with a token left out, doubled, exchanged or put in."""
    try:
        found = [*tokenize.generate_tokens(io.StringIO(source).readline)]
    except (tokenize.TokenError, SyntaxError):
        return source
    tokens = [token for token in found if token.type not in KEPT]
    if not tokens:
        return source
    one, other = random.choice(tokens), random.choice(tokens)
    new = random.choice((
        "", f"{one.string} {one.string}", other.string, other.string, random.choice(TOKENS),
        f"{one.string} {random.choice(TOKENS)}",
    ))  # fmt: skip
    lines = source.splitlines(keepends=True)
    (row, start), (last, end) = one.start, one.end
    before, after = lines[row - 1][:start], lines[last - 1][end:]
    return "".join([*lines[: row - 1], before + new + after, *lines[last:]])


def with_lines_changed(source: str, random: Random) -> str:
    """``source`` with a line left out, doubled, moved, joined to the next or indented otherwise."""
    lines = source.splitlines(keepends=True)
    if len(lines) < 2:
        return source
    k, m = random.randrange(len(lines)), random.randrange(len(lines))
    line = lines[k]
    match random.randrange(6):
        case 0:
            del lines[k]
        case 1:
            lines.insert(k, line)
        case 2:
            lines.insert(m, lines.pop(k))
        case 3:
            lines[k] = line.rstrip("\n")
        case 4:
            lines[k] = "    " + line
        case _:
            lines[k] = line.removeprefix("    ")
    return "".join(lines)
