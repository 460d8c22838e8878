def array(n, xi=0.0):
    return [xi for _ in range(n)]


def matrix(m, n, xi=0.0):
    return [[xi for _ in range(n)] for _ in range(m)]


class HMM:
    def __init__(self, STATES, SYMBOLS, OBSERVATIONS):
        self.N = STATES
        self.M = SYMBOLS
        self.T = OBSERVATIONS
        N = self.N
        M = self.M
        T = self.T
        self.A = matrix(N, N)
        self.B = matrix(N, M)
        tmp = 1.0 / N
        self.pi = array(N, tmp)
        self.alpha = matrix(T, N)
        self.beta = matrix(T, N)

    def forward(self, obs):
        for i in range(self.N):
            self.alpha[0][i] = self.pi[i] * self.B[i][obs[0]]
        for t in range(self.T - 1):
            for j in range(self.N):
                tmp = 0
                for i in range(self.N):
                    tmp += self.alpha[t][i] * self.A[i][j]
                self.alpha[t + 1][j] = tmp * self.B[j][obs[t + 1]]


def probability(obs: list[int], stay: float, hit: float) -> float:
    h = HMM(2, 2, len(obs))
    for i in range(2):
        for j in range(2):
            h.A[i][j] = stay if i == j else 1 - stay
            h.B[i][j] = hit if i == j else 1 - hit
    h.forward(obs)
    return sum(h.alpha[len(obs) - 1])
