"""Kernels run on the host: their text, compiled by g++, between what CuPy puts around it.

Threads of a block run one after the other, each from barrier to barrier, neither up nor down, and
in another order from one barrier to the next: iterations that need one another, and a barrier that
is missing, or not reached by all, show. Arrays have CuPy's interface: any strides, elements by flat
index; one that is not there is an error. Shared memory starts as NaN.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from mooncake_runtime.device_indices import INDEX

from tests.cuda.backend import on_gpu

if TYPE_CHECKING:
    from tests.cuda.standin import ElementwiseKernel

GXX = "" if on_gpu() else shutil.which("g++")  # on a GPU kernels need none
TYPES = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint32": "unsigned int", "uint64": "unsigned long long",
    "float32": "float", "float64": "double", "uint16": "unsigned short",
    "complex64": "complex<float>", "complex128": "complex<double>",
}  # fmt: skip

HEAD = r"""
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <ucontext.h>
#define __device__
#define __shared__ static
using namespace std;

static bool outside;  // an element that is not there was asked for

template <typename T> struct Array {
  char* data; const ptrdiff_t* shape; const ptrdiff_t* strides; int ndim;
  T& operator[](ptrdiff_t i) {
    static T nothing;
    char* at = data;
    bool missing = i < 0;
    for (int k = ndim - 1; k >= 0 && !missing; --k) {
      missing = shape[k] == 0;
      if (!missing) { at += i % shape[k] * strides[k]; i /= shape[k]; }
    }
    if (missing || i != 0) { outside = true; return nothing; }
    return *reinterpret_cast<T*>(at);
  }
};

// What CuPy's header adds to complex numbers.
template <typename T> bool isnan(complex<T> z) { return isnan(z.real()) || isnan(z.imag()); }
template <typename T> bool isinf(complex<T> z) { return isinf(z.real()) || isinf(z.imag()); }
template <typename T> bool isfinite(complex<T> z) {
  return isfinite(z.real()) && isfinite(z.imag());
}
template <typename T> complex<T> log1p(complex<T> z) { return log(z + T(1)); }
template <typename T> complex<T> log2(complex<T> z) { return log(z) / log(T(2)); }
template <typename T> complex<T> expm1(complex<T> z) { return exp(z) - T(1); }

// The types that CUDA has them for.
template <typename T> T added(T* at, T value) { T old = *at; *at += value; return old; }
double atomicAdd(double* at, double value) { return added(at, value); }
float atomicAdd(float* at, float value) { return added(at, value); }
int atomicAdd(int* at, int value) { return added(at, value); }
unsigned int atomicAdd(unsigned int* at, unsigned int value) { return added(at, value); }
unsigned long long atomicAdd(unsigned long long* at, unsigned long long value) {
  return added(at, value);
}

struct Argument { char* data; const ptrdiff_t* shape; const ptrdiff_t* strides; ptrdiff_t ndim; };
struct Dim { unsigned int x; };
static Dim threadIdx, blockIdx, blockDim, gridDim;

// The threads of a block and the blocks in an order of their own: first each other one, then back
// over those between. What some iterations need of others is not there yet.
static unsigned int nth(unsigned int k, unsigned int count) {
  const unsigned int even = (count + 1) / 2;
  return k < even ? 2 * k : 2 * (count - k) - 1;
}

// Threads of a block: contexts that run one after the other, each up to its next barrier.
typedef void (*Body)(Argument*, ptrdiff_t);
static ucontext_t scheduler, contexts[1024];
static char stacks[1024][65536];
static bool done[1024];
static Body body;
static Argument* arguments;
static ptrdiff_t count;

static void __syncthreads() { swapcontext(&contexts[threadIdx.x], &scheduler); }
static void run_thread() { body(arguments, count); done[threadIdx.x] = true; }

// False where a barrier is not reached by all threads.
static bool run_block() {
  for (unsigned int t = 0; t < blockDim.x; ++t) {
    done[t] = false;
    getcontext(&contexts[t]);
    contexts[t].uc_stack.ss_sp = stacks[t];
    contexts[t].uc_stack.ss_size = sizeof stacks[t];
    contexts[t].uc_link = &scheduler;
    makecontext(&contexts[t], run_thread, 0);
  }
  for (int round = 0;; ++round) {
    unsigned int ended = 0;
    for (unsigned int k = 0; k < blockDim.x; ++k) {
      threadIdx.x = nth(round % 2 ? (k + blockDim.x / 2) % blockDim.x : k, blockDim.x);
      swapcontext(&scheduler, &contexts[threadIdx.x]);
      ended += done[threadIdx.x];
    }
    if (ended) return ended == blockDim.x;
  }
}

// What CuPy counts iterations by: 32 bits where it is narrow.
template <int ndim, bool narrow> struct CIndexer {};

