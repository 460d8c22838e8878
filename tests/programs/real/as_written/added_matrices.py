class Matrix:
    def __init__(self, matrix):
        self.matrix = matrix

    def __str__(self):
        return "\n".join("\t".join(str(itm) for itm in line) for line in self.matrix)

    def __add__(self, other):
        c = []
        for line in range(len(self.matrix)):
            c.append([])
            for itm in range(len(self.matrix[line])):
                c[line].append(self.matrix[line][itm] + other.matrix[line][itm])
        return Matrix(c)


def total(first: list[list[float]], second: list[list[float]]) -> float:
    summed = Matrix(first) + Matrix(second)
    return sum(sum(x**2 for x in line) for line in summed.matrix)
