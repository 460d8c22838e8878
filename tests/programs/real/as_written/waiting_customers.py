from math import factorial


class Simulation:
    def __init__(self):
        self.arrival_rate = 45 / 60
        self.selection_time = 5
        self.payment_time = 1
        self.selection_points = 4
        self.payment_points = 1

    def utilization(self, service_time, servers):
        return (self.arrival_rate * service_time) / servers

    def erlang_c(self, service_time, servers):
        rho = self.utilization(service_time, servers)
        a = self.arrival_rate * service_time
        sum_terms = sum([(a**n) / factorial(n) for n in range(servers)])
        term = (a**servers) / (factorial(servers) * (1 - rho))
        p0 = 1 / (sum_terms + term)
        return term * p0

    def queue_length(self, service_time, servers):
        rho = self.utilization(service_time, servers)
        pc = self.erlang_c(service_time, servers)
        if rho >= 1:
            return float("inf")
        return pc * rho / (1 - rho)


def total_length(arrival_rate: float, selection_time: float, servers: int) -> float:
    simulation = Simulation()
    simulation.arrival_rate = arrival_rate
    simulation.selection_time = selection_time
    simulation.selection_points = servers
    selection = simulation.queue_length(simulation.selection_time, simulation.selection_points)
    payment = simulation.queue_length(simulation.payment_time, simulation.payment_points)
    return selection + payment
