"""The Jacobian of bundle adjustment: a 2 x 15 block per observation, two pullbacks each.

Run it with the name of a file of ADBench, or without one on generated data.
"""

import sys
from pathlib import Path

import numpy as np
from adbench_data import BaInputs, Floats, random_ba, read_ba

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from ba_grad import reprojection_error_fwd, reprojection_error_pullback


def blocks(inputs: BaInputs) -> Floats:
    """For each observation the derivatives of both errors by camera, point and weight."""
    jacobian = np.empty((len(inputs.weights), 2, 15))
    for i, (camera, point) in enumerate(inputs.seen):
        _, residuals = reprojection_error_fwd(
            inputs.cameras[camera], inputs.points[point], inputs.weights[i], inputs.features[i]
        )
        for row, y_bar in enumerate(((1.0, 0.0), (0.0, 1.0))):
            camera_bar, point_bar, weight_bar, _ = reprojection_error_pullback(residuals, y_bar)
            jacobian[i, row, :11] = camera_bar
            jacobian[i, row, 11:14] = point_bar
            jacobian[i, row, 14] = weight_bar
    return jacobian


if __name__ == "__main__":
    data = read_ba(Path(sys.argv[1])) if len(sys.argv) > 1 else random_ba(5, 100, 1000)
    found = blocks(data)
    print(f"{found.shape[0]} blocks, the first of norm {np.linalg.norm(found[0]):.10g}")
