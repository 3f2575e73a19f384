"""Search for a Hamiltonian cycle with CP-SAT, on one worker.

The input is the time limit in seconds, then one edge per line: two vertex numbers. The output is the seconds of the
model and the search, then `cycle` and its vertices, `none` for a proof that there is none, or `undecided`.
"""

import sys
import time

from ortools.sat.python import cp_model


def main() -> None:
    begun = time.perf_counter()
    limit = float(sys.stdin.readline())
    edges = [tuple(map(int, line.split())) for line in sys.stdin]
    number: dict[int, int] = {}
    for edge in edges:
        for vertex in edge:
            number.setdefault(vertex, len(number))
    model = cp_model.CpModel()
    arcs = [
        (number[a], number[b], model.new_bool_var(""))
        for u, v in edges
        for a, b in ((u, v), (v, u))
    ]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = max(0.0, limit - (time.perf_counter() - begun))
    status = solver.solve(model)
    seconds = time.perf_counter() - begun
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        names = list(number)
        following = {u: v for u, v, taken in arcs if solver.boolean_value(taken)}
        cycle, here = [], 0
        for _ in following:
            cycle.append(names[here])
            here = following[here]
        print(seconds, "cycle", *cycle)
    else:
        print(seconds, "none" if status == cp_model.INFEASIBLE else "undecided")


main()
