import heapq


def dijkstra(hacked: int, computer: int, graph: list[list[tuple[int, float]]]) -> tuple[int, float]:
    second = [1e9] * (computer + 1)
    q = []
    heapq.heappush(q, (0, hacked))
    second[hacked] = 0
    while q:
        sec, num = heapq.heappop(q)
        if second[num] < sec:
            continue
        for i in graph[num]:
            value = sec + i[1]
            if value < second[i[0]]:
                second[i[0]] = value
                heapq.heappush(q, (value, i[0]))
    hacked_computer, hacked_time = 0, 0
    for i in range(1, computer + 1):
        if second[i] != 1e9:
            hacked_computer += 1
            hacked_time = max(hacked_time, second[i])
    return hacked_computer, hacked_time
