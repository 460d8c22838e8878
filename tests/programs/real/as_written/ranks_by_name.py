from dataclasses import dataclass
from enum import Enum, auto


class Method(Enum):
    EIGENVECTOR = auto()
    PAGERANK = auto()
    KATZ = auto()


@dataclass
class Centrality:
    method: Method = Method.PAGERANK
    damping: float = 0.85
    iterations: int = 100

    def pagerank(self, edges: dict[str, list[str]]) -> dict[str, float]:
        nodes = list(edges.keys())
        n = len(nodes)
        if n == 0:
            return {}
        pr = {node: 1.0 / n for node in nodes}
        for _ in range(self.iterations):
            new_pr = {}
            for node in nodes:
                rank = (1 - self.damping) / n
                for neighbor in edges:
                    if node in edges[neighbor]:
                        out_degree = len(edges[neighbor])
                        if out_degree > 0:
                            rank += self.damping * pr[neighbor] / out_degree
                new_pr[node] = rank
            pr = new_pr
        return pr


def rank_of_home(damping: float, iterations: int) -> float:
    edges = {"home": ["about", "blog"], "about": ["home"], "blog": ["home", "about"]}
    return Centrality(damping=damping, iterations=iterations).pagerank(edges)["home"]
