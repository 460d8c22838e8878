"""The kinds of arrays that the programs take."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Other = Annotated[NDArray[np.float64], "l"]  # of another length
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "d d"]
Cube = Annotated[NDArray[np.float64], "p q s"]
Ints = Annotated[NDArray[np.int64], "k"]
