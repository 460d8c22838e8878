"""Kernels as NVIDIA's compiler takes them, for two architectures; no GPU is needed for that.

Some of the programs' kernels, others for each architecture; all with ``--whole-grid``.

The compiler is in a wheel (extra ``test-cuda``); without it these tests are skipped.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files
from itertools import product
from pathlib import Path

import pytest
from mooncake_runtime import device_recurrences, device_runs
from mooncake_runtime.device_complex import OF_COMPLEX
from mooncake_runtime.device_indices import INDEX, OF_INDICES
from mooncake_runtime.device_rows import COLUMN_PARTS
from mooncake_runtime.device_special import NAMES, OF_INTEGERS, parameters, special
from mooncake_runtime.device_translated import COMMON
from mooncake_transpiler.emit.cuda.ctext import SPECIAL

from tests.cuda import standin
from tests.cuda.compiler import TYPES
from tests.cuda.conftest import Programs
from tests.cuda.standin import ElementwiseKernel

ARCHITECTURES = ("compute_80", "compute_90")
WHEELS = ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12")
CUPY = ("cupy-cuda13x", "cupy-cuda12x")
HEAD = """
template <int ndim, bool narrow> struct CIndexer {};
template <typename T> struct Array {
  char* data; const long long* shape; const long long* strides; int ndim;
  __device__ T& operator[](long long i) {
    char* at = data;
    for (int k = ndim - 1; k >= 0; --k) { at += i % shape[k] * strides[k]; i /= shape[k]; }
    return *reinterpret_cast<T*>(at);
  }
};
"""


def _library() -> ctypes.CDLL | None:
    for wheel in WHEELS:
        try:
            found = files(wheel) or []
        except PackageNotFoundError:
            continue
        for file in found:
            if re.fullmatch(r"libnvrtc\.so\.\d+", file.name):
                return ctypes.CDLL(str(file.locate()))
    return None


@pytest.fixture(scope="module")
def nvrtc() -> ctypes.CDLL:
    library = _library()
    if library is None:
        pytest.skip("NVRTC is not installed: pip install mooncake-transpile[test-cuda]")
    return library


def _headers() -> str | None:
    """The folder of CuPy's headers, which complex numbers need; None without CuPy."""
    for wheel in CUPY:
        try:
            found = files(wheel) or []
        except PackageNotFoundError:
            continue
        for file in found:
            if str(file).endswith("include/cupy/complex.cuh"):
                return str(Path(str(file.locate())).parents[1])
    return None


def _head() -> str:
    return HEAD if _headers() is None else f"#include <cupy/complex.cuh>\n{HEAD}"


def _source(kernel: ElementwiseKernel, number: int, *, narrow: bool = True) -> str:
    """The kernel as it is where iterations are counted by 32 bits, or by 64."""
    params, elements = [], []
    for k, (raw, dtype, name) in enumerate(kernel.params):
        type_ = TYPES[dtype]
        params.append(f"Array<{type_}> {name if raw else f'_raw_{name}'}")
        if not raw:
            const = "const " if k < kernel.inputs else ""
            elements.append(f"{const}{type_}& {name} = _raw_{name}[i];")
    return f"""
namespace kernel{number} {{
{kernel.preamble}
extern "C" __global__ void launch{number}({", ".join(params)}, long long n) {{
  CIndexer<1, {str(narrow).lower()}> _ind;
  {kernel.loop_prep}
  const long long start = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = start; i < n; i += (long long)blockDim.x * gridDim.x) {{
    {" ".join(elements)}
    {kernel.text}
  }}
  {kernel.after_loop}
}}
}}
"""


def _ptx(nvrtc: ctypes.CDLL, source: str, architecture: str) -> str:
    program = ctypes.c_void_p()
    made = nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None
    )
    assert made == 0
    options = [f"--gpu-architecture={architecture}".encode(), b"-ftz=true", b"-w"]
    if (headers := _headers()) is not None:
        inside = ("", "/cupy/_cccl/libcudacxx", "/cupy/_cccl/thrust", "/cupy/_cccl/cub")
        options += [f"-I{headers}{folder}".encode() for folder in inside]
    given = (ctypes.c_char_p * len(options))(*options)
    if nvrtc.nvrtcCompileProgram(program, len(options), given):
        raise AssertionError(f"NVRTC refuses a kernel:\n{_text(nvrtc, program, 'ProgramLog')}")
    text = _text(nvrtc, program, "PTX")
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return text


