"""The Python text of scalar kernels, from which kernels in CUDA C++ are made."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from functools import cache
from types import ModuleType

C_TYPES = {"float": "double", "int": "long long", "bool": "bool", "pair": "Pair"}


def _topics() -> list[ModuleType]:
    """The modules of the kernels that CuPy has under a name, and of their derivatives."""
    from mooncake_runtime.scalar_kernels import (
        betas,
        dilogarithm,
        elliptic,
        exponential_integrals,
        gamma,
        incomplete,
        logistic,
        pochhammer,
        polynomial,
        powers,
        waves,
    )

    return [
        betas, dilogarithm, elliptic, exponential_integrals, gamma, incomplete, logistic,
        pochhammer, polynomial, powers, waves,
    ]  # fmt: skip


@cache
def kernels() -> dict[tuple[str, str], ScalarKernel]:
    """The kernels, by module and name."""
    found = {}
    for module in _topics():
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.FunctionDef):
                found[module.__name__, node.name] = ScalarKernel(module, node)
    return found


def kernel(name: str) -> ScalarKernel:
    """The public kernel ``name``."""
    return next(one for (_, own), one in kernels().items() if own == name)


@dataclass(frozen=True, slots=True)
class ScalarKernel:
    """A kernel in Python, and the module in which its names are looked up."""

    module: ModuleType
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        """Its name in C++, which that of the module keeps apart."""
        return f"{self.module.__name__.rpartition('.')[2]}_{self.node.name}".replace("__", "_")

    @property
    def parameters(self) -> dict[str, str]:
        return {arg.arg: _annotated(arg.annotation) for arg in self.node.args.args}

    @property
    def result(self) -> str:
        return _annotated(self.node.returns)

    @property
    def head(self) -> str:
        params = ", ".join(f"{C_TYPES[type_]} {name}" for name, type_ in self.parameters.items())
        return f"__device__ {C_TYPES[self.result]} {self.name}({params})"


def _annotated(node: ast.expr | None) -> str:
    match node:
        case ast.Name(id="float" | "int" | "bool" as name):
            return name
        case ast.Subscript(value=ast.Name(id="tuple")):
            return "pair"
        case _:
            raise NotImplementedError(ast.dump(node) if node else "no annotation")
