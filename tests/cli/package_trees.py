"""Trees of modules that import one another in all ways that Python has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from tests.cli.conftest import write

ARRAYS = "import numpy as np\nfrom typing import Annotated\nfrom numpy.typing import NDArray\n"

LIBRARY: Mapping[str, str] = {
    "lib/__init__.py": """
        GAIN = 3.0
        from .core import *
        from .core.model import loss
        from . import tools
        from .tools import *

        __all__ = ["loss", "own"]
        __all__ += tools.__all__


        def own(x: float) -> float:
            return GAIN * x * x
    """,
    "lib/core/__init__.py": """
        from .model import loss as energy
        from ._util import square
        from ..tools.deep import cube as third

        __all__ = ["energy", "third", "square"]
    """,
    "lib/core/model.py": """
        from .. import GAIN
        from ..kinds import Real, Vector
        from ._util import _twice, square
        from ..tools.deep.cubes import TABLE, cube as third
        from ..tools import deep
        from . import _util
        from ._util import *


        def loss(x: Vector, a: Real) -> float:
            left, right = _twice(a), deep.cubes.cube(a)
            total = 0.0
            for i in range(x.shape[0]):
                total += square(x[i]) * TABLE[i] + left * third(x[i]) * GAIN + right
            return total * _util.HALF + offset(a)
    """,
    "lib/core/_util.py": """
        HALF = 1.0 / 2.0


        def square(x):
            return x * x


        def _twice(x):
            return 2.0 * x


        def offset(x):
            return x * x * x * x
    """,
    "lib/kinds.py": """
        from typing import Annotated, NamedTuple, TypeAlias
        import numpy as np
        from numpy.typing import NDArray

        Vector: TypeAlias = Annotated[NDArray[np.float64], "n"]
        Real = float


        class Point(NamedTuple):
            left: Real
            right: Real
    """,
    "lib/tools/__init__.py": "from .deep import cube\n__all__ = ('cube',)\n",
    "lib/tools/deep/__init__.py": "from .cubes import cube, TABLE\n",
    "lib/tools/deep/cubes.py": """
        import numpy as np

        TABLE = np.array([1.0, -2.0, 3.0])


        def cube(x: float) -> float:
            return x * x * x
    """,
    "lib/user.py": """
        import lib
        import lib.core as core
        from lib import loss as l2, own
        from lib import *
        from lib.kinds import Point, Vector


        def f(x: Vector) -> float:
            a = lib.loss(x, 2.0) + core.energy(x, 1.0) + l2(x, 0.5) + own(x[0])
            return a + lib.tools.deep.cube(x[1]) + core.third(x[0]) + cube(x[2])


        def at(p: Point) -> float:
            return p.left * p.right
    """,
}

NAMESPACE: Mapping[str, str] = {
    "ns/inner/m.py": """
        from lib.tools.deep import TABLE
        import ns.inner.k as kk
        from .k import W


        def g(x: float) -> float:
            return x * x * TABLE[1] * kk.K * W[0]
    """,
    "ns/inner/k.py": "import numpy as np\nK = 4.0\nW = np.array([0.5])\n",
}

X = [0.5, -1.5, 2.0]


def plant(root: Path, *trees: Mapping[str, str]) -> Path:
    """Write the modules of ``trees`` under ``root``."""
    for tree in trees:
        for path, text in tree.items():
            write(root / path, dedent(text).lstrip("\n"))
    return root
