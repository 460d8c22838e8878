"""The command ``mooncake-transpile``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mooncake_transpiler.collector import collect_rarely
from mooncake_transpiler.compilation import Crashed, crash_from
from mooncake_transpiler.config import CONTEXTS, ConfigError
from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.output.inputs import Inputs, find_inputs
from mooncake_transpiler.run.build import Report, Request, build
from mooncake_transpiler.terminal import console, watching
from mooncake_transpiler.terminal.commandline import help_text, meant_otherwise, name_default, whole
from mooncake_transpiler.terminal.progress import progress_bar
from mooncake_transpiler.version import VERSION

DEFAULT = "transpile"
COMMANDS = (DEFAULT, "explain", "list", "report", "verify")
TOP_OPTIONS = ("--version", "--install-completion", "--show-completion")
COMPLETING = "_MOONCAKE_TRANSPILE_COMPLETE"  # set by shells that ask how a line may go on


class Exit(IntEnum):
    FINE = 0
    ERRORS = 1  # in the source; or, with --diff, there is a difference
    USAGE = 2
    OUT_OF_DATE = 3
    INTERNAL = 70
    INTERRUPTED = 130


class Format(StrEnum):
    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


app = typer.Typer(
    name="mooncake-transpile",
    help="Write gradient modules for typed Python modules: mooncake-transpile SRC OUT",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    console.open_streams()
    collect_rarely()
    if sys.argv[1:2] != ["verify"]:  # the one that runs code: others need not wait for numba
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    sys.exit(run(sys.argv[1:]))


def run(argv: list[str]) -> int:
    """Run the command; the exit code."""
    try:
        return _run(argv)
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else Exit.USAGE
    except (ConfigError, console.OutputError) as error:
        console.say(f"error: {error}")
        return Exit.USAGE
    except OSError as error:  # what the system refuses is no error of ours
        console.silence()
        at = f"{error.filename}: " if error.filename else ""
        console.say(f"error: {at}{error.strerror}")
        return Exit.USAGE
    except Crashed as crashed:
        console.show_crash(crashed.crash, "--debug" in argv)
        return Exit.INTERNAL
    except Exception as error:
        console.show_crash(crash_from(error, "this run"), "--debug" in argv)
        return Exit.INTERNAL


def _run(argv: list[str]) -> int:
    if COMPLETING in os.environ:
        name_default(os.environ, COMMANDS, DEFAULT)
    elif argv[:1] in ([], ["--help"]):
        console.show(help_text(app, DEFAULT))
        return Exit.FINE
    elif mistake := meant_otherwise(argv, COMMANDS):
        console.say(f"error: {mistake}")
        return Exit.USAGE
    elif argv[0] not in (*COMMANDS, *TOP_OPTIONS):
        argv = [DEFAULT, *argv]
    app(args=argv, prog_name="mooncake-transpile")
    return Exit.FINE


Source = Annotated[Path, typer.Argument(metavar="SRC", exists=True, help="A folder or a module.")]
Output = Annotated[
    Path, typer.Argument(metavar="OUT", help="The folder for the output; may be SRC itself.")
]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit 3 if out of date.")]
Diff = Annotated[
    bool, typer.Option("--diff", help="Write nothing; show what would change; exit 1 if any.")
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace edited and foreign files; compile everything.")
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="MODULE[:FUNCTION]", help="Nothing but this; repeatable."),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes to use; default: all cores."),
]
Watch = Annotated[bool, typer.Option("--watch", help="Run again whenever a source changes.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Name each file.")]
PrintIR = Annotated[
    list[str] | None,
    typer.Option("--print-ir", metavar="after=PASS", help="Write nothing; print a normal form."),
]
OutputFormat = Annotated[Format, typer.Option("--output-format", help="How errors are shown.")]
Context = Annotated[
    str | None,
    typer.Option("--context", metavar="default|minimal", help="minimal: no rules for speed."),
]
Vendor = Annotated[
    bool, typer.Option("--vendor", help="Copy the runtime into OUT, which then needs no other.")
]
DebugChecks = Annotated[
    bool, typer.Option("--debug-checks", help="Compare shadows with their primals at run time.")
]
CheckBounds = Annotated[
    bool, typer.Option("--check-bounds", help="Test indices at run time: IndexError.")
]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="Emit what can be, in modules with errors too.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of internal errors.")]


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Write gradient modules for typed Python modules: mooncake-transpile SRC OUT."""
    if version:
        console.show(f"{VERSION}\n")


