//! Every solver sends the events that it declares, with the right values, and an explained search finds the same tour.

mod forced;
mod sentences;

use crate::lab::{choice, closed, graph, open, variants};
use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Board, Graph, Square};
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::narrate::{Narrator, Sentence, sentence};
use hippodrome::search::{
    Budget, Control, Driver, EventKind, Link, Moment, MoveOption, Observer, Resources, SearchEvent,
    Stats, TieBreaker,
};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::tour::Verified;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Checks the values of every event against the states that the search shows.
struct Auditor<'g> {
    graph: &'g Graph,
    what: String,
    kinds: BTreeSet<EventKind>,
    path: Vec<Square>,
    /// Lengths of the paths of an ant colony's cycle.
    ants: Vec<usize>,
    /// What the next event must confirm.
    expected: Expected,
    layers: Vec<Square>,
    /// The fitness of the last population.
    fitness: Vec<u32>,
    /// Paths in a queue, if one was shown.
    waiting: usize,
    parts: Option<[Vec<u32>; 2]>,
    sentences: u64,
}

#[derive(Clone, Debug, PartialEq)]
enum Expected {
    Nothing,
    /// The path begins here.
    Start(Square),
    /// The next step enters this square.
    Step(Square),
    /// The next path continues the path before, with this square first.
    Onward(Square),
    /// The next path.
    Path(Vec<Square>),
    /// The number of paths in the queue, after the path of this length that ends on this square.
    Queue(usize, Square, usize),
    /// The path of this length that ends on this square.
    Extended(usize, Square, usize),
    /// Numbers of cycles, if they are known.
    Cycles(Option<u64>),
    /// Total and largest weight.
    Weights(f64, f64),
    Fitness(u32, f64),
    /// Active moves, squares with two of them, and cycles.
    Active(usize, usize, usize),
    /// Squares of a closed part.
    Cover(Option<usize>),
}

