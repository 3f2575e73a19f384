//! Forced moves and toughness against a table of all paths, and every certificate checked again.

use super::*;
use crate::board::{Board, Csr, Square};
use crate::problem::Goal;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::sync::Arc;

/// For each start the ends of its tours, as bits, by dynamic programming over sets of vertices.
struct Paths {
    squares: Vec<Square>,
    near: Vec<u32>,
    ends: Vec<u32>,
}

impl Paths {
    fn new(graph: &Graph) -> Paths {
        let squares: Vec<Square> = graph.vertices().collect();
        let n = squares.len();
        let bits =
            |u: &Square| (0..n).filter(|&v| graph.adjacent(*u, squares[v])).map(|v| 1 << v).sum();
        let near: Vec<u32> = squares.iter().map(bits).collect();
        let ends = (0..n).map(|start| {
            // For each set of vertices, where a path through them from `start` can be.
            let mut at = vec![0u32; 1 << n];
            at[1 << start] = 1 << start;
            for set in 0..1usize << n {
                for (v, &near) in near.iter().enumerate() {
                    if set >> v & 1 == 0 && at[set] & near != 0 {
                        at[set | 1 << v] |= 1 << v;
                    }
                }
            }
            at[(1 << n) - 1]
        });
        let ends = ends.collect();
        Paths { squares, near, ends }
    }

    fn has_tour(&self, problem: &Problem) -> bool {
        let bit = |v: Square| self.squares.iter().position(|&w| w == v).unwrap();
        let n = self.squares.len();
        (0..n).filter(|&s| problem.start().is_none_or(|v| bit(v) == s)).any(|s| {
            let ends = problem.end().map_or(u32::MAX, |e| 1 << bit(e));
            let closing = if problem.is_closed() { self.near[s] } else { u32::MAX };
            (!problem.is_closed() || n > 2) && self.ends[s] & ends & closing != 0
        })
    }
}

/// The moves of a problem as cycles of one more vertex, if it is open, in a plain matrix.
struct Matrix {
    vertices: Vec<String>,
    joined: Vec<Vec<bool>>,
}

impl Matrix {
    fn new(problem: &Problem) -> Matrix {
        let graph = problem.graph();
        let squares: Vec<Square> = graph.vertices().collect();
        let row = |&u: &Square| squares.iter().map(|&v| graph.adjacent(u, v)).collect();
        let mut joined: Vec<Vec<bool>> = squares.iter().map(row).collect();
        let mut vertices: Vec<String> = squares.iter().map(|&v| graph.name(v)).collect();
        let ends = [problem.start(), problem.end()];
        if !problem.is_closed() {
            let both = ends.iter().all(Option::is_some);
            let may_end = |v: &Square| !both || ends.contains(&Some(*v));
            let may: Vec<bool> = squares.iter().map(may_end).collect();
            joined.iter_mut().zip(&may).for_each(|(row, &may)| row.push(may));
            joined.push(may.into_iter().chain([false]).collect());
            vertices.push("apex".into());
        }
        Matrix { vertices, joined }
    }

    fn index(&self, name: &str) -> usize {
        self.vertices.iter().position(|v| v == name).unwrap()
    }

    /// Sizes of the parts without some vertices, by the smallest name of each.
    fn parts(&self, removed: &[String]) -> BTreeMap<usize, u64> {
        let n = self.vertices.len();
        let mut label: Vec<usize> = (0..n).collect();
        let gone: Vec<bool> = self.vertices.iter().map(|v| removed.contains(v)).collect();
        for _ in 0..n {
            for u in 0..n {
                for v in 0..n {
                    if self.joined[u][v] && !gone[u] && !gone[v] {
                        label[u] = label[u].min(label[v]);
                    }
                }
            }
        }
        let mut sizes = BTreeMap::new();
        (0..n).filter(|&v| !gone[v]).for_each(|v| *sizes.entry(label[v]).or_insert(0) += 1);
        sizes
    }

