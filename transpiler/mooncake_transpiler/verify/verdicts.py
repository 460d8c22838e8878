"""The verdicts of ``verify``, one for each function of a program."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from mooncake_runtime.case import Figure
from mooncake_runtime.tangents import Tree

from mooncake_transpiler.compilation import Notify
from mooncake_transpiler.types import ClassRef
from mooncake_transpiler.verify.drawing import Drawer, Undrawable, declared
from mooncake_transpiler.verify.input_file import InputFile, Known, WrongInputs
from mooncake_transpiler.verify.judging import Finding, Outcome, examine
from mooncake_transpiler.verify.sides import Side
from mooncake_transpiler.verify.styles import STYLES
from mooncake_transpiler.verify.subjects import Loaded, VerifiedFunction, loaded, with_emitted_ranks

ATTEMPTS = 2 * len(STYLES)  # to find arguments that a function takes


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for a function; ``points`` is the number of those that were decided."""

    function: str  # "package.module:function"
    kind: Outcome
    points: int = 0
    figures: tuple[Figure, ...] = ()
    messages: tuple[str, ...] = ()
    arguments: str = ""  # of the call that differs

    @property
    def worst(self) -> Figure | None:
        """The figure that is nearest to its limit."""
        return max(self.figures, key=nearness, default=None)

    @property
    def worst_of_each(self) -> Mapping[str, Figure]:
        found: dict[str, Figure] = {}
        for figure in self.figures:
            known = found.get(figure.what)
            if known is None or nearness(figure) > nearness(known):
                found[figure.what] = figure
        return found


def nearness(figure: Figure) -> float:
    if figure.limit == 0.0:
        return 0.0 if figure.error == 0.0 else np.inf
    return figure.error / figure.limit


@dataclass(frozen=True, slots=True)
class Verifier:
    """The source of functions and arguments; ``wanted`` is the number of points."""

    src: Side
    out: Side
    plain: Side
    given: InputFile
    seed: int
    wanted: int

    def verdict(self, subject: VerifiedFunction) -> Verdict:
        try:
            made = loaded(subject, self.src, self.out, self.plain)
        except Exception as error:
            message = f"can't be imported: {type(error).__name__}: {error}"
            return Verdict(subject.qualname, Outcome.WRONG, messages=(message,))
        subject = with_emitted_ranks(subject, made.generated)
        names = [param.name for param in subject.params]
        try:
            given = self.given.arguments(subject.module, subject.name, names, made.defaults)
        except WrongInputs as wrong:
            return Verdict(subject.qualname, Outcome.UNFIT, messages=(str(wrong),))
        calls = self._drawn(subject, made) if given is None else self._given(subject, made, given)
        with self.out.active():
            return self._judged(subject, made, names, calls, given is not None)

    def _judged(
        self, subject: VerifiedFunction, made: Loaded, names: Sequence[str],
        calls: Iterator[tuple[Tree, ...] | Finding], all_of_them: bool,
    ) -> Verdict:  # fmt: skip
        right: list[Finding] = []
        others: list[Finding] = []
        for number, args in enumerate(calls):
            found = args if isinstance(args, Finding) else examine(
                made, subject, args, self.seed + number
            )  # fmt: skip
            if found.kind is Outcome.WRONG and not isinstance(args, Finding):
                return Verdict(subject.qualname, Outcome.WRONG, len(right), found.figures,
                               found.messages, _listed(names, args))  # fmt: skip
            (right if found.kind is Outcome.RIGHT else others).append(found)
            if len(right) == self.wanted and not all_of_them:
                break
        if right:
            figures = tuple(figure for finding in right for figure in finding.figures)
            return Verdict(subject.qualname, Outcome.RIGHT, len(right), figures)
        unclear = [finding for finding in others if finding.kind is Outcome.UNCLEAR]
        last = (unclear or others)[0]
        return Verdict(subject.qualname, last.kind, messages=last.messages)

    # ---- arguments ------------------------------------------------------------------------------

    def _drawn(
        self, subject: VerifiedFunction, made: Loaded
    ) -> Iterator[tuple[Tree, ...] | Finding]:
        for number in range(ATTEMPTS):
            yield self._call(subject, made, number, {})

    def _given(
        self, subject: VerifiedFunction, made: Loaded, calls: Sequence[Known]
    ) -> Iterator[tuple[Tree, ...] | Finding]:
        for number, known in enumerate(calls):
            yield self._call(subject, made, number, known)

    def _call(
        self, subject: VerifiedFunction, made: Loaded, number: int, known: Known
    ) -> tuple[Tree, ...] | Finding:
        """The arguments of a call; those that are not ``known`` are drawn."""
        rng = np.random.default_rng((self.seed, number, crc32(subject.qualname.encode())))
        style = STYLES[number % len(STYLES)]
        drawer = Drawer(rng, style, number, self._class, made.texts)
        args: list[Tree] = []
        for param in subject.params:
            try:
                if param.name in known:
                    args.append(declared(known[param.name], param.annotation.type))
                elif param.name in made.defaults and _is_kept(made, param.name, number):
                    args.append(declared(made.defaults[param.name], param.annotation.type))
                else:
                    hint = made.hints.get(param.name)
                    args.append(drawer.drawn(param.annotation, hint, param.bounds))
            except Undrawable as problem:
                text = f"its parameter {param.name} can't be drawn, being {problem}: use --inputs"
                return Finding(Outcome.UNFIT, (text,))
            except Exception as error:
                text = f"no {param.name} can be made: {type(error).__name__}: {error}"
                return Finding(Outcome.UNFIT, (text,))
        return tuple(args)

    def _class(self, ref: ClassRef) -> type:
        found: type = getattr(self.src.load(ref.module), ref.name)
        return found


def _is_kept(made: Loaded, name: str, number: int) -> bool:
    """True for a default in every other call; other floats say more than that of floats."""
    return number % 2 == 0 and not isinstance(made.defaults[name], float)


def _listed(names: Sequence[str], args: tuple[Tree, ...]) -> str:
    short = reprlib.Repr()
    short.maxother = short.maxstring = 200
    return ", ".join(f"{name}={short.repr(arg)}" for name, arg in zip(names, args, strict=True))


def verdicts(
    verifier: Verifier, subjects: Sequence[VerifiedFunction], notify: Notify
) -> Iterator[Verdict]:
    """The verdicts of subjects, one after the other, as they are reached."""
    for number, subject in enumerate(subjects):
        notify(number, len(subjects), subject.qualname)
        yield verifier.verdict(subject)
    notify(len(subjects), len(subjects), "")