impl<'g> Auditor<'g> {
    fn new(graph: &'g Graph, what: String) -> Auditor<'g> {
        Auditor {
            graph,
            what,
            kinds: BTreeSet::new(),
            path: Vec::new(),
            ants: Vec::new(),
            expected: Expected::Nothing,
            layers: Vec::new(),
            fitness: Vec::new(),
            waiting: 0,
            parts: None,
            sentences: 0,
        }
    }

    fn free(&self, path: &[Square], from: Square) -> Vec<Square> {
        self.graph.neighbours(from).filter(|v| !path.contains(v)).collect()
    }

    fn take_path(&mut self, path: &[Square]) {
        match std::mem::replace(&mut self.expected, Expected::Nothing) {
            Expected::Start(square) => assert_eq!(path, [square], "{}", self.what),
            Expected::Step(square) => {
                assert_eq!(path.last(), Some(&square), "{}", self.what);
                assert_eq!(path[..path.len() - 1], self.path, "{}", self.what);
            }
            Expected::Onward(square) => {
                assert_eq!(path.get(self.path.len()), Some(&square), "{}", self.what);
                assert!(path.starts_with(&self.path), "{}", self.what);
            }
            Expected::Path(expected) => assert_eq!(path, expected, "{}", self.what),
            Expected::Extended(length, last, added) => {
                assert_eq!((path.len(), path.last()), (length, Some(&last)), "{}", self.what);
                assert_eq!(added, self.free(path, last).len(), "{}", self.what);
            }
            Expected::Nothing => {}
            other => panic!("{}: {other:?} before a path", self.what),
        }
        match path.len() {
            1 => self.ants.push(1),
            length => {
                if let Some(last) = self.ants.last_mut() {
                    *last = length;
                }
            }
        }
        self.path = path.to_vec();
    }

    fn choice(&mut self, from: Square, options: &[MoveOption], chosen: Square, ties: TieBreaker) {
        let what = &self.what;
        assert_eq!(self.path.last(), Some(&from), "{what}");
        let onward = |v: Square| self.free(&self.path, v).len() as u32;
        let mut free = self.free(&self.path, from);
        let mut named: Vec<Square> = options.iter().map(|o| o.square).collect();
        free.sort_unstable();
        named.sort_unstable();
        assert_eq!(named, free, "{what}");
        for option in options {
            assert_eq!(option.onward, onward(option.square), "{what} {option:?}");
            let next = self.free(&self.path, option.square).into_iter();
            let sum: u64 = next.map(|v| u64::from(onward(v))).sum();
            assert!(ties != TieBreaker::Pohl || option.second == Some(sum), "{what} {option:?}");
        }
        let taken = options.iter().find(|o| o.square == chosen).expect("an option");
        let least = options.iter().map(|o| o.onward).min();
        assert_eq!(Some(taken.onward), least, "{what}: not the fewest");
        let tied = options.iter().filter(|o| Some(o.onward) == least);
        let seconds: Vec<Option<u64>> = tied.map(|o| o.second).collect();
        match ties {
            TieBreaker::Pohl => assert_eq!(seconds.iter().min(), Some(&taken.second), "{what}"),
            TieBreaker::Roth => assert_eq!(seconds.iter().max(), Some(&taken.second), "{what}"),
            _ => assert_eq!(taken.second, None, "{what}"),
        }
        self.expected = Expected::Step(chosen);
    }

    /// Squares with two of some moves, and cycles through such squares, by joining moves.
    fn cycles(&self, moves: &[(Square, Square)]) -> (usize, Vec<usize>) {
        let mut degree = vec![0; self.graph.len()];
        let mut label: Vec<usize> = (0..self.graph.len()).collect();
        moves.iter().for_each(|&(u, v)| {
            degree[u.index()] += 1;
            degree[v.index()] += 1;
        });
        for _ in 0..self.graph.len() {
            for &(u, v) in moves {
                let least = label[u.index()].min(label[v.index()]);
                (label[u.index()], label[v.index()]) = (least, least);
            }
        }
        let mut parts: BTreeMap<usize, Vec<Square>> = BTreeMap::new();
        self.graph.vertices().for_each(|v| parts.entry(label[v.index()]).or_default().push(v));
        let closed = parts.values().filter(|part| part.iter().all(|v| degree[v.index()] == 2));
        let satisfied = self.graph.vertices().filter(|v| degree[v.index()] == 2).count();
        (satisfied, closed.map(Vec::len).collect())
    }

    fn link(&self, (u, v): Link) {
        let is_square = |v: Square| assert!(self.graph.has(v), "{}", self.what);
        match (u, v) {
            (Some(u), Some(v)) => assert!(self.graph.adjacent(u, v), "{}", self.what),
            (Some(v), None) | (None, Some(v)) => is_square(v),
            (None, None) => panic!("{}: an edge of two added vertices", self.what),
        }
    }

    fn audit(&mut self, event: &SearchEvent<'_>, so_far: &Stats) {
        let (graph, what) = (self.graph, self.what.clone());
        let order = graph.order();
        let ends = |path: &[Square]| Some((*path.first()?, *path.last()?));
        match *event {
            SearchEvent::Path(path) => self.take_path(path),
            SearchEvent::Stack { path, untried, marks } => {
                self.take_path(path);
                let here = path[path.len() - 1];
                let free: BTreeSet<Square> = self.free(path, here).into_iter().collect();
                let last = marks[marks.len() - 1];
                assert_eq!(
                    untried[last..].iter().copied().collect::<BTreeSet<_>>(),
                    free,
                    "{what}"
                );
            }
            SearchEvent::Moves(moves) => {
                match std::mem::replace(&mut self.expected, Expected::Nothing) {
                    Expected::Active(active, satisfied, cycles) => {
                        let found = self.cycles(moves);
                        assert_eq!((active, satisfied), (moves.len(), found.0), "{what}");
                        assert_eq!(cycles, found.1.len(), "{what}");
                    }
                    Expected::Cover(None) | Expected::Nothing | Expected::Cycles(None) => {}
                    Expected::Cycles(Some(cycles)) => {
                        // Open tours are closed outside the board, so a path is no cycle here.
                        let (satisfied, closed) = self.cycles(moves);
                        let cycles = cycles as usize;
                        assert!(cycles == closed.len() || cycles == closed.len() + 1, "{what}");
                        assert!(satisfied + 2 >= order, "{what}: {satisfied}");
                    }
                    Expected::Cover(Some(size)) => {
                        // A closed part, or for open tours a path that is complete.
                        let closed = self.cycles(moves).1;
                        assert!(
                            closed.contains(&size) || closed.is_empty() && size < order,
                            "{what}"
                        );
                    }
                    other => panic!("{what}: {other:?} before moves"),
                }
            }
            SearchEvent::MoveWeights(laid) => {
                let total: f64 = laid.iter().map(|l| l.2).sum();
                let most = laid.iter().map(|l| l.2).fold(0.0, f64::max);
                assert_eq!(self.expected, Expected::Weights(total, most), "{what}");
                self.expected = Expected::Nothing;
            }
            SearchEvent::Population(fitness) => {
                let sum: u64 = fitness.iter().map(|&f| u64::from(f)).sum();
                let (best, mean) =
                    (*fitness.iter().max().unwrap(), sum as f64 / fitness.len() as f64);
                assert_eq!(self.expected, Expected::Fitness(best, mean), "{what}");
                self.expected = Expected::Nothing;
                self.fitness = fitness.to_vec();
                self.fitness.sort_unstable();
            }
            SearchEvent::Members { best, median, worst } => {
                let sorted = std::mem::take(&mut self.fitness);
                let last = sorted.len() - 1;
                for (path, at) in [(best, last), (median, sorted.len() / 2), (worst, 0)] {
                    // The closing move leads back to the first square.
                    assert_eq!(path.len(), (sorted[at] as usize + 1).min(order), "{what}");
                    assert!(path.windows(2).all(|w| graph.adjacent(w[0], w[1])), "{what}");
                    let squares: BTreeSet<&Square> = path.iter().collect();
                    assert_eq!(squares.len(), path.len(), "{what}");
                }
            }
            SearchEvent::Edges { forced, chosen, excluded } => {
                self.edges(forced, chosen, excluded);
            }
            SearchEvent::Queue(lengths) => {
                let Expected::Queue(length, last, added) = self.expected else {
                    panic!("{what}: {:?} before a queue", self.expected);
                };
                assert_eq!(lengths.iter().sum::<u64>(), self.waiting as u64, "{what}");
                assert!(added == 0 || lengths[length + 1] >= added as u64, "{what}");
                assert_eq!((lengths.len(), lengths[0]), (order + 1, 0), "{what}");
                self.expected = Expected::Extended(length, last, added);
            }
            SearchEvent::Start { square } => self.expected = Expected::Start(square),
            SearchEvent::Choice { step, from, options, chosen, ties } => {
                assert_eq!(step, self.path.len(), "{what}");
                self.choice(from, options, chosen, ties);
            }
            SearchEvent::Retry { step, from, chosen, left } => {
                assert_eq!((step, Some(&from)), (self.path.len(), self.path.last()), "{what}");
                let free = self.free(&self.path, from);
                assert!(free.contains(&chosen) && left < free.len(), "{what}");
                self.expected = Expected::Step(chosen);
            }
            SearchEvent::DeadEnd { square, visited } => {
                assert_eq!((Some(&square), visited), (self.path.last(), self.path.len()), "{what}");
                assert!(visited < order && self.free(&self.path, square).is_empty(), "{what}");
            }
            SearchEvent::Back { moves, to } => {
                assert!(moves > 0, "{what}");
                self.path.truncate(self.path.len() - moves);
                assert_eq!(self.path.last(), Some(&to), "{what}");
            }
            SearchEvent::Probe { square, attempts } => assert!(graph.has(square) && attempts > 0),
            SearchEvent::GiveUp { square } => {
                assert!(so_far.tours == 0 || graph.has(square), "{what}");
            }
            SearchEvent::Extend { length, square, added, waiting, .. } => {
                assert!(waiting >= added, "{what}");
                // A search from another start square has a queue of its own.
                assert!(length == 1 || self.waiting + added == waiting + 1, "{what}");
                self.waiting = waiting;
                self.expected = Expected::Queue(length, square, added);
            }
            SearchEvent::Part { taken, excluded } => {
                taken.iter().chain(excluded).for_each(|&link| self.link(link));
            }
            SearchEvent::Branch { left, needs, edge, depth, vertex } => {
                self.link(edge);
                assert!(left >= needs && (1..=2).contains(&needs) && depth > 0, "{what}");
                assert!(edge.0 == vertex, "{what}");
            }
            SearchEvent::Forced(edges) => edges.iter().for_each(|forced| {
                self.link(forced.edge);
                assert!([forced.edge.0, forced.edge.1].contains(&forced.at), "{what}");
            }),
            SearchEvent::Contradiction { short } => {
                assert!(short.is_none_or(|short| short.left < short.needs), "{what}");
            }
            SearchEvent::Exclude { edge, .. } => self.link(edge),
            SearchEvent::Restart { round } => assert!(round > 0, "{what}"),
            SearchEvent::Cycle(report) => {
                let mut ants = std::mem::take(&mut self.ants);
                // A budget may have ended the colony before within a cycle.
                let before = ants.len().checked_sub(report.ants as usize);
                ants.drain(..before.expect("every ant is shown"));
                assert_eq!(Some(&report.longest), ants.iter().max(), "{what}");
                let whole = ants.iter().filter(|&&length| length == order).count();
                assert_eq!(report.whole as usize, whole, "{what}");
                let mean = ants.iter().sum::<usize>() as f64 / ants.len() as f64;
                assert!((report.mean - mean).abs() < 1e-9, "{what}");
                let most = report.strongest.map_or(0.0, |strongest| strongest.2);
                self.expected = Expected::Weights(report.total.1, most);
            }
            SearchEvent::Generation(report) => {
                assert!(report.best <= report.needed, "{what}");
                assert!(report.crossed.is_none_or(|crossed| crossed <= report.pairs), "{what}");
                self.expected = Expected::Fitness(report.best, report.mean);
            }
            SearchEvent::Sweep { active, satisfied, cycles, .. } => {
                self.expected = Expected::Active(active, satisfied, cycles);
            }
            SearchEvent::Rest { cycles, .. } => {
                assert_ne!(cycles, Some(0), "{what}");
                self.expected = Expected::Cycles(cycles);
            }
            SearchEvent::Mended { before, kept } => assert!(kept <= before, "{what}"),
            SearchEvent::Factor { cycles, .. } => {
                assert!(cycles > 0, "{what}");
                self.expected = Expected::Cycles(Some(cycles));
            }
            SearchEvent::NoFactor | SearchEvent::NoTour => assert_eq!(so_far.tours, 0, "{what}"),
            SearchEvent::Joined { cycles, pairs, longer, left } => {
                // An exchange of two moves joins two cycles; a longer one at least two.
                assert!(left >= 1 && left + pairs + longer <= cycles, "{what}: {event:?}");
                self.expected = Expected::Cycles(Some(left));
            }
            SearchEvent::Cut { clauses } => assert!(clauses > 0, "{what}"),
            SearchEvent::Reduced { edges, left } => assert!(left <= edges, "{what}"),
            SearchEvent::Division { parts: [rows, cols] } => {
                let board = graph.board().unwrap();
                let sums = (rows.iter().sum::<u32>(), cols.iter().sum::<u32>());
                assert_eq!(sums, (board.rows(), board.cols()), "{what}");
                self.parts = Some([rows.to_vec(), cols.to_vec()]);
            }
            SearchEvent::Crossing { step, squares: (u, v), block, back } => {
                assert_eq!(
                    (step as usize, self.path.last()),
                    (self.path.len(), Some(&u)),
                    "{what}"
                );
                assert_eq!(self.block(v), block, "{what}");
                assert_ne!(self.block(u), block, "{what}");
                if let Some((there, here)) = back {
                    assert!(graph.adjacent(there, here), "{what}");
                    let blocks = (self.block(there), self.block(here));
                    assert_eq!(blocks, (block, self.block(u)), "{what}");
                }
                self.expected = Expected::Onward(v);
            }
            SearchEvent::Cover { decided, closed } => {
                assert!(decided <= order as u64 + 1, "{what}");
                self.expected = Expected::Cover(closed);
            }
            SearchEvent::FirstTour { ends: told } => {
                assert_eq!(ends(&self.path), Some(told), "{what}");
            }
            SearchEvent::Reversal { end, added, cut, reversed } => {
                let mut path = self.path.clone();
                let (first, last) = ends(&path).unwrap();
                assert!(end == first || end == last, "{what}");
                let is_turned = end == first;
                if is_turned {
                    path.reverse();
                }
                let at = path.iter().position(|&square| square == added.1).unwrap();
                assert_eq!((added.0, cut), (end, (path[at], path[at + 1])), "{what}");
                assert!(graph.adjacent(added.0, added.1) && added != cut, "{what}");
                path[at + 1..].reverse();
                if is_turned {
                    path.reverse();
                }
                let part = match is_turned {
                    true => &path[..reversed.len()],
                    false => &path[order - reversed.len()..],
                };
                assert!(part == reversed && reversed.len() == order - at - 1, "{what}");
                self.expected = Expected::Path(path);
            }
            SearchEvent::Reversals { steps, reversed, ends: told } => {
                assert!(reversed <= steps, "{what}");
                assert_eq!(ends(&self.path), Some(told), "{what}");
            }
            SearchEvent::Layer { number, square, states, finished } => {
                assert!(!self.layers.contains(&square) && states > 0, "{what}");
                self.layers.push(square);
                assert_eq!(
                    (finished, number as usize),
                    (&self.layers[..], self.layers.len()),
                    "{what}"
                );
            }
            SearchEvent::Stage { .. } | SearchEvent::Tour { .. } => panic!("{what}: {event:?}"),
        }
    }

    /// Checks that the lists have no edge in common, and that no vertex has more than two edges of a tour.
    fn edges(&self, forced: &[Link], chosen: &[Link], excluded: &[Link]) {
        let mut seen = BTreeSet::new();
        let mut degree: BTreeMap<Square, usize> = BTreeMap::new();
        for &(u, v) in forced.iter().chain(chosen).chain(excluded) {
            self.link((u, v));
            // Two added vertices may each be joined to an end.
            assert!(seen.insert((u.min(v), u.max(v))), "{}: {u:?} {v:?} twice", self.what);
        }
        for &(u, v) in forced.iter().chain(chosen) {
            for end in [u, v].into_iter().flatten() {
                *degree.entry(end).or_default() += 1;
            }
        }
        assert!(degree.values().all(|&degree| degree <= 2), "{}: {degree:?}", self.what);
        for v in self.graph.vertices() {
            let is_at = |&&(a, b): &&Link| [a, b].contains(&Some(v));
            let left = self.graph.degree(v) + 1 - excluded.iter().filter(is_at).count();
            assert!(left >= 2, "{}: {v:?} has too few edges", self.what);
        }
    }

    /// The row and the column of the block of a square, by walking along the sides.
    fn block(&self, square: Square) -> (u32, u32) {
        let (board, [rows, cols]) = (self.graph.board().unwrap(), self.parts.as_ref().unwrap());
        let number = |parts: &[u32], at: u32| {
            let ends = parts.iter().scan(0, |sum, part| {
                *sum += part;
                Some(*sum)
            });
            1 + ends.filter(|&end| end <= at).count() as u32
        };
        (number(rows, board.row(square)), number(cols, board.col(square)))
    }
}

impl Observer for Auditor<'_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        if self.kinds.insert(event.kind()) {
            let json = serde_json::to_value(event).unwrap();
            assert_eq!(json["kind"], serde_json::to_value(event.kind()).unwrap(), "{json}");
        }
        self.audit(event, so_far);
        if let Some(text) = sentence(self.graph, event, so_far) {
            self.sentences += 1;
            let plain = !text.is_empty() && !text.ends_with('.') && !text.contains("  ");
            assert!(plain && !text.contains('\n'), "{}: {text}", self.what);
        }
        ControlFlow::Continue(())
    }
}

