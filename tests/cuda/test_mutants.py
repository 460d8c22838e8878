"""Mistakes in the text of kernels, and of what launches them, are found by comparing results."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime import device, device_rows

from tests.cuda import standin
from tests.cuda.comparing import assert_equal, called
from tests.cuda.conftest import Programs
from tests.cuda.programs import INPUTS, WIDE
from tests.helpers.transpile import module

BARRIER = "__syncthreads();"
SUMS = "\n\ndef block_sums(type_, count):\n    return _block_sums(type_, count){}\n"


def _differs(both: Programs, mutant: ModuleType, name: str) -> bool:
    """True for inputs of several blocks, or for those of one that is not full."""
    args = INPUTS[name](np.random.default_rng(1))
    few = (
        WIDE[name](np.random.default_rng(1)) if name in WIDE else
        tuple(a[:67] if np.ndim(a) and len(a) > 67 else a for a in args)  # type: ignore[index, arg-type]
    )  # fmt: skip
    try:
        for given in (args, few):
            found = called((mutant, both.host), f"{name}_value_and_grad", *given)
            assert_equal(*found, 1e-12)
    except (AssertionError, TypeError, ValueError):
        return True
    return False


def _part(text: str, name: str) -> str:
    """The module with one program's functions alone, to compile less."""
    head = text[: text.index("\n\n\n_")]
    return head + "".join(
        f"\n\n\n{part}" for part in text[len(head) :].split("\n\n\n")
        if part.startswith((f"_{name}_vjp", f"@entry\ndef {name}_v"))
    )  # fmt: skip


MUTANTS = {
    "wrong number of blocks": ("row", "(n * m + 255) // 256", "(n * m) // 256"),
    "swapped stride": ("logistic", "x[i_3 * m + ", "x[i_3 + m * "),
    "missing term of a sum": ("row", "sum1 += ", "sum0 += "),
    "lost sign": ("logistic", "= -(", "= +("),
    "first index for all": ("logistic", "w[i_", "w[0 * i_"),
    "axis": ("row", "axis=0", "axis=1"),
}


@pytest.mark.parametrize("what", MUTANTS)
def test_mistakes_in_a_module_are_found(both: Programs, what: str) -> None:
    name, right, wrong = MUTANTS[what]
    text = _part(both.text, name)
    assert right in text
    assert not _differs(both, module(text, "right_grad"), name)
    assert _differs(both, module(text.replace(right, wrong), "wrong_grad"), name)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (f"{BARRIER}\n  for", "for"),
        (f"  {BARRIER}\n  }}\n  if", "}\n  if"),
        ("w = 128", "w = 64"),
        (" && threadIdx.x + w < blockDim.x", ""),
        ("k * gridDim.x + blockIdx.x", "k * blockDim.x + blockIdx.x"),
        ("parts[k][threadIdx.x] +=", "parts[0][threadIdx.x] +="),
    ],
)
def test_mistakes_in_sums_of_blocks_are_found(
    both: Programs, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    text = device.block_sums("double", 2)
    assert right in text
    made = device.block_sums

    def mutant(type_: str, count: int) -> str:
        return made(type_, count).replace(right, wrong)

    monkeypatch.setattr(device, "block_sums", mutant)
    with standin.installed():
        assert _differs(both, module(_part(both.text, "row"), "wrong_grad"), "row")


@pytest.mark.parametrize("name", ["by_rows", "cross_entropy"])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (f"= value;\n  {BARRIER}", "= value;"),
        (f"    {BARRIER}\n  }}\n  value", "  }\n  value"),
        (f"value = parts[0];\n  {BARRIER}", "value = parts[0];"),
        ("lanes / 2", "lanes / 4"),
        ("parts[threadIdx.x] += parts[threadIdx.x + w]", "parts[threadIdx.x] += parts[w]"),
    ],
)
def test_mistakes_in_rows_are_found(
    both: Programs, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, name: str
) -> None:
    assert right in device_rows.OF_LANES
    text = _part(both.text, name)
    monkeypatch.setattr(device_rows, "OF_LANES", device_rows.OF_LANES.replace(right, wrong))
    with standin.installed():
        assert _differs(both, module(text, "wrong_grad"), name)


def test_a_missing_cast_is_found(both: Programs) -> None:
    """int32 times float32 is float64 for NumPy, and float for C++."""
    x = np.asarray([0.1, 2.5], np.float32)
    k = np.asarray([16777217, 3], np.int32)
    text = both.text
    assert "(double)x * (double)k" in text
    part = "\n\n\n".join(
        p for p in text.split("\n\n\n")
        if p.startswith(('"""', "class Promoted", "_promoted_jvp", "@entry\ndef promoted_jvp"))
    )  # fmt: skip
    found = module(part.replace("(double)", ""), "wrong_grad").promoted_jvp
    y, _ = found(*map(standin.ndarray, (x, k, np.ones_like(x))))
    with pytest.raises(AssertionError):
        assert_equal(y.held, x.astype(np.float64) * k, 1e-15)