    /// Draws the consequences of the moves that are taken and lost, as often as there are any. Each
    /// rule looks at other moves only, so that moves can be both forced and lost, and the result
    /// does not depend on the order.
    fn forced(self, taken: &[[usize; 2]], lost: &[[usize; 2]]) -> Vec<Vec<bool>> {
        let n = self.vertices.len();
        let set = |table: &mut Vec<Vec<bool>>, [u, v]: [usize; 2]| {
            let new = !table[u][v];
            (table[u][v], table[v][u]) = (true, true);
            new
        };
        let (mut forced, mut excluded) = (vec![vec![false; n]; n], vec![vec![false; n]; n]);
        taken.iter().for_each(|&edge| {
            set(&mut forced, edge);
        });
        lost.iter().for_each(|&edge| {
            set(&mut excluded, edge);
        });
        let mut changes = true;
        while changes {
            changes = false;
            for u in 0..n {
                for v in (0..n).filter(|&v| self.joined[u][v]) {
                    let others = || (0..n).filter(|&w| w != v && self.joined[u][w]);
                    let left = others().filter(|&w| !excluded[u][w]).count();
                    let links = others().filter(|&w| forced[u][w]).count();
                    if links >= 2 || Matrix::closes(&forced, u, v) {
                        changes |= set(&mut excluded, [u, v]);
                    }
                    if left <= 1 {
                        changes |= set(&mut forced, [u, v]);
                    }
                }
            }
        }
        forced
    }

    /// Whether forced moves other than the one between them lead from `u` to `v`, not through all.
    fn closes(forced: &[Vec<bool>], u: usize, v: usize) -> bool {
        let n = forced.len();
        let mut steps = vec![usize::MAX; n];
        steps[u] = 0;
        for step in 1..n - 1 {
            for at in 0..n {
                let from = |w: usize| steps[w] == step - 1 && forced[w][at] && (w, at) != (u, v);
                if steps[at] == usize::MAX && (0..n).any(from) {
                    steps[at] = step;
                }
            }
        }
        steps[v] != usize::MAX
    }
}

/// Checks the certificate of a finding without any code of the theorems.
fn check_certificate(problem: &Problem, finding: &Finding, context: &str) -> bool {
    let Some(certificate) = &finding.certificate else { return false };
    let Certificate { removed, removed_count, parts, part_count, moves } = &**certificate;
    let ends = [problem.start(), problem.end()].map(|v| v.map(|v| problem.graph().name(v)));
    let matrix = Matrix::new(problem);
    if !moves.is_empty() {
        assert!(removed.is_empty() && parts.is_empty(), "{context}");
        let apex = matrix.vertices.len() - 1;
        let numbers = |edges: &[(Square, Square)]| -> Vec<[usize; 2]> {
            let name = |v| matrix.index(&problem.graph().name(v));
            edges.iter().map(|&(u, v)| [u, v].map(name)).collect()
        };
        let (mut taken, lost) = (numbers(problem.required()), numbers(problem.forbidden()));
        match &ends {
            [Some(s), Some(e)] if problem.is_closed() => {
                taken.push([matrix.index(s), matrix.index(e)]);
            }
            fixed if !problem.is_closed() => {
                taken.extend(fixed.iter().flatten().map(|v| [matrix.index(v), apex]));
            }
            _ => {}
        }
        let named: Vec<[usize; 2]> =
            moves.iter().map(|edge| [matrix.index(&edge[0]), matrix.index(&edge[1])]).collect();
        let forced = matrix.forced(&taken, &lost);
        assert!(named.iter().all(|&[u, v]| forced[u][v]), "{context}");
        return true;
    }
    assert_eq!(removed.len() as u64, *removed_count, "{context}");
    let without: Vec<String> = removed.iter().cloned().chain(["apex".to_string()]).collect();
    let left = matrix.parts(&without);
    assert_eq!(left.len() as u64, *part_count, "{context}");
    let named: Vec<(usize, u64)> =
        parts.iter().map(|part| (matrix.index(&part.member), part.size)).collect();
    assert_eq!(named, left.into_iter().collect::<Vec<_>>(), "{context}");
    // A cycle without k vertices falls into at most k parts, and into fewer if neighbours on it are
    // among them. An apex is removed, too, unless it joins two fixed ends.
    let k = removed.len();
    let both = ends.iter().all(Option::is_some);
    let gone = ends.iter().flatten().filter(|v| removed.contains(v)).count();
    let excess = match (problem.is_closed(), both) {
        (true, false) => (*part_count as usize, k.max(1)),
        (true, true) => (*part_count as usize, (k - usize::from(gone == 2)).max(1)),
        // Whatever joins the ends, a graph in parts has no tour.
        (false, true) if k == 0 => (*part_count as usize, 1),
        (false, true) => (matrix.parts(removed).len(), k),
        (false, false) => (*part_count as usize, k + 1 - gone),
    };
    assert!(excess.0 > excess.1, "{context}: {excess:?}");
    true
}

