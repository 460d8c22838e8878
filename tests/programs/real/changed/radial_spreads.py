from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


class Net:
    def __init__(self, features, count):
        self.features = features
        self.count = count
        self.clusters, self.centers = self.k_means()
        self.std = self.calculate_std()

    def k_means(self):
        indices = np.arange(self.count)
        centers = self.features[indices]
        converged = False
        clusters = np.zeros(self.features.shape[0]).astype(int)
        while not converged:
            for i in range(self.features.shape[0]):
                min_distance = 999999
                for j in range(centers.shape[0]):
                    if min_distance > np.linalg.norm(self.features[i] - centers[j]):
                        min_distance = np.linalg.norm(self.features[i] - centers[j])
                        clusters[i] = j
            before = centers.copy()
            for i in range(centers.shape[0]):
                centers[i] = self.features[clusters == i].mean(axis=0)
            if (centers - before).sum() < 0.00001:
                converged = True
        return clusters, centers

    def calculate_std(self):
        max = -1
        for center1 in self.centers:
            for center2 in self.centers:
                if max < np.linalg.norm(center1 - center2):
                    max = np.linalg.norm(center1 - center2)
        return max / ((2 * self.count) ** (1 / 2))


def spread(features: Mat, count: int) -> float:
    return Net(features, count).std