/// Creates the problem of closed tours of a generalised Petersen graph, which has none if n is 5 modulo 6.
fn petersen(n: usize) -> Problem {
    let edges = (0..n).map(|i| {
        let (next, spoke, star) = ((i + 1) % n, n + i, n + (i + 2) % n);
        format!("{i} {next}\n{i} {spoke}\n{spoke} {star}\n")
    });
    Problem::closed(read_graph("petersen", &edges.collect::<String>()).unwrap())
}

/// Runs every variant of every solver, or one with default parameters, and collects the kinds of their events.
fn kinds(
    only: Option<&str>,
    problems: &[(Problem, u64)],
) -> BTreeMap<&'static str, BTreeSet<EventKind>> {
    let mut seen: BTreeMap<&'static str, BTreeSet<EventKind>> = BTreeMap::new();
    for variant in variants().iter().filter(|variant| only.is_none_or(|only| only == variant.name))
    {
        for (problem, moves) in problems {
            let solver = variant.choice.solver;
            let Ok(prepared) = solver.prepare(problem, &variant.choice.values, &Resources::on(1))
            else {
                continue;
            };
            let budget = Budget { moves: Some(*moves), ..Budget::UNLIMITED };
            let (control, name) = (Control::default(), variant.choice.name());
            let plan = Driver {
                problem,
                solver: name,
                prepared: &*prepared,
                seed: 2,
                budget,
                control: &control,
            };
            let what = format!("{} on {}", variant.name, problem.graph());
            let mut auditor = Auditor::new(problem.graph(), what.clone());
            let mut take = |_: Verified<'_>, _: &Moment| ControlFlow::Continue(());
            plan.watch(&mut auditor, &mut take).unwrap();
            seen.entry(name).or_default().extend(&auditor.kinds);
        }
    }
    seen
}

