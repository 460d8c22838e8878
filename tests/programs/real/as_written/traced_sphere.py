import math


class Vector:
    def __init__(self, x: float, y: float, z: float):
        self.x = x
        self.y = y
        self.z = z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, other):
        if isinstance(other, Vector):
            return self.x * other.x + self.y * other.y + self.z * other.z
        else:
            return Vector(self.x * other, self.y * other, self.z * other)

    def __rmul__(self, other):
        return self.__mul__(other)

    def norm(self):
        return math.sqrt(self.x**2 + self.y**2 + self.z**2)

    def normalize(self):
        norm = self.norm()
        return Vector(self.x / norm, self.y / norm, self.z / norm)


class Ray:
    def __init__(self, origin: Vector, direction: Vector):
        self.origin = origin
        self.direction = direction.normalize()


class Sphere:
    def __init__(self, origin: Vector, radius: float):
        self.origin = origin
        self.radius = radius

    def intersect(self, ray: Ray):
        a = ray.direction * ray.direction
        b = 2 * ray.direction * (ray.origin - self.origin)
        c = (ray.origin - self.origin) * (ray.origin - self.origin) - self.radius * self.radius
        delta = b * b - 4 * a * c
        if delta < 0:
            return None
        return (-b - math.sqrt(delta)) / 2 * a


def depth(x: float, y: float, radius: float) -> float:
    spheres = [Sphere(Vector(0.0, 0.0, 5.0), radius), Sphere(Vector(1.0, 0.5, 4.0), radius * 0.5)]
    ray = Ray(Vector(0.0, 0.0, 0.0), Vector(x, y, 1.0))
    nearest = 100.0
    for sphere in spheres:
        distance = sphere.intersect(ray)
        if distance is not None and distance < nearest:
            nearest = distance
    return nearest
