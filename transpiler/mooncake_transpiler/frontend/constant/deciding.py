"""Names that the branches of an ``if`` at module level bind: the one that runs, by constants."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler.frontend.constant.values import Evaluator, Unknowable
from mooncake_transpiler.frontend.name.bindings import Binding, ChoiceBinding, UnknownBinding


def decide(evaluator: Evaluator) -> None:
    """Replace choices among bindings by what is chosen, in the order of the text."""
    for module, bindings in evaluator.resolver.bindings.items():
        for name, binding in bindings.names.items():
            bindings.names[name] = _decided(evaluator, module, binding)


def _decided(evaluator: Evaluator, module: str, binding: Binding) -> Binding:
    while isinstance(binding, ChoiceBinding):
        try:
            test = replace(evaluator, known={}).constant(module, binding.test)
        except Unknowable:
            return UnknownBinding("it is bound in more than one branch")
        binding = binding.then if test else binding.orelse
    return binding
