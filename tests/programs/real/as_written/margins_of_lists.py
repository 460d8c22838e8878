def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def hinge_loss(X, y, w, b):
    n = len(X)
    total_loss = 0.0
    for i in range(n):
        margin = y[i] * (dot(w, X[i]) + b)
        total_loss += max(0.0, 1.0 - margin)
    return total_loss / n


class LinearSVM:
    def __init__(self, lr=0.001, lambda_param=0.01, n_epochs=1000):
        self.lr = lr
        self.lambda_param = lambda_param
        self.n_epochs = n_epochs
        self.w = None
        self.b = 0.0

    def fit(self, X, y):
        n_features = len(X[0])
        self.w = [0.0] * n_features
        self.b = 0.0
        for epoch in range(self.n_epochs):
            for i in range(len(X)):
                margin = y[i] * (dot(self.w, X[i]) + self.b)
                if margin >= 1:
                    for j in range(n_features):
                        self.w[j] -= self.lr * self.lambda_param * self.w[j]
                else:
                    for j in range(n_features):
                        self.w[j] -= self.lr * (self.lambda_param * self.w[j] - y[i] * X[i][j])
                    self.b += self.lr * y[i]

    def predict(self, X):
        return [1 if dot(self.w, x) + self.b >= 0 else -1 for x in X]


def loss(X: list[list[float]], y: list[float], lr: float, epochs: int) -> float:
    machine = LinearSVM(lr=lr, n_epochs=epochs)
    machine.fit(X, y)
    return hinge_loss(X, y, machine.w, machine.b)