/// Checks all goals with free ends and some with fixed ones. Counts the impossible problems, those
/// that are known to be so, and certificates, by theorem.
fn check_all(
    graph: &Graph,
    rng: &mut Xoshiro256PlusPlus,
    proved: &mut BTreeMap<&'static str, (usize, usize)>,
) {
    let paths = Paths::new(graph);
    let mut pick = || Some(paths.squares[rng.random_range(0..paths.squares.len())]);
    for goal in [Goal::Open, Goal::Closed] {
        for ends in
            [(None, None), (pick(), None), (None, pick()), (pick(), pick()), (pick(), pick())]
        {
            let Ok(problem) = Problem::new(graph.clone(), goal, ends.0, ends.1) else { continue };
            let (exists, verdict) = (paths.has_tour(&problem), known(&problem));
            let context = format!("{graph} {goal:?} {ends:?} {verdict:?} {:?}", paths.near);
            let row = match &verdict {
                Existence::Exists(_) => {
                    assert!(exists, "{context}");
                    continue;
                }
                Existence::Open if exists => continue,
                Existence::Open => proved.entry("not known").or_default(),
                Existence::Impossible(finding) => {
                    assert!(!exists, "{context}");
                    let row = proved.entry(finding.theorem).or_default();
                    row.1 += usize::from(check_certificate(&problem, finding, &context));
                    row
                }
            };
            row.0 += 1;
        }
    }
}

fn file_graph(title: String, n: u32, edges: &[(u32, u32)]) -> Graph {
    let names = (0..n).map(|v| format!("v{v}")).collect();
    Graph::File(Arc::new(Csr::new(title, names, edges)))
}

#[test]
fn on_random_graphs_every_proof_is_right_and_its_certificate_holds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut proved = BTreeMap::new();
    for round in 0..2000 {
        let n = rng.random_range(6..=11);
        // From trees with a few more moves to graphs that have nearly always tours.
        let more = match round % 5 {
            0 => rng.random_range(0..n),
            1 | 2 => rng.random_range(n / 2..n + 2),
            _ => rng.random_range(n..2 * n),
        };
        let mut edges: Vec<(u32, u32)> = match round % 2 {
            0 => (1..n).map(|v| (rng.random_range(0..v), v)).collect(),
            _ => (0..n).map(|v| (v, (v + 1) % n)).filter(|_| rng.random_range(0..8) > 0).collect(),
        };
        edges.extend((0..more).map(|_| (rng.random_range(0..n), rng.random_range(0..n))));
        if round % 3 == 0 {
            // Every move changes class.
            edges.retain(|(u, v)| (u + v) % 2 == 1);
        }
        check_all(&file_graph(format!("graph {round}"), n, &edges), &mut rng, &mut proved);
    }
    let told_of = |theorem: &str| proved.get(theorem).copied().unwrap_or_default();
    for theorem in ["forced moves", "toughness"] {
        let (proofs, certificates) = told_of(theorem);
        assert!(certificates > 100 && certificates * 10 > proofs * 8, "{proved:?}");
    }
    let all: usize = proved.values().map(|row| row.0).sum();
    assert!(told_of("not known").0 * 50 < all, "{proved:?}");
}

#[test]
fn on_all_small_boards_with_holes_every_proof_is_right_and_its_certificate_holds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut proved = BTreeMap::new();
    for (size, leaper) in
        [("3x4", "1,2"), ("3x3", "0,1"), ("3x3", "0,1+1,1"), ("2x5", "0,1+1,1"), ("2x5", "0,1+1,2")]
    {
        let board = Board::parse(size).unwrap();
        for mask in 0..(1 << board.len()) - 1 {
            let holes = Square::below(board.len()).filter(|v| mask >> v.index() & 1 == 1);
            let board = board.clone().with_holes(holes).unwrap();
            check_all(&Graph::leaper(board, leaper.parse().unwrap()), &mut rng, &mut proved);
        }
    }
    let all: usize = proved.values().map(|row| row.0).sum();
    assert!(proved.get("not known").map_or(0, |row| row.0) * 50 < all, "{proved:?}");
}

