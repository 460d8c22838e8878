"""The words of a command line, before and behind what typer makes of them."""

from __future__ import annotations

import shlex
from collections.abc import MutableMapping, Sequence
from pathlib import Path

import typer
from typer.main import get_command

from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.output.outline import outline
from mooncake_transpiler.packages import in_whole_package, package_name

PROGRAM = "mooncake-transpile"
_IN_COMMENTS = frozenset({"--mode", "--modes", "--wrt", "--skip"})  # options that others have
_COMMENT = "write `# mooncake: wrt=x modes=reverse,hvp` above the function"


def help_text(app: typer.Typer, default: str) -> str:
    """The help of the command ``default``, which need not be named, and all other commands."""
    group = get_command(app)
    commands: dict[str, typer.core.TyperCommand] = group.commands  # type: ignore[attr-defined]
    with commands[default].make_context(PROGRAM, [], resilient_parsing=True) as ctx:
        text = ctx.get_help()
    others = {name: made for name, made in commands.items() if name != default}
    lines = [f"  {name:9} {made.get_short_help_str(90)}" for name, made in others.items()]
    head = f"{text.rstrip()}\n\nOther commands (`{PROGRAM} COMMAND --help` has their options):\n"
    last = "\n\n--version shows the version, --install-completion sets up your shell.\n"
    return head + "\n".join(lines) + last


def name_default(env: MutableMapping[str, str], commands: tuple[str, ...], default: str) -> None:
    """Put the name of the command ``default`` into the line that a shell wants completed.

    Not where the first word is being typed, unless that is an option: it may become any command.
    """
    for variable in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS"):
        line = env.get(variable, "")
        program, _, rest = line.partition("\n" if "\n" in line else " ")
        first = rest.split()[0] if rest.split() else ""
        is_typed = first == rest.strip() and rest == rest.rstrip()
        if not first or first in commands or (is_typed and not first.startswith("-")):
            continue
        env[variable] = f"{shlex.quote(program)} {default} {rest}"
        if variable == "COMP_WORDS" and env.get("COMP_CWORD", "").isdigit():
            env["COMP_CWORD"] = str(int(env["COMP_CWORD"]) + 1)


def meant_otherwise(argv: Sequence[str], commands: Sequence[str]) -> str:
    """The mistake in a command line that its parser would not explain; empty if there is none."""
    first, *others = argv
    for word in others:
        if word.partition("=")[0] in _IN_COMMENTS:
            return f"{word} is no option: {_COMMENT}"
    if first.startswith("-") or first in commands:
        return ""
    path = Path(first)
    hint = did_you_mean(first, commands)  # of short words only: Path refuses long ones
    if hint and not path.exists():
        return f"there is no command or path {first!r}{hint}"
    if others or not path.exists():
        return ""
    beside = path if path.is_dir() else path.parent
    return f"OUT is missing; {PROGRAM} {first} {beside} puts gradient modules beside their sources"


def whole(src: Path, out: Path, only: tuple[str, ...]) -> tuple[Path, Path, tuple[str, ...]]:
    """SRC, OUT and the selection where a module of a package stands for that package.

    OUT is SRC where it is the module or its folder. Elsewhere it mirrors the package, if the module
    imports from that; one that does not is a plain module there.
    """
    if src.is_file() and src.suffix != ".py":
        raise typer.BadParameter(f"{src} is no module: its name ends with .py", param_hint="SRC")
    root, name = in_whole_package(src)
    in_place = out.resolve() in (src.resolve(), src.resolve().parent)
    if not name or not (in_place or _imports_neighbours(src)):
        return src, out, only
    short = [item.partition(":") for item in only]
    named = {src.stem, name}
    chosen = tuple(f"{name if m in named else m}{colon}{f}" for m, colon, f in short)
    return root, root if in_place else out, chosen or (name,)


def _imports_neighbours(src: Path) -> bool:
    """True if the file ``src`` imports from the package that it stands in."""
    package = package_name(src)
    try:
        imports = outline(src.read_bytes(), package).imports
    except OSError:
        return False
    top = package.partition(".")[0]
    return imports is None or any(name.partition(".")[0] == top for name in imports)