@app.command(DEFAULT)
def transpile(
    src: Source,
    out: Output,
    check: Check = False,
    diff: Diff = False,
    force: Force = False,
    only: Only = None,
    jobs: Jobs = None,
    watch: Watch = False,
    verbose: Verbose = False,
    print_ir: PrintIR = None,
    context: Context = None,
    vendor: Vendor = False,
    debug_checks: DebugChecks = False,
    check_bounds: CheckBounds = False,
    keep_going: KeepGoing = False,
    output_format: OutputFormat = Format.FULL,
    debug: Debug = False,
) -> None:
    """Write a gradient module beside a copy of each module (done where no command is named)."""
    _check_arguments(src, out, context)
    src, out, selected = whole(src, out, tuple(only or ()))
    if print_ir:
        inputs = find_inputs(src, selected, context=context)
        raise typer.Exit(_print_ir(inputs, print_ir, output_format, debug))
    request = Request(
        src, out, check, diff, force, selected, jobs or 0, context, vendor, debug_checks,
        check_bounds, keep_going,
    )  # fmt: skip
    if watch:
        with suppress(KeyboardInterrupt):
            watching.watch(request.inputs, lambda: watching.again(sys.argv[1:]), console.say)
        raise typer.Exit(Exit.INTERRUPTED)
    with progress_bar() as notify:
        report = build(request, notify)
    console.show_report(report, src, output_format.value, verbose, debug)
    raise typer.Exit(_exit_code(report))


def _check_arguments(src: Path, out: Path, context: str | None) -> None:
    """Refuse an OUT that is another file, and a context that is not known."""
    if out.is_file() and out != src:
        raise typer.BadParameter(f"{out} is a file", param_hint="OUT")
    if out.suffix == ".py" and out != src and not out.exists():
        raise typer.BadParameter(f"{out} is no name of a folder", param_hint="OUT")
    if context not in (None, *CONTEXTS):
        hint = did_you_mean(str(context), CONTEXTS) or f"; known: {', '.join(CONTEXTS)}"
        raise typer.BadParameter(f"unknown context {context!r}{hint}", param_hint="--context")


class TableFormat(StrEnum):
    FULL = "full"
    JSON = "json"


@app.command("verify")
def verify_(
    src: Source,
    out: Output,
    only: Only = None,
    inputs: Annotated[
        Path | None,
        typer.Option("--inputs", metavar="FILE", exists=True, dir_okay=False,
                     help="A Python file with arguments: inputs_NAME() for each function."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Draws other arguments.")] = 0,
    points: Annotated[
        int, typer.Option("--points", min=1, metavar="N", help="How many arguments to try.")
    ] = 3,
    output_format: Annotated[
        TableFormat, typer.Option("--output-format", help="Lines, or a table.")
    ] = TableFormat.FULL,
    debug: Debug = False,
) -> None:  # fmt: skip
    """Import and RUN the modules of SRC and OUT: are the derivatives those of the functions?"""
    from mooncake_transpiler.verify.command import prepare
    from mooncake_transpiler.verify.verdict_lines import show

    src, out, selected = whole(src, out, tuple(only or ()))
    task = prepare(src, out, selected)
    if task.outdated:
        console.show_diagnostics([*task.refused, *task.outdated], src, output_format.value)
        raise typer.Exit(Exit.OUT_OF_DATE)
    is_right = show(task, inputs, seed, points, output_format is TableFormat.JSON)
    raise typer.Exit(Exit.FINE if is_right else Exit.ERRORS)


@app.command("report")
def report_(
    src: Source,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", dir_okay=False,
                           help="The page to write; it stands alone."),
    ] = Path("report.html"),
    text: Annotated[
        str, typer.Option("--text", metavar="FUNCTION", help="Print the facts about a function.")
    ] = "",
    only: Only = None,
    verified: Annotated[
        Path | None,
        typer.Option("--verified", metavar="FILE", exists=True, dir_okay=False,
                     help="What `verify --output-format json` has printed: certificates."),
    ] = None,
    output_format: OutputFormat = Format.FULL,
    debug: Debug = False,
) -> None:  # fmt: skip
    """Show source, forward and pullback side by side, what is saved and why: a page, or text."""
    from mooncake_transpiler.report.page import page
    from mooncake_transpiler.report.report_command import facts
    from mooncake_transpiler.report.terminal import plain

    src, _, selected = whole(src, src, tuple(only or ()))
    found = facts(src, selected, verified, text)
    if text:
        console.show(plain(found.modules))
    else:
        output.write_text(page(found.modules), "utf-8", newline="\n")
        console.say(f"wrote {output}")
    console.show_diagnostics(found.diagnostics, src, output_format.value)
    for crash in found.crashes:
        console.show_crash(crash, debug)
    raise typer.Exit(_exit_code(Report(errors=found.diagnostics, crashes=found.crashes)))


