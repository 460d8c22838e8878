class Body:
    def __init__(
        self,
        position_x: float,
        position_y: float,
        velocity_x: float,
        velocity_y: float,
        mass: float = 1.0,
        size: float = 1.0,
        color: str = "blue",
    ) -> None:
        self.position_x = position_x
        self.position_y = position_y
        self.velocity_x = velocity_x
        self.velocity_y = velocity_y
        self.mass = mass
        self.size = size
        self.color = color

    def update_velocity(self, force_x: float, force_y: float, delta_time: float) -> None:
        self.velocity_x += force_x * delta_time
        self.velocity_y += force_y * delta_time

    def update_position(self, delta_time: float) -> None:
        self.position_x += self.velocity_x * delta_time
        self.position_y += self.velocity_y * delta_time


class BodySystem:
    def __init__(
        self,
        bodies: list[Body],
        gravitation: float = 1.0,
        time_factor: float = 1.0,
        softening: float = 0.0,
    ) -> None:
        self.bodies = bodies
        self.gravitation = gravitation
        self.time_factor = time_factor
        self.softening = softening

    def update_system(self, delta_time: float) -> None:
        for body1 in self.bodies:
            force_x = 0.0
            force_y = 0.0
            for body2 in self.bodies:
                if body1 != body2:
                    dif_x = body2.position_x - body1.position_x
                    dif_y = body2.position_y - body1.position_y
                    distance = (dif_x**2 + dif_y**2 + self.softening) ** (1 / 2)
                    force_x += self.gravitation * body2.mass * dif_x / distance**3
                    force_y += self.gravitation * body2.mass * dif_y / distance**3
            body1.update_velocity(force_x, force_y, delta_time * self.time_factor)
        for body in self.bodies:
            body.update_position(delta_time * self.time_factor)


def figure_eight(x: float, y: float, vx: float, vy: float) -> float:
    bodies = [
        Body(x, y, vx, vy, size=0.2, color="red"),
        Body(-x, -y, vx, vy, size=0.2, color="green"),
        Body(0, 0, -2 * vx, -2 * vy, size=0.2, color="blue"),
    ]
    system = BodySystem(bodies, time_factor=3)
    for _ in range(5):
        system.update_system(0.02)
    return system.bodies[0].position_x