#[test]
fn every_solver_sends_exactly_the_events_that_it_declares_with_the_right_values() {
    let mut seen = kinds(
        None,
        &[
            (open("5x5"), 3000),
            (closed("6x6"), 6000),
            (closed("5x5"), 500),
            (open("4x4"), 5000),
            (closed("petersen"), 5000),
            (open("17x18"), 3000),
        ],
    );
    // Restarts need a hundred leaves without a tour; an odd board has no 2-factor.
    for (name, rare) in [("exact", (petersen(29), 2_000_000)), ("cuts", (closed("7x7"), 500))] {
        seen.entry(name).or_default().extend(&kinds(Some(name), &[rare])[name]);
    }
    for solver in SOLVERS {
        let info = solver.info();
        let declared: BTreeSet<EventKind> = info.events.iter().copied().collect();
        assert_eq!(declared.len(), info.events.len(), "{} declares a kind twice", info.name);
        assert_eq!(seen.get(info.name), Some(&declared), "{}", info.name);
        let told = declared.iter().any(|kind| !kind.is_drawn());
        assert!(told, "{} sends no event with a sentence", info.name);
    }
}

fn search(problem: Problem, solver: Option<&str>) -> TourSearch {
    let none: [&str; 0] = [];
    TourSearch {
        problem,
        choice: solver.map(|name| choice(name, &none)),
        seed: 5,
        threads: 1,
        budget: Budget { moves: Some(2_000_000), ..Budget::UNLIMITED },
    }
}

