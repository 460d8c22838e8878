"""The command ``mooncake-transpile``."""

from __future__ import annotations

import sys
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mooncake_transpiler import console
from mooncake_transpiler.build import Report, Request, build
from mooncake_transpiler.collector import collect_rarely
from mooncake_transpiler.compilation import Crashed, crash_from
from mooncake_transpiler.config import CONTEXTS, ConfigError
from mooncake_transpiler.output.inputs import Inputs, find_inputs
from mooncake_transpiler.progress import progress_bar
from mooncake_transpiler.version import VERSION

DEFAULT = "transpile"
COMMANDS = (DEFAULT, "explain", "list", "verify")
TOP_OPTIONS = ("--help", "--version")


class Exit(IntEnum):
    FINE = 0
    ERRORS = 1
    USAGE = 2
    OUT_OF_DATE = 3
    INTERNAL = 70


class Format(StrEnum):
    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    GITHUB = "github"


app = typer.Typer(
    name="mooncake-transpile",
    help="Write gradient modules for typed Python modules: mooncake-transpile SRC OUT",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    console.open_streams()
    collect_rarely()
    sys.exit(run(sys.argv[1:]))


def run(argv: list[str]) -> int:
    """Run the command; the exit code."""
    if argv and argv[0] not in (*COMMANDS, *TOP_OPTIONS):
        argv = [DEFAULT, *argv]
    try:
        app(args=argv or ["--help"], prog_name="mooncake-transpile")
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
    return Exit.FINE


Source = Annotated[Path, typer.Argument(metavar="SRC", exists=True, help="A folder or a module.")]
Output = Annotated[
    Path, typer.Argument(metavar="OUT", help="The folder for the output; may be SRC itself.")
]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit 3 if out of date.")]
Diff = Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace edited and foreign files; compile everything.")
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="MODULE[:FUNCTION]", help="Nothing but this; repeatable."),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes to use.")]
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
    jobs: Jobs = 1,
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
    if out.is_file() and out != src:
        raise typer.BadParameter(f"{out} is a file", param_hint="OUT")
    selected = tuple(only or ())
    if context not in (None, *CONTEXTS):
        raise typer.BadParameter(f"known: {', '.join(CONTEXTS)}", param_hint="--context")
    if print_ir:
        inputs = find_inputs(src, selected, context=context)
        raise typer.Exit(_print_ir(inputs, print_ir, output_format, debug))
    request = Request(
        src,
        out,
        check,
        diff,
        force,
        selected,
        jobs,
        context,
        vendor,
        debug_checks,
        check_bounds,
        keep_going,
    )
    with progress_bar() as notify:
        report = build(request, notify)
    console.show_report(report, src, output_format.value, verbose, debug)
    raise typer.Exit(_exit_code(report))


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
    from mooncake_transpiler.verify.showing import show

    task = prepare(src, out, tuple(only or ()))
    if task.errors or task.outdated:
        console.show_diagnostics([*task.errors, *task.outdated], src, output_format.value)
        raise typer.Exit(Exit.ERRORS if task.errors else Exit.OUT_OF_DATE)
    is_right = show(task, inputs, seed, points, output_format is TableFormat.JSON)
    raise typer.Exit(Exit.FINE if is_right else Exit.ERRORS)


@app.command("explain")
def explain(code: Annotated[str, typer.Argument(metavar="CODE", help="Such as MK204.")]) -> None:
    """Say what a diagnostic code means, with an example and a way out."""
    from mooncake_transpiler.codes import CODES

    found = CODES.get(code.upper())
    if found is None:
        raise typer.BadParameter(f"there is no code {code}", param_hint="CODE")
    console.show(f"{found.number}: {found.title}\n\n{found.explanation}\n")


@app.command("list")
def list_(src: Source, output_format: OutputFormat = Format.FULL) -> None:
    """Name each function under SRC: emitted, helper or skipped, and why."""
    from mooncake_transpiler.list_command import list_functions

    lines, diagnostics = list_functions(find_inputs(src))
    for line in lines:
        console.show(f"{line}\n")
    console.show_diagnostics(diagnostics, src, output_format.value)
    raise typer.Exit(Exit.ERRORS if diagnostics else Exit.FINE)


def _print_ir(inputs: Inputs, wanted: list[str], output_format: Format, debug: bool) -> int:
    from mooncake_transpiler.pipeline import print_stages

    texts, diagnostics, crashes = print_stages(inputs, _stages(wanted))
    for text in texts:
        console.show(f"{text}\n")
    console.show_diagnostics(diagnostics, inputs.src, output_format.value)
    for crash in crashes:
        console.show_crash(crash, debug)
    return _exit_code(Report(errors=diagnostics, crashes=crashes))


def _stages(wanted: list[str]) -> frozenset[str]:
    """The stages that ``after=PASS`` names."""
    from mooncake_transpiler.pipeline import STAGES

    named = {item.removeprefix("after=") for item in wanted}
    unknown = sorted(named - {*STAGES, "all"})
    if unknown:
        known = ", ".join(STAGES)
        raise typer.BadParameter(f"{unknown[0]!r}; known: {known}, all", param_hint="--print-ir")
    return frozenset(STAGES if "all" in named else named)


def _exit_code(report: Report) -> int:
    if report.crashes:
        return Exit.INTERNAL
    if report.errors:
        return Exit.ERRORS
    return Exit.OUT_OF_DATE if report.outdated else Exit.FINE


if __name__ == "__main__":
    main()
