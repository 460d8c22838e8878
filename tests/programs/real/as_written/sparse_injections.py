from typing import Annotated

import numpy as np
from numpy import conj
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

CVec = Annotated[NDArray[np.complex128], "_"]
CMat = Annotated[NDArray[np.complex128], "_ _"]


def derivatives(Y: CMat, V: CVec) -> tuple[CMat, CMat]:
    Y = csr_matrix(Y)
    ib = range(len(V))
    I = Y * V
    diagV = csr_matrix((V, (ib, ib)))
    diagI = csr_matrix((I, (ib, ib)))
    diagVnorm = csr_matrix((V / abs(V), (ib, ib)))
    dVm = diagV * conj(Y * diagVnorm) + conj(diagI) * diagVnorm
    dVa = 1j * diagV * conj(diagI - Y * diagV)
    return dVm.toarray(), dVa.toarray()
