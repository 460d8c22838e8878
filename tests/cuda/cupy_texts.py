"""CuPy's own text around the kernels of a module: ``python -m tests.cuda.cupy_texts FILE``.

No GPU is needed for that: kernels are compiled when they are launched. Prints the names that CuPy
lacks, and the source of each kernel as it is launched over one axis, or over two that are not
contiguous and counted by 64 bits.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import cupy
import cupyx
import cupyx.scipy.special
from cupy._core import _carray, _kernel

LAUNCHES = ((1, True), (2, False))  # axes, and whether all is contiguous and counted by 32 bits
ARRAY, INDEXER, SCALAR = 1, 2, 3  # kinds of arguments, by CuPy's numbers for them
NAMES = re.compile(r"^[^#]*?\b(cp|cupyx)((?:\.\w+)+)", re.MULTILINE)


def source(kernel: Any, axes: int, *, plain: bool) -> str:
    """The text that CuPy compiles for ``kernel``."""
    infos = [_info(kernel, param, axes, plain=plain) for param in kernel.params]
    around = (kernel.kwargs.get(part, "") for part in ("loop_prep", "after_loop"))
    text: str = _kernel._get_elementwise_kernel_code(
        tuple(infos), _kernel._TypeMap(()), kernel.params, kernel.operation, kernel.name,
        kernel.preamble, *around, (),
    )  # fmt: skip
    return text


def _info(kernel: Any, param: Any, axes: int, *, plain: bool) -> Any:
    """An argument: integers that are no arrays are numbers of the host."""
    if param.dtype is None:
        return _kernel._ArgInfo(INDEXER, _carray.Indexer, None, axes, True, plain)
    if param.dtype.kind == "i" and not param.raw and param not in kernel.out_params:
        return _kernel._ArgInfo(SCALAR, int, param.dtype, 0, True, True)
    return _kernel._ArgInfo(ARRAY, cupy.ndarray, param.dtype, axes, plain, plain)


def made_by(text: str) -> list[Any]:
    """The kernels that the module with this text makes, each of them once."""
    found: dict[object, Any] = {}
    original = cupy.ElementwiseKernel

    def make(*args: Any, **options: Any) -> Any:
        kernel = original(*args, **options)
        found.setdefault((*args[:3], *options.items()), kernel)
        return kernel

    cupy.ElementwiseKernel = make
    try:
        module = sys.modules["made_by_cupy"] = ModuleType("made_by_cupy")
        exec(compile(text, "<made_by_cupy>", "exec", dont_inherit=True), module.__dict__)
    finally:
        cupy.ElementwiseKernel = original
    return list(found.values())


def lacking(text: str) -> list[str]:
    """The names of CuPy in ``text`` that it does not have."""
    code = re.sub(r'"""(.*?)"""', "", text, flags=re.DOTALL)
    found = []
    for library, path in set(NAMES.findall(code)):
        held: Any = {"cp": cupy, "cupyx": cupyx}[library]
        for part in path.split(".")[1:]:
            held = getattr(held, part, None)
        if held is None and path != ".newaxis":
            found.append(library + path)
    return found


if __name__ == "__main__":
    emitted = Path(sys.argv[1]).read_text()
    kernels = made_by(emitted)
    sources = [
        source(kernel, axes, plain=plain)
        for k, kernel in enumerate(kernels)
        for axes, plain in (LAUNCHES[k % len(LAUNCHES)],)
    ]
    print(json.dumps({"lacking": lacking(emitted), "sources": sources}))