def _text(nvrtc: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> str:
    size = ctypes.c_size_t()
    nvrtc[f"nvrtcGet{what}Size"](program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc[f"nvrtcGet{what}"](program, text)
    return text.value.decode()


def _kernels(both: Programs) -> list[ElementwiseKernel]:
    """The kernels of values and gradients, with all that kernels are made of."""
    found = [value for value in vars(both.device).values() if isinstance(value, ElementwiseKernel)]
    found = [kernel for kernel in found if "_vjp_" in kernel.name or "_pullback_" in kernel.name]
    return [kernel for kernel in found if "complex" not in _source(kernel, 0) or _headers()]


def _sampled(kernels: list[ElementwiseKernel], architecture: str) -> list[ElementwiseKernel]:
    """All that have float32 but no float64 in their parameters, and each eighth of the others."""
    single = [kernel for kernel in kernels if _is_single(kernel)]
    others = [kernel for kernel in kernels if not _is_single(kernel)]
    return [*single, *others[4 * ARCHITECTURES.index(architecture) :: 8]]


def _is_single(kernel: ElementwiseKernel) -> bool:
    """True if it is of float32 alone, and calls nothing that is made of scalar kernels."""
    dtypes = {dtype for _, dtype, _ in kernel.params}
    is_exact = COMMON in kernel.preamble
    return "float32" in dtypes and "float64" not in dtypes and not is_exact


def _entries(ptx: str) -> Iterator[tuple[int, str]]:
    """The number of each kernel, and its instructions."""
    for part in ptx.split(".visible .entry launch")[1:]:
        number, _, body = part.partition("(")
        yield int(number), body


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_kernels_compile(
    both: Programs, nvrtc: ctypes.CDLL, architecture: str, pytestconfig: pytest.Config
) -> None:
    """And those without float64 in their parameters convert nothing to it."""
    kernels = _kernels(both)
    if not pytestconfig.getoption("--whole-grid"):
        kernels = _sampled(kernels, architecture)
    narrow = architecture == ARCHITECTURES[0]
    sources = (_source(kernel, k, narrow=narrow) for k, kernel in enumerate(kernels))
    entries = dict(_entries(_ptx(nvrtc, _head() + "".join(sources), architecture)))
    assert len(entries) == len(kernels)
    single = [k for k, kernel in enumerate(kernels) if _is_single(kernel)]
    assert single
    for k in single:
        # sinf and cosf of NVIDIA reduce large arguments in double precision, from integers
        assert not re.search(r"cvt\S*\.f64\.f32", entries[k]), kernels[k].name


@pytest.mark.parametrize("narrow", [True, False])
def test_divisions_by_size(nvrtc: ctypes.CDLL, narrow: bool) -> None:
    """Indices are divided by 32 bits alone if these are enough."""
    source = f"""{HEAD}
{OF_INDICES}
extern "C" __global__ void launch0(long long* places, long long i, long long m, long long n) {{
  CIndexer<1, {str(narrow).lower()}> _ind;
  {INDEX}
  places[0] = (index)i / (index)m % (index)n;
}}
"""
    ptx = _ptx(nvrtc, source, ARCHITECTURES[0])
    assert bool(re.search(r"(div|rem)\.[su]64", ptx)) != narrow
    assert "div.u32" in ptx or not narrow


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("type_", ["float", "double", "long long", "complex<float>"])
def test_special_functions_compile(nvrtc: ctypes.CDLL, type_: str, architecture: str) -> None:
    if type_.startswith("complex") and _headers() is None:
        pytest.skip("CuPy, whose headers have complex numbers, is not installed")
    others = {"long long": {*OF_INTEGERS}, "complex<float>": {*OF_COMPLEX}}
    of_floats = NAMES.union(SPECIAL.values()).difference(*others.values())
    names = sorted(others.get(type_, of_floats))
    source = _head() + special(*names)
    for k, name in enumerate(names):
        args = ", ".join(f"x[{j}]" for j in range(len(parameters(name))))
        source += f"""extern "C" __global__ void launch{k}({type_}* x) {{
  x[0] = special::{name}({args});
}}
"""
    entries = dict(_entries(_ptx(nvrtc, source, architecture)))
    assert len(entries) == len(names)
    for k, body in entries.items() if type_ == "float" else ():
        assert not re.search(r"cvt\S*\.f64\.f32", body) or names[k] not in NAMES, names[k]


def test_sums_of_columns_compile(nvrtc: ctypes.CDLL) -> None:
    source = f"""{HEAD}
{OF_INDICES}
extern "C" __global__ void launch0(
  Array<float> terms, float& sums, long long i, long long width, long long parts, long long count
) {{
  CIndexer<1, true> _ind;
  {COLUMN_PARTS.format(type="float")}
}}
"""
    assert _ptx(nvrtc, source, ARCHITECTURES[0])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kernels_of_the_runtime_compile(nvrtc: ctypes.CDLL, dtype: str) -> None:
    with standin.installed():
        kernels = [
            device_runs._run_bounds(),
            *(
                device_runs._parts_added(dtype, *flags)
                for flags in product((True, False), repeat=2)
            ),
            device_recurrences._composed(dtype),
            device_recurrences._followed(dtype),
        ]
    sources = (_source(kernel, k) for k, kernel in enumerate(kernels))
    entries = dict(_entries(_ptx(nvrtc, HEAD + "".join(sources), ARCHITECTURES[0])))
    assert len(entries) == len(kernels)
    if dtype == "float32":
        assert not any(re.search(r"\.f64", body) for body in entries.values())


def test_mistakes_are_found(both: Programs, nvrtc: ctypes.CDLL) -> None:
    kernel = next(k for k in _kernels(both) if "sin(" in re.sub("//.*", "", k.text))
    right = _source(kernel, 0)
    with pytest.raises(AssertionError, match="sinus"):
        _ptx(nvrtc, HEAD + right.replace("sin(", "sinus("), ARCHITECTURES[0])
