import math


class Vec2:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vec2(self.x * k, self.y * k)

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    def normalize(self):
        n = math.hypot(self.x, self.y)
        return Vec2(self.x / n, self.y / n)


class Ray:
    def __init__(self, position, direction):
        self.position = position
        self.direction = direction.normalize()

    def refract(self, intersection, normal, n1, n2):
        if normal.dot(self.direction) > 0:
            normal = normal * -1
        cos_i = -normal.dot(self.direction)
        ratio = n1 / n2
        k = 1 - ratio**2 * (1 - cos_i**2)
        if k < 0:
            return None
        bent = self.direction * ratio + normal * (ratio * cos_i - math.sqrt(k))
        return Ray(intersection, bent)


def height(y: float, angle: float, n: float) -> float:
    ray = Ray(Vec2(0.0, y), Vec2(math.cos(angle), math.sin(angle)))
    for x, n1, n2 in [(1.0, 1.0, n), (1.5, n, 1.0)]:
        t = (x - ray.position.x) / ray.direction.x
        hit = ray.position + ray.direction * t
        bent = ray.refract(hit, Vec2(-1.0, 0.1), n1, n2)
        if bent is None:
            return float("nan")
        ray = bent
    return ray.position.y + ray.direction.y / ray.direction.x
