"""Write ``programs/block.py``: x[0] * x[1]^400 as 400 multiplications in a straight line."""

from pathlib import Path

COUNT = 400

HEAD = '''\
"""A long straight line: {count} multiplications (written by ``bench/make_block.py``)."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def block(x: Annotated[NDArray[np.float64], "2"]) -> float:
    """x[0] * x[1]^{count}."""
    factor = x[1]
    y = x[0]
'''


def text() -> str:
    return HEAD.format(count=COUNT) + "    y = y * factor\n" * COUNT + "    return y\n"


def main() -> None:
    (Path(__file__).parent / "programs" / "block.py").write_text(text())


if __name__ == "__main__":
    main()