#[test]
fn constraints_are_never_wrongly_denied() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut none, mut proved) = (0, 0);
    for round in 0..1500 {
        let n: u32 = rng.random_range(3..=8);
        let mut edges: Vec<(u32, u32)> = (0..n).map(|v| (v, (v + 1) % n)).collect();
        edges.extend((0..n).map(|_| (rng.random_range(0..n), rng.random_range(0..n))));
        let graph = file_graph(format!("graph {round}"), n, &edges);
        let moves: Vec<(Square, Square)> = graph
            .vertices()
            .flat_map(|u| graph.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v)))
            .collect();
        let mut some = |most: usize| -> Vec<(Square, Square)> {
            let count = rng.random_range(0..=most);
            (0..count).map(|_| moves[rng.random_range(0..moves.len())]).collect()
        };
        let (required, forbidden) = (some(4), some(4));
        let mut pick = || {
            let at = rng.random_range(0..2 * n);
            (at < n).then(|| Square::new(at))
        };
        let goal = if round % 2 == 0 { Goal::Open } else { Goal::Closed };
        let Ok(problem) = Problem::new(graph.clone(), goal, pick(), pick())
            .and_then(|problem| problem.requiring(required))
            .and_then(|problem| problem.forbidding(forbidden))
        else {
            continue;
        };
        let verdict = known(&problem);
        assert!(!problem.is_constrained() || !matches!(verdict, Existence::Exists(_)));
        let context = format!("{problem:?} {verdict:?}");
        let exists = has_constrained_tour(&problem, &mut Vec::new());
        if let Existence::Impossible(finding) = &verdict {
            assert!(!exists, "{context}");
            check_certificate(&problem, finding, &context);
        }
        none += usize::from(!exists);
        proved += usize::from(verdict.is_impossible());
    }
    assert!(proved * 10 > none * 8 && none > 300, "{proved} of {none} are known");
}

/// Whether a path goes on to a tour that meets the constraints.
fn has_constrained_tour(problem: &Problem, path: &mut Vec<Square>) -> bool {
    let graph = problem.graph();
    let Some(&here) = path.last() else {
        return graph.vertices().any(|v| has_constrained_tour(problem, &mut vec![v]));
    };
    if path.len() < graph.order() {
        return graph.vertices().any(|next| {
            if path.contains(&next) || !graph.adjacent(here, next) {
                return false;
            }
            path.push(next);
            let found = has_constrained_tour(problem, path);
            path.pop();
            found
        });
    }
    let mut used: Vec<(Square, Square)> = path.windows(2).map(|w| (w[0], w[1])).collect();
    if problem.is_closed() {
        used.push((here, path[0]));
    }
    let uses = |&(u, v): &(Square, Square)| used.contains(&(u, v)) || used.contains(&(v, u));
    (!problem.is_closed() || graph.order() > 2 && graph.adjacent(here, path[0]))
        && problem.start().is_none_or(|s| s == path[0])
        && problem.end().is_none_or(|e| e == here)
        && problem.required().iter().all(uses)
        && !problem.forbidden().iter().any(uses)
}