#[test]
fn an_explained_search_finds_the_same_tour_and_tells_it() {
    let names = SOLVERS.iter().map(|solver| Some(solver.info().name)).chain([None]);
    for name in names {
        for problem in [open("6x6"), closed("6x6")] {
            let search = search(problem.clone(), name);
            let squares = |outcome: &Outcome| match outcome {
                Outcome::Found(tour) => Some(tour.squares().to_vec()),
                _ => None,
            };
            let Ok(plain) = search.run(&Control::default()) else { continue };
            let mut told: Vec<Sentence> = Vec::new();
            let mut tell = |sentence: Sentence| {
                told.push(sentence);
                ControlFlow::Continue(())
            };
            let mut narrator = Narrator::new(problem.graph(), 40, &mut tell);
            let explained = search.watch(&Control::default(), &mut narrator).unwrap();
            let more = narrator.left_out();
            assert_eq!(squares(&plain.outcome), squares(&explained.outcome), "{name:?}");
            assert_eq!(
                (plain.attempts, plain.moves),
                (explained.attempts, explained.moves),
                "{name:?}"
            );
            assert!(!told.is_empty() && told.len() <= 40, "{name:?}");
            assert!(
                (1..).zip(&told).all(|(number, sentence)| sentence.number == number),
                "{name:?}"
            );
            assert!(more == 0 || told.len() == 40, "{name:?}: {more} more after {}", told.len());
            let last = told.last().unwrap();
            let found = plain.tour().is_some();
            assert!(more > 0 || !found || last.kind == EventKind::Tour, "{name:?}: {last:?}");
        }
    }
}
