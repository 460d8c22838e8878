"""What generated functions in plain Python do with objects, in front of compiled ones.

    @border
    def energy_grad(state: State) -> StateBar: ...

Which alternative of a parameter is there is known here, as the classes of objects are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst

from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import Operand

Handler = Callable[[Context, cst.Call, Arguments, str], Operand]

HANDLERS: Mapping[str, Handler] = {}