#[test]
fn reasons_name_the_vertices() {
    let reason = |problem: &Problem| {
        let verdict = known(problem);
        verdict.finding().map_or("nothing".into(), Finding::to_string)
    };
    // A hub with three neighbours that have one other move each.
    let hub = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (4, 5), (5, 6), (4, 6), (0, 4)];
    // Pairs of vertices between the same two.
    let between = |pairs: u32| -> Vec<(u32, u32)> {
        let pair = |i| [2 + 2 * i, 3 + 2 * i];
        let edges = |[u, v]: [u32; 2]| [(u, v), (u, 0), (u, 1), (v, 0), (v, 1)];
        (0..pairs).flat_map(|i| edges(pair(i))).collect()
    };
    let petersen: Vec<(u32, u32)> =
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, 5 + i), (5 + i, 5 + (i + 2) % 5)]).collect();
    // Two vertices with the same two neighbours, and a triangle.
    let ear = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 5), (4, 6), (5, 6), (2, 6)];
    let ring: Vec<(u32, u32)> = (0..6).map(|v| (v, (v + 1) % 6)).chain([(0, 2), (2, 4)]).collect();
    let graph = |name: &str, n, edges: &[(u32, u32)]| file_graph(name.into(), n, edges);
    let ring = graph("ring", 6, &ring);
    let at = |v: u32| Some(Square::new(v));
    let fixed = |goal, s, e| Problem::new(ring.clone(), goal, s, e).unwrap();
    let requiring = |problem: Problem, edges: &[(u32, u32)]| {
        let edges = edges.iter().map(|&(u, v)| (Square::new(u), Square::new(v)));
        problem.requiring(edges).unwrap()
    };
    let forbidden = [(Square::new(0), Square::new(2)), (Square::new(1), Square::new(2))];
    insta::assert_snapshot!(
        [
            reason(&Problem::closed(graph("hub", 7, &hub))),
            reason(&Problem::closed(graph("three pairs", 8, &between(3)))),
            reason(&Problem::open(graph("three pairs", 8, &between(3)))),
            reason(&Problem::open(graph("four pairs", 10, &between(4)))),
            reason(&Problem::closed(graph("ear", 7, &ear))),
            reason(&Problem::closed(graph("petersen", 10, &petersen))),
            reason(&requiring(Problem::closed(ring.clone()), &[(0, 2)])),
            reason(&requiring(Problem::open(ring.clone()), &[(0, 2), (1, 2), (0, 1)])),
            reason(&requiring(fixed(Goal::Open, at(2), None), &[(0, 2), (1, 2)])),
            reason(&fixed(Goal::Open, at(0), at(3))),
            reason(&fixed(Goal::Open, None, None).forbidding(forbidden).unwrap()),
        ]
        .join("\n"),
        @r"
    v6 on hub has only one move left, where a closed tour needs two: v4 has the forced moves v5-v4-v1; v5 has the forced moves v2-v5-v4 (forced moves)
    remove the 2 vertices v0 and v1: the rest of three pairs falls into 3 parts, but a closed tour would fall into at most 2 (toughness)
    nothing
    remove the 2 vertices v0 and v1: the rest of four pairs falls into 4 parts, but a tour would fall into at most 3 (toughness)
    v0 on ear has only one move left, where a closed tour needs two: the move to v3 would close the forced moves v3-v1-v2-v0 to a cycle of 4 of 7 vertices (forced moves)
    nothing
    v3 on ring has only one move left, where a closed tour needs two: the move to v2 would close the forced moves v2-v0-v5-v4-v3 to a cycle of 5 of 6 vertices (forced moves)
    on ring the move v1 to v2 is to be used, but the move to v2 would close the forced moves v2-v0-v1 to a cycle of 3 of 6 vertices (forced moves)
    on ring v2 is to be an end, but v2 has the forced moves v0-v2-v1 (forced moves)
    v3 on ring has no move left, where a tour needs two, or one at an end: v2 has the forced moves v4-v2-v1; v4 has the forced moves v5-v4-v2 (forced moves)
    nothing
    "
    );
}

#[test]
fn certificates_are_short() {
    // Every second square of a long strip of kings stands alone without the others.
    let board = Board::parse("60x61").unwrap();
    let holes = board.iter().filter(|&v| board.row(v) % 2 == 1 && board.col(v) % 2 == 1);
    let holes: Vec<Square> = holes.collect();
    let graph = Graph::leaper(board.with_holes(holes).unwrap(), "0,1".parse().unwrap());
    let verdict = known(&Problem::open(graph));
    let certificate = verdict.finding().and_then(|f| f.certificate.as_ref()).unwrap();
    assert!(certificate.removed_count > 500 && certificate.part_count > certificate.removed_count);
    assert_eq!(certificate.removed.len(), Certificate::NAMED);
    assert!(certificate.parts.len() == Certificate::NAMED);
    assert!(serde_json::to_string(&verdict).unwrap().len() < 2500);
}
