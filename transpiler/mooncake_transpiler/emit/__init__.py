"""From normal form to readable Python."""

from mooncake_transpiler.emit.entries import EmittedFunc
from mooncake_transpiler.emit.function import Emitted, Jit, emit_function
from mooncake_transpiler.emit.imports import Import
from mooncake_transpiler.emit.module import EmitModule, emit_module
from mooncake_transpiler.emit.module_scope import EmittedCallee, ModuleScope

__all__ = [
    "EmitModule", "Emitted", "EmittedCallee", "EmittedFunc", "Import", "Jit", "ModuleScope",
    "emit_function", "emit_module",
]  # fmt: skip
