from math import sqrt


class Vector:
    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z

    def norm_squared(self):
        return self.x**2 + self.y**2 + self.z**2

    def norm(self):
        return sqrt(self.norm_squared())

    def __str__(self):
        return f"{self.x} ; {self.y} ; {self.z}"

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, other):
        return Vector(self.x * other, self.y * other, self.z * other)

    def __pow__(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z


def intersection(eye, pixel, center, r):
    m = pixel - eye
    ec = center - eye
    a = m.norm_squared()
    b = -2 * (m**ec)
    c = ec.norm_squared() - r**2
    d = b * b - 4 * a * c
    if d < 0:
        return None
    if d == 0:
        t = -b / (2 * a)
        return eye + m * t
    t1 = (-b + sqrt(d)) / (2 * a)
    t2 = (-b - sqrt(d)) / (2 * a)
    i1 = eye + m * t1
    i2 = eye + m * t2
    if (i1 - eye).norm() > (i2 - eye).norm():
        return i2
    else:
        return i1


def height(x: float, y: float, z: float, r: float) -> float:
    hit = intersection(Vector(0, 0, 0), Vector(1, x, y), Vector(z, 0, 0), r)
    if hit is None:
        return 0.0
    return hit.z + 2 * hit.x
