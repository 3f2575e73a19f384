"""Calls return the same results as the command, and raise its error messages."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import hippodrome
import numpy as np
import pytest
from hippodrome import Board, Graph, Impossible, LimitReached, NotATour, Tour, UsageError

HippoJson = Callable[..., Any]

#: The package without its types, to pass arguments of wrong types.
untyped: Any = hippodrome


@pytest.mark.parametrize("words", ["8x8", "5x6 --start b1", "10x10 --closed", "6x6 --seed 9 --solver exact"])
def test_find_returns_the_same_tour_as_the_command(hippo_json: HippoJson, words: str) -> None:
    given = words.split()
    options: dict[str, Any] = {"closed": "--closed" in given}
    for name in ["start", "seed", "solver"]:
        if f"--{name}" in given:
            value = given[given.index(f"--{name}") + 1]
            options[name] = int(value) if name == "seed" else value
    tour = hippodrome.find(given[0], **options)
    expected = hippo_json("find", *given)
    assert tour.algebraic == expected["squares"]
    assert tour.closed == expected["closed"]


def test_enumerate_tours_returns_the_same_tours_as_the_command(hippo: Any) -> None:
    options = ["--solver", "mace", "--attempts", "5000", "--seed", "3"]
    printed = hippo("enumerate", "6x6", *options, "--print", "--quiet").stdout.split("\n")[:-1]
    tours = hippodrome.enumerate_tours("6x6", solver="mace", attempts=5000, seed=3)
    assert [" ".join(tour.algebraic) for tour in tours] == printed
    assert tours.summary is not None and tours.summary.distinct == len(printed)


def test_sample_draws_the_same_tours_as_the_command(hippo: Any) -> None:
    printed = hippo("sample", "6x6", "--closed", "-n", "50", "--seed", "5", "--quiet").stdout
    tours = hippodrome.sample("6x6", 50, closed=True, seed=5)
    assert [" ".join(tour.algebraic) for tour in tours] == printed.split("\n")[:-1]


def test_the_number_of_threads_does_not_change_results() -> None:
    one, two = (
        hippodrome.enumerate_tours("6x6", solver="mace", attempts=20_000, threads=n) for n in (1, 2)
    )
    assert np.array_equal(one.squares, two.squares)


def test_parameters_are_passed_by_name_or_in_the_solver() -> None:
    options: dict[str, Any] = {"attempts": 2000, "seed": 2}
    named = hippodrome.enumerate_tours("6x6", solver="warnsdorff", params={"ties": "random"}, **options)
    typed = hippodrome.enumerate_tours("6x6", solver="warnsdorff:ties=random", **options)
    assert len(named) > 0 and np.array_equal(named.squares, typed.squares)


def test_counts_are_known_numbers_and_python_ints() -> None:
    six = hippodrome.count("6x6")
    assert (six.directed, six.undirected) == (6_637_920, 3_318_960)
    assert six.checks
    closed = hippodrome.count("6x6", closed=True, classes=True)
    assert (closed.directed, closed.undirected, closed.classes) == (19_724, 9_862, 1_245)
    long = hippodrome.count("3x400", closed=True).undirected
    assert isinstance(long, int) and long.bit_length() > 200
    corners = hippodrome.count("5x5", by="start").by_start
    assert corners is not None and corners["a1"] == 304 and sum(corners.values()) == 1728
    ends = hippodrome.count("5x5", by="ends").by_ends
    assert ends is not None and sum(pairs * tours for *_, pairs, tours in ends) == 864


def test_a_count_that_does_not_fit_is_refused_before_it_starts() -> None:
    code = (
        "import hippodrome, resource\n"
        "try:\n"
        "    hippodrome.count('8x8', memory=10**9)\n"
        "except hippodrome.OutOfMemory:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Half of the limit, in KiB.
    assert int(done.stdout) < 500_000


def test_tables_are_cached_in_the_folder_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    drawn = hippodrome.enumerate_tours("7x8", solver="uniform", closed=True, attempts=100)
    (table,) = [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    made = table.stat().st_mtime_ns
    job = hippodrome.plan(tmp_path / "job", "7x8", solver="uniform", closed=True, attempts=100)
    assert all(job.run_unit(unit) for unit in job.missing())
    assert job.merge()["distinct"] == len(drawn) and table.stat().st_mtime_ns == made


def test_counts_agree_with_enumerations() -> None:
    boards: list[str | Board] = ["3x7", "4x5", Board("5x5", holes=["a1"]), Board("3x4", leaper="1,2+0,1")]
    for board in boards:
        listed = hippodrome.enumerate_tours(board, all=True, collect=False).summary
        assert listed is not None and listed.distinct == hippodrome.count(board).directed


def test_an_impossible_board_raises_its_theorem() -> None:
    with pytest.raises(Impossible, match="impossible: 5x5 has 13 dark and 12 light.*Schwenk 1991") as raised:
        hippodrome.find("5x5", closed=True)
    assert raised.value.theorem == "Schwenk 1991"
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.reason, again.theorem) == (raised.value.reason, raised.value.theorem)
    for call in (hippodrome.enumerate_tours, hippodrome.sample):
        with pytest.raises(Impossible, match="Schwenk"):
            call("4x6", closed=True)
    with pytest.raises(Impossible, match="Schwenk"):
        hippodrome.race("4x6", ["mace"], closed=True)
    searched = hippodrome.enumerate_tours("3x5", all=True)
    assert len(searched) == 0 and searched.summary is not None
    assert searched.summary.status == "impossible"
    nothing = hippodrome.count("5x5", closed=True)
    assert (nothing.undirected, nothing.theorem) == (0, "Schwenk 1991")


def test_a_limit_without_a_result_raises() -> None:
    with pytest.raises(LimitReached, match="no tour of 8x8 found in 10 attempts; raise the budget, or try another solver or seed"):
        hippodrome.find("8x8", solver="ga", attempts=10)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["8by8"], {}),
        (["0x5"], {}),
        (["8x8"], {"start": "z9"}),
        (["8x8"], {"solver": "mase"}),
        (["8x8"], {"solver": "mace:alfa=1"}),
        (["8x8"], {"solver": "mace:alpha=-1"}),
        (["20x20"], {"solver": "uniform"}),
    ],
)
def test_errors_without_a_remedy_equal_those_of_the_command(hippo: Any, arguments: list[str], options: dict[str, str]) -> None:
    with pytest.raises(UsageError) as raised:
        hippodrome.find(*arguments, **options)  # type: ignore[arg-type]
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    ran = hippo("find", *arguments, *words)
    assert ran.returncode == 2
    assert ran.stderr == f"hippo: {raised.value}\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hippodrome.find("8x8", attempts=0), "invalid value 0 for attempts: expected a whole number of at least 1"),
        (lambda: hippodrome.find("8x8", seed=-1), "invalid value -1 for seed: expected a whole number"),
        (lambda: untyped.find("8x8", seed=1.5), "invalid value 1.5 for seed: expected a whole number"),
        (lambda: hippodrome.find("8x8", time=-1), "invalid value -1 for time: expected seconds"),
        (lambda: untyped.find("8x8", time="30s"), "invalid value '30s' for time: expected seconds"),
        (lambda: hippodrome.find("8x8", threads=0), "invalid value 0 for threads: expected a whole number"),
        (lambda: untyped.find(8), "8 is not a board; pass"),
        (lambda: hippodrome.sample("8x8", 0), "invalid value 0 for n: expected a whole number"),
        (lambda: hippodrome.sample("5x5", 10**12), "1000000000000 tours of 5x5 take 23.6 TiB of memory and "),
        (lambda: hippodrome.sample("5x5", 10**4, memory=10**5), "and 97.7 KiB are allowed; ask for fewer"),
        (lambda: hippodrome.enumerate_tours("5x5", all=True, memory=20_000), "collect=False"),
        (lambda: hippodrome.find("8x8", seed=2**64), "expected a whole number from 0 to 2**64 - 1"),
        (lambda: Board("8x8").name(-1), "invalid value -1 for number: expected a whole number"),
        (lambda: Board("8x8").name(2**40), "is not in 8x8"),
        (lambda: untyped.Board("8x8", holes="a1"), "holes is not a list of square names; pass one"),
        (lambda: untyped.Board("8x8", holes=[1]), "holes is not a list of square names; pass one"),
        (lambda: untyped.Board("8x8", holes=1), "holes is not a list of square names; pass one"),
        (lambda: hippodrome.find("6x6").svg(size=-1), "invalid value -1 for size: expected a whole number"),
        (lambda: hippodrome.find("6x6").svg(size=2**40), "invalid picture size"),
        (lambda: untyped.find("8x8", solver="mace", params=[1]), "params is not a mapping; pass one"),
        (lambda: hippodrome.plan_count("/nowhere/at/all", "200x200"), "200x200 is too large to count"),
        (lambda: hippodrome.plan_count("/nowhere/at/all", "20x20"), "20x20 is too large to count"),
        (lambda: hippodrome.sample("20x20"), "20x20"),
        (lambda: hippodrome.count("20x20"), "20x20 is too large to count"),
        (lambda: untyped.count("6x6", kind="opem"), "did you mean open"),
        (lambda: untyped.enumerate_tours("6x6", distinct="cycles"), "did you mean cycle"),
        (lambda: hippodrome.find("8x8", start="a1", end="a1"), "start and end are both a1"),
        (lambda: hippodrome.find("8x8", start="a1", end="a1"), "; change start or end"),
        (lambda: hippodrome.enumerate_tours("6x6", solver="mace", all=True), "cannot exhaust"),
        (lambda: hippodrome.enumerate_tours("6x6", solver="mace", all=True), "; pass a budget such as attempts=1_000_000"),
        (lambda: hippodrome.count("8x8", memory=1 << 20), "; raise memory=, count class by class with plan_count()"),
        (lambda: hippodrome.count("6x6", classes=True, start="a1"), "; leave out by and classes, or leave out start and end"),
        (lambda: hippodrome.race("20x20", ["uniform"]), "; leave it out of solvers"),
        (lambda: hippodrome.enumerate_tours("6x6", all=True, attempts=5), "all=True conflicts with a budget"),
        (lambda: hippodrome.solvers("mase"), "did you mean mace"),
        (lambda: hippodrome.race("8x8", []), "the list of solvers is empty; pass some"),
        (lambda: hippodrome.race("8x8", ["mace", "mace"]), "mace is listed twice; leave one of them out"),
        (lambda: hippodrome.race("8x8", ["mase"]), "did you mean mace"),
        (lambda: hippodrome.race("8x8", ["mace"], runs=0), "invalid value 0 for runs: expected a whole number"),
        (lambda: hippodrome.race("20x20", ["uniform"]), "uniform cannot start"),
        (lambda: untyped.race("8x8", "mace"), "solvers is not a list of names; pass one"),
        (lambda: Board("5x5", holes=["f6"]), "not on the 5x5 board"),
        (lambda: Board("5x5", leaper="x"), "x"),
        (lambda: untyped.Board("5x5", leaper=3), "'3' is not a leaper"),
        (lambda: untyped.Tour("8x8", None), "None is not a list of squares; pass their names"),
        (lambda: hippodrome.count("6x6", closed=True, kind="open"), "closed=True and kind=\"open\" conflict; leave one out"),
        (lambda: Graph([]), "the graph has no vertices"),
        (lambda: untyped.Graph([("a", "b", "c")]), "is not an edge"),
        (lambda: Graph.parse("a b c d"), "an edge is two vertex names"),
        (lambda: Graph.read("/nowhere/at/all"), "cannot read /nowhere/at/all"),
        (lambda: Graph.parse("p edge 3 3\ne 1 2\n"), "the header announces 3 edges, but 1 follow"),
        (lambda: Graph.generate("petersn:5,2"), "there is no generator 'petersn'; did you mean petersen:N,K?"),
        (lambda: Graph.generate("flower:4"), "N must be odd and at least 3"),
        (lambda: Graph.generate("complete:50000"), "1,249,975,000 edges"),
        (lambda: hippodrome.read_tours("/nowhere/at/all"), "/nowhere/at/all"),
        (lambda: hippodrome.read_tours("/nowhere/at/all", -1), "invalid value -1 for start: expected a whole number"),
        (lambda: hippodrome.Job("/nowhere/at/all"), "is not a job folder"),
        (lambda: hippodrome.find("8x8", params={"alpha": 1}), "params needs a solver; pass one"),
    ],
)
def test_invalid_input_raises_one_sentence(call: Callable[[], object], message: str) -> None:
    with pytest.raises(hippodrome.HippodromeError) as raised:
        call()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert " --" not in str(raised.value), "only the command has flags"


def test_an_invalid_tour_raises_its_first_fault() -> None:
    with pytest.raises(NotATour, match="step 2: a1 to b2 is not a move"):
        Tour("8x8", ["a1", "b2"])
    with pytest.raises(NotATour, match="62 of 64 squares are not visited"):
        Tour("8x8", ["a1", "b3"])


def test_tours_have_their_properties() -> None:
    tour = hippodrome.find("6x6", closed=True, start="a1", seed=4)
    assert tour.closed and len(tour) == 36 and tour.algebraic[0] == tour.start == "a1"
    assert tour.numbers.shape == (6, 6) and tour.numbers[5, 0] == 1
    assert sorted(tour.numbers.ravel().tolist()) == list(range(1, 37))
    assert [int(tour.numbers[5 - s // 6, s % 6]) for s in tour.squares] == list(range(1, 37))
    assert Tour("6x6", tour.algebraic) == tour == Tour("6x6", tour.squares)
    assert hash(Tour("6x6", tour.algebraic)) == hash(tour)
    for notation in ["grid", "moves", "digits", "json", "tsplib"]:
        assert Tour.parse(tour.text(notation), board="6x6") == tour  # type: ignore[arg-type]
    svg = tour._repr_svg_()
    assert svg is not None and svg.startswith("<svg") and Tour.parse(svg) == tour
    assert hippodrome.find("101x100")._repr_svg_() is None
    assert pickle.loads(pickle.dumps(tour)) == tour
    assert "closed of 6x6" in repr(tour)
    assert Board("6x6", leaper=(2, 3)) == Board("6x6", leaper="2,3")


def test_a_puzzle_has_its_solution() -> None:
    puzzle = hippodrome.puzzle("5x5", clues=6, seed=2)
    assert all(puzzle.solution.algebraic[n - 1] == square for n, square in puzzle.clues.items())
    assert len(puzzle.clues) == 6 and puzzle.search >= 1 and puzzle.board == Board("5x5")
    assert str(puzzle).count(".") == 19 and repr(puzzle).startswith("Puzzle(6 clues of 5x5")
    assert puzzle.svg().startswith("<svg") and puzzle.pdf().startswith(b"%PDF-")
    assert puzzle.solution.pdf(numbers=True).endswith(b"%%EOF\n")
    assert hippodrome.puzzle("3x4", clues=4, seed=1).solution.closed is False
    with pytest.raises(UsageError, match="invalid number of clues 26"):
        hippodrome.puzzle("5x5", clues=26)
    with pytest.raises(Impossible):
        hippodrome.puzzle("4x4")
    with pytest.raises(LimitReached, match="pass clues="):
        hippodrome.puzzle("5x5", clues=1, nodes=500)


def test_symmetries_are_recognised() -> None:
    cycles = hippodrome.enumerate_tours("6x6", closed=True, all=True, distinct="symmetry", where="symmetric")
    kinds = [tour.symmetry for tour in cycles]
    assert (kinds.count("half-turn"), kinds.count("quarter-turn")) == (17, 5)


def test_holes_and_graphs_are_boards_too() -> None:
    board = Board("5x5", holes=["a1"])
    tour = hippodrome.find(board)
    assert len(tour) == 24 and tour.board == board and tour.numbers[4, 0] == 0
    assert Board.from_mask(board.mask) == board and pickle.loads(pickle.dumps(board)) == board
    assert board != Board("5x5") and Board("5x5") == Board((5, 5)) and Board("5x5") != Graph([(1, 2)])
    ring = Graph([(n, (n + 1) % 7) for n in range(7)], title="ring")
    round_trip = hippodrome.find(ring, closed=True, start="3")
    assert round_trip.closed and round_trip.start == "3"
    assert pickle.loads(pickle.dumps(ring)) == ring and pickle.loads(pickle.dumps(round_trip)) == round_trip
    assert Graph.parse("IheA@GUAo", title="petersen").name(3) == "3"


def test_graphs_are_generated() -> None:
    petersen = Graph.generate("petersen:5,2")
    assert (len(petersen), len(petersen.edges), petersen.neighbours("1")) == (10, 15, ["2", "5", "6"])
    assert hippodrome.count(petersen, closed=True).undirected == 0 and len(hippodrome.find(petersen)) == 10
    assert pickle.loads(pickle.dumps(petersen)) == petersen
    assert Graph.generate("random-regular:100,3") == Graph.generate("random-regular:100,3,1")
    assert Graph.generate("random-regular:100,3") != Graph.generate("random-regular:100,3,2")
    assert str(Graph.generate("grid:3x4")) == "grid:3x4"
    with pytest.raises(UsageError) as unknown:
        Graph.generate("something:else")
    forms = str(unknown.value).partition("write one of ")[2].split(", ")
    assert len(forms) == 18 and all(f"``{form}``" in (Graph.generate.__doc__ or "") for form in forms)


def test_numpy_integers_and_any_mapping_are_accepted() -> None:
    one, three = np.int64(1), np.uint32(3)
    assert hippodrome.find("5x5", seed=three, threads=one) == hippodrome.find("5x5", seed=3)
    assert len(hippodrome.sample((np.int64(5), np.int64(6)), three)) == 3
    ties: Mapping[str, str] = MappingProxyType({"ties": "random"})
    drawn = hippodrome.enumerate_tours("6x6", solver="warnsdorff", params=ties, attempts=np.int64(500))
    assert drawn[np.int64(0)] == drawn[0]


def test_a_board_keeps_its_piece() -> None:
    giraffe = Board("5x5", leaper="1,3")
    assert Board(giraffe) == giraffe and Board(giraffe, leaper="1,2") == Board("5x5")
    assert Board(giraffe, holes={"a1"}).leaper == "1,3"
    assert Board("5x5", holes=(name for name in ["a1", "b2"])).holes == ["a1", "b2"]


def test_results_can_be_pickled() -> None:
    def again(thing: Any) -> Any:
        return pickle.loads(pickle.dumps(thing))

    def fields(thing: Any) -> list[Any]:
        return [getattr(thing, name) for name in dir(thing) if not name.startswith("_")]

    ring = Graph([(n, (n + 1) % 300) for n in range(300)])
    many = hippodrome.enumerate_tours(ring, closed=True, tours=5, solver="backtrack", by_start=True)
    for tours in (hippodrome.sample("6x6", 100), many, hippodrome.enumerate_tours("6x6", attempts=9)[3:6]):
        there = again(tours)
        assert np.array_equal(there.squares, tours.squares) and np.array_equal(there.closed, tours.closed)
        assert there.board == tours.board and list(there) == list(tours)
        assert (there.summary is None) == (tours.summary is None)
        if tours.summary is not None:
            assert fields(there.summary) == fields(tours.summary)
    counts = [hippodrome.count("5x5", by=by, classes=True) for by in ("start", "ends")]
    counts += [hippodrome.count("5x5", closed=True), hippodrome.count("3x400")]
    for count in counts:
        assert fields(again(count)) == fields(count)
    for standing in hippodrome.race("6x6", ["mace", "ga"], runs=2, attempts=200):
        assert fields(again(standing)) == fields(standing)
    assert again(hippodrome.solvers("mace")[0]).summary == hippodrome.solvers("mace")[0].summary
    kept = bytearray(pickle.dumps(many))
    at = kept.rindex(many.squares[0].tobytes())
    kept[at : at + 4] = kept[at + 4 : at + 8]
    with pytest.raises(NotATour):
        pickle.loads(bytes(kept))


def test_duplicates_in_a_sample_are_not_counted() -> None:
    tours = hippodrome.sample("5x5", 3000, seed=1)
    assert tours.summary is not None and tours.summary.distinct is None and tours.summary.tours == 3000
    assert "distinct=None" in repr(tours.summary)


def parts(value: Any, *names: str) -> tuple[float, ...] | None:
    return value and tuple(value[name] for name in names)


def test_a_race_equals_that_of_the_command(hippo_json: HippoJson) -> None:
    field = ["mace", "ants-random", "warnsdorff:ties=random"]
    ours = hippodrome.race("6x6", field, runs=3, attempts=3000, seed=7)
    theirs = hippo_json("race", "6x6", "--solvers", ",".join(field), "--runs", 3, "--attempts", 3000, "--seed", 7)
    assert [standing.solver for standing in ours] == field
    plain = ["solver", "runs", "attempts", "tours", "distinct", "closed", "moves", "failed_runs", "ahead_of"]
    plain += ["hit_ratio", "start_bias", "start_bias_by_chance"]
    for mine, their in zip(ours, theirs, strict=True):
        assert [getattr(mine, name) for name in plain] == [their[name] for name in plain]
        for name in ["hit_ratio_of_a_run", "distinct_of_a_run", "closed_share"]:
            assert getattr(mine, name) == parts(their[name], "mean", "low", "high")
        assert mine.success == parts(their["success"], "share", "low", "high")
        for name in ["attempts_to_first", "moves_to_first"]:
            five = getattr(mine, name)
            assert (five and tuple(five)) == parts(their[name], "min", "q1", "median", "q3", "max")
    mace = ours[0]
    assert mace.distinct_a_second is not None and mace.distinct_a_second[0] > 0
    assert mace.seconds_to_first is not None and mace.seconds_to_first == sorted(mace.seconds_to_first)
    assert "mace" in repr(mace)


def test_a_board_that_does_not_fit_is_refused_before_the_search() -> None:
    huge: dict[str, Any] = {"attempts": 1, "threads": 64}
    searches: list[Callable[[], object]] = [
        lambda: hippodrome.find("60000x60000", solver="warnsdorff", **huge),
        lambda: hippodrome.enumerate_tours("60000x60000", solver="warnsdorff", **huge),
        lambda: hippodrome.race("60000x60000", ["warnsdorff"], **huge),
    ]
    for search in searches:
        with pytest.raises(hippodrome.HippodromeError, match="the search needs about 1.1 TiB of memory and"):
            search()


def test_the_registry_equals_that_of_the_command(hippo_json: HippoJson) -> None:
    ours = hippodrome.solvers()
    theirs = hippo_json("solvers")
    assert [solver.name for solver in ours] == [solver["name"] for solver in theirs]
    for mine, their in zip(ours, theirs, strict=True):
        assert (mine.summary, mine.source, mine.good_for) == (their["summary"], their["source"], their["good_for"])
        assert [(p.name, p.default, p.range, p.choices, p.help) for p in mine.params] == [
            (p["name"], p["default"], p["range"], p["choices"], p["help"]) for p in their["params"]
        ]


@pytest.mark.parametrize(
    "call",
    [
        'find("60x60", closed=True, solver="backtrack")',
        'enumerate_tours("8x8", solver="mace", attempts=10**12, collect=False)',
        'sample("8x8", 3 * 10**7, closed=True)',
        'plan_count("/tmp/no-such-folder/job", "8x1200")',
        'count("7x8")',
        'race("8x8", ["mace", "ga"], attempts=10**12)',
    ],
)
def test_interrupts_end_a_search(call: str) -> None:
    code = f"import hippodrome; print('begun', flush=True); hippodrome.{call}"
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    begun = time.monotonic()
    _, errors = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors, errors
    assert time.monotonic() - begun < 30


def test_other_threads_run_during_a_search() -> None:
    import threading

    beats: list[float] = []
    over = threading.Event()

    def beat() -> None:
        while not over.wait(0.01):
            beats.append(time.monotonic())

    thread = threading.Thread(target=beat)
    thread.start()
    begun = time.monotonic()
    with pytest.raises(LimitReached):
        hippodrome.find("12x12", solver="backtrack", closed=True, time=1.0)
    lasted = time.monotonic() - begun
    over.set()
    thread.join()
    assert lasted >= 0.9 and len([beat for beat in beats if beat - begun < lasted]) > 10


def test_tours_are_parsed_with_an_origin_and_transformed() -> None:
    tour = hippodrome.find("6x6", closed=True, seed=1)
    assert hippodrome.Tour.parse(tour.text("coords")) == tour
    pairs = tour.text("coords").splitlines()[1]
    assert hippodrome.Tour.parse(pairs, origin="top,row,0") == tour
    with pytest.raises(ValueError, match="another as"):
        hippodrome.Tour.parse(pairs)
    assert tour.rotate(90).rotate(270) == tour
    assert tour.reflect("diagonal").reverse().from_start("c3").start == "c3"
    assert tour.rotate(90).reverse().canonical() == tour.canonical()
    assert tour.reflect("rows").class_key == tour.class_key