static const char* run(
  Body what, Argument* a, ptrdiff_t n, unsigned int threads, unsigned int first, void (*poison)()
) {
  outside = false; body = what; arguments = a; count = n;
  blockDim.x = threads; gridDim.x = (n + threads - 1) / threads;
  for (unsigned int k = 0; k < gridDim.x - first; ++k) {
    blockIdx.x = first + nth(k, gridDim.x - first);
    poison();
    if (!run_block()) return "a barrier that some threads do not reach";
  }
  return outside ? "an index out of bounds" : nullptr;
}
"""

NARROW = 100  # iterations that are counted by 32 bits; CuPy's limit is 2**31
SHARED = re.compile(r"__shared__ ([\w<>]+) (\w+)\[(\d+)\]\[(\d+)\];")
_waiting: list[ElementwiseKernel] = []  # made, and not compiled yet
_functions: dict[ElementwiseKernel, Any] = {}


def register(kernel: ElementwiseKernel) -> None:
    """Let ``kernel`` be compiled with the next one that is launched."""
    _waiting.append(kernel)


def check_apart(kernel: ElementwiseKernel, args: Sequence[Any]) -> None:
    """No thread has an element that another one writes, where each has one element of all."""
    found = zip(args, kernel.params, strict=True)
    own = [
        (name, k >= kernel.inputs, arg)
        for k, (arg, (raw, _, name)) in enumerate(found)
        if isinstance(arg, np.ndarray) and not raw
    ]
    for (one, writes, a), (other, too, b) in combinations(own, 2):
        ahead = abs(a.ctypes.data - b.ctypes.data)  # of parts of complex numbers
        is_one = (a.shape, a.strides) == (b.shape, b.strides) and ahead < max(
            a.itemsize, b.itemsize
        )
        if (writes or too) and not is_one and np.shares_memory(a, b):
            raise AssertionError(f"{kernel.name}: threads meet in {one} and {other}")


def run_kernel(
    kernel: ElementwiseKernel,
    args: Sequence[Any],
    shape: tuple[int, ...],
    block_size: int,
    first: int = 0,
) -> None:
    """Launch ``kernel`` over ``shape``, not empty: its blocks from the ``first`` one on."""
    if kernel not in _functions:
        _compile_waiting()
    given, kept = [], []
    for arg, (raw, dtype, _) in zip(args, kernel.params, strict=True):
        array = arg if isinstance(arg, np.ndarray) else np.array(arg, dtype)
        shown = array if raw else np.lib.stride_tricks.as_strided(
            array, shape, _broadcast_strides(array, shape)
        )  # fmt: skip
        sizes = (ctypes.c_ssize_t * max(shown.ndim, 1))(*shown.shape)
        strides = (ctypes.c_ssize_t * max(shown.ndim, 1))(*shown.strides)
        given.append(_Argument(shown.ctypes.data, sizes, strides, shown.ndim))
        kept.append((array, sizes, strides))
    count = int(np.prod(shape, dtype=np.int64))
    threads = min(block_size, count)
    arguments = (_Argument * len(given))(*given)
    problem = _functions[kernel](arguments, count, threads, first, count <= NARROW)
    if problem is not None:
        raise AssertionError(f"{kernel.name}: {problem.decode()}")


def _broadcast_strides(array: np.ndarray, shape: tuple[int, ...]) -> tuple[int, ...]:
    return np.broadcast_to(array, shape).strides


class _Argument(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("ndim", ctypes.c_ssize_t),
    ]


def _source(kernel: ElementwiseKernel, number: int) -> str:
    """The kernel in a namespace of its own, and the function that launches it."""
    arrays, elements = [], []
    for k, (raw, dtype, name) in enumerate(kernel.params):
        type_ = TYPES[dtype]
        held = name if raw else f"_raw_{name}"
        fields = ", ".join(f"_given[{k}].{field}" for field in ("data", "shape", "strides"))
        arrays.append(f"Array<{type_}> {held}{{{fields}, (int)_given[{k}].ndim}};")
        if not raw:
            const = "const " if k < kernel.inputs else ""
            elements.append(f"{const}{type_}& {name} = _raw_{name}[i];")
    found = SHARED.search(kernel.after_loop)
    shared = "" if found is None else f"static {found[1]} {found[2]}[{found[3]}][{found[4]}];"
    poison = "" if found is None else f"for (auto& row : {found[2]}) for (auto& x : row) x = NAN;"
    is_counted = INDEX in kernel.text
    template = "template <bool narrow> " if is_counted else ""
    body = f"kernel{number}::thread_body"
    if is_counted:
        arrays.append("CIndexer<1, narrow> _ind;")
        body = f"(narrow ? kernel{number}::thread_body<true> : kernel{number}::thread_body<false>)"
    return f"""
namespace kernel{number} {{
{kernel.preamble}
{shared}
void poison() {{ {poison} }}
{template}void thread_body(Argument* _given, ptrdiff_t n) {{
  {" ".join(arrays)}
  {kernel.loop_prep}
  ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{
    {" ".join(elements)}
    {kernel.text}
  }}
  {SHARED.sub("", kernel.after_loop)}
}}
}}
extern "C" const char* launch{number}(
  Argument* a, ptrdiff_t n, unsigned int threads, unsigned int first, bool narrow
) {{
  return run({body}, a, n, threads, first, kernel{number}::poison);
}}
"""


def _compile_waiting() -> None:
    """Compile all kernels that were made since, in one go."""
    assert GXX is not None
    sources = [_source(kernel, k) for k, kernel in enumerate(_waiting)]
    with tempfile.TemporaryDirectory() as folder:
        text, made = Path(folder, "kernels.cpp"), Path(folder, "kernels.so")
        text.write_text("".join((HEAD, *sources)))
        command = [
            GXX,
            "-std=c++17",
            "-O0",
            "-fcx-fortran-rules",
            "-shared",
            "-fPIC",
            "-w",
            str(text),
            "-o",
            str(made),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"g++ refuses a kernel:\n{done.stderr[:3000]}")
        library = ctypes.CDLL(str(made))
    for k, kernel in enumerate(_waiting):
        function = getattr(library, f"launch{k}")
        function.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, *[ctypes.c_uint] * 2, ctypes.c_bool]
        function.restype = ctypes.c_char_p
        _functions[kernel] = function
    _waiting.clear()