@app.command("explain")
def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Such as MK204.")] = "",
) -> None:
    """Say what a diagnostic code means, with an example and a way out; or list all codes."""
    from mooncake_transpiler.diagnostic.codes import CODES

    if not code:
        console.show("".join(f"{one.number}  {one.title}\n" for one in CODES.values()))
        return
    found = CODES.get(f"MK{code.upper().removeprefix('MK')}")
    if found is None:
        hint = "`mooncake-transpile explain` lists all"
        raise typer.BadParameter(f"there is no code {code}; {hint}", param_hint="CODE")
    console.show(f"{found.number}: {found.title}\n\n{found.explanation}\n")


@app.command("list")
def list_(
    src: Source,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Print signatures for functions that lack them.")
    ] = False,
    output_format: OutputFormat = Format.FULL,
) -> None:
    """Name each function under SRC: emitted, helper or skipped, and why."""
    from mooncake_transpiler.listing.list_command import list_functions

    src, _, selected = whole(src, src, ())
    if suggest:
        from mooncake_transpiler.listing.signature_proposals import propose_signatures

        console.show(
            "".join(f"{line}\n" for line in propose_signatures(find_inputs(src, selected)))
        )
        raise typer.Exit(Exit.FINE)
    lines, diagnostics, crashes = list_functions(find_inputs(src, selected))
    for line in lines:
        console.show(f"{line}\n")
    console.show_diagnostics(diagnostics, src, output_format.value)
    for crash in crashes:
        console.show_crash(crash, debug=False)
    if crashes:
        raise typer.Exit(Exit.INTERNAL)
    raise typer.Exit(Exit.ERRORS if diagnostics else Exit.FINE)


def _print_ir(inputs: Inputs, wanted: list[str], output_format: Format, debug: bool) -> int:
    from mooncake_transpiler.run.pipeline import print_stages

    texts, diagnostics, crashes = print_stages(inputs, _stages(wanted))
    for text in texts:
        console.show(f"{text}\n")
    console.show_diagnostics(diagnostics, inputs.src, output_format.value)
    for crash in crashes:
        console.show_crash(crash, debug)
    return _exit_code(Report(errors=diagnostics, crashes=crashes))


def _stages(wanted: list[str]) -> frozenset[str]:
    """The stages that ``after=PASS`` names."""
    from mooncake_transpiler.run.pipeline import STAGES

    named = {item.removeprefix("after=") for item in wanted}
    unknown = sorted(named - {*STAGES, "all"})
    if unknown:
        hint = did_you_mean(unknown[0], STAGES) or f"; known: {', '.join(STAGES)}, all"
        raise typer.BadParameter(f"{unknown[0]!r}{hint}", param_hint="--print-ir")
    return frozenset(STAGES if "all" in named else named)


def _exit_code(report: Report) -> int:
    if report.crashes:
        return Exit.INTERNAL
    if report.errors:
        return Exit.ERRORS
    if report.outdated:
        return Exit.OUT_OF_DATE
    return Exit.ERRORS if report.diffs else Exit.FINE


if __name__ == "__main__":
    main()
