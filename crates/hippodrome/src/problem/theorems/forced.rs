//! Forced moves: what every tour must use, drawn to its last consequence.
//!
//! An open tour is a cycle through one more vertex, the *apex*, which is joined to every square the
//! tour may end on; so all tours are cycles, with two moves at every vertex. A vertex with only two
//! moves left uses both. A vertex with two forced moves loses its others, and forced moves that make
//! a path lose the move that would close it short of all vertices. A vertex left with fewer than two
//! moves contradicts a tour. Required moves are forced from the start, forbidden ones are lost.
//!
//! The invariant: every tour uses all forced moves and none of the lost ones. Each rule keeps it, so
//! a contradiction proves that there is no tour.
//!
//! Cost: one look at every vertex; then each vertex is settled once, at the cost of its moves. Tables
//! take 20 bytes per square and are touched only where something is forced.

use super::certificate::{Certificate, Evidence, ForcedCases, ForcedMoves};
use super::{Finding, nouns};
use crate::board::{Graph, Square};
use crate::problem::Problem;
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// Name of the argument.
pub(super) const NAME: &str = "forced moves";

/// Causes named in a reason, at most.
const CAUSES: usize = 3;

/// Vertices of a path named in a reason, at most.
const NAMED: usize = 8;

/// Finds a contradiction among forced moves, for a problem of at least 2 squares.
pub(super) fn find(problem: &Problem) -> Option<Finding> {
    let graph = problem.graph();
    let ends = [problem.start(), problem.end()];
    let both = ends.iter().all(Option::is_some);
    // The apex counts as a move wherever a tour may end.
    let may_end = |v: Square| !problem.is_closed() && (!both || ends.contains(&Some(v)));
    let scarce = |v: &Square| graph.neighbours(*v).take(3).count() + usize::from(may_end(*v)) <= 2;
    let scarce: Vec<Square> = graph.vertices().filter(scarce).collect();
    if scarce.is_empty() && !problem.is_constrained() {
        return None;
    }
    let mut forcing = Forcing::new(problem);
    forcing.run(&scarce).err().map(|contradiction| forcing.explain(contradiction))
}

/// Why there is no tour.
enum Contradiction {
    /// A vertex has fewer than two moves left.
    Stuck(u32),
    /// A move is forced and lost.
    Excluded(u32, u32),
}

/// Finds a move that leads to a contradiction if it is used and if it is not, where no move is forced to one without
/// such a case distinction. Tries every move of a vertex with few of them; for small graphs only.
pub(super) fn find_cases(problem: &Problem) -> Option<Finding> {
    let graph = problem.graph();
    let mut base = Forcing::new(problem);
    let all: Vec<Square> = graph.vertices().collect();
    base.run(&all).ok()?;
    let mut vertices: Vec<u32> = all.iter().map(|&v| id(v)).filter(|&v| !base.is_full(v)).collect();
    vertices.sort_by_key(|&v| base.ways(v));
    let forced = base.forced_moves();
    for u in vertices {
        for v in base.open_moves(u).into_iter().filter(|&v| v != base.apex) {
            let case = |take: bool| {
                let mut forcing = base.clone();
                let begun = match take {
                    true => forcing.force(u, v),
                    false => {
                        forcing.lose(u, v);
                        Ok(())
                    }
                };
                let contradiction = begun.and_then(|()| forcing.settle()).err()?;
                let finding = forcing.explain(contradiction);
                // All that follows in this case, not only what the contradiction names.
                let mut moves = forcing.forced_moves();
                moves.retain(|edge| !forced.contains(edge));
                let stuck = match &finding.evidence {
                    Evidence::Forced(named) => named.stuck,
                    _ => None,
                };
                Some((finding.reason, ForcedMoves { moves, stuck }))
            };
            let (Some(with), Some(without)) = (case(true), case(false)) else { continue };
            let (from, to) = (graph.name(Square::new(u)), graph.name(Square::new(v)));
            let reason = format!(
                "if a tour uses {from}-{to}, then {}; if it does not, then {}",
                with.0, without.0
            );
            let certificate = Some(Box::new(Certificate::forced(graph, &forced)));
            let split = (Square::new(u.min(v)), Square::new(u.max(v)));
            let cases = [with.1, without.1];
            let evidence = Evidence::Cases(Box::new(ForcedCases { forced, split, cases }));
            return Some(Finding { theorem: NAME, reason, certificate, evidence });
        }
    }
    None
}

/// The forced and the lost moves. Vertices are numbered as squares, the apex comes last.
#[derive(Clone)]
struct Forcing<'p> {
    problem: &'p Problem,
    graph: &'p Graph,
    open: bool,
    /// Whether both ends are fixed.
    fixed: bool,
    apex: u32,
    /// Vertices of the cycle.
    total: u32,
    /// For each vertex up to two others, plus 1, along forced moves.
    links: Vec<[u32; 2]>,
    /// For each end of a forced path its other end, plus 1.
    far: Vec<u32>,
    /// For each end of a forced path its number of moves.
    length: Vec<u32>,
    /// Number of lost moves of each vertex, those to the apex not counted except at the apex.
    lost: Vec<u32>,
    /// The lost moves, except those of an apex that has both its moves.
    gone: HashSet<(u32, u32), FixedState>,
    /// Vertices to look at again.
    queue: Vec<u32>,
}

impl<'p> Forcing<'p> {
    fn new(problem: &'p Problem) -> Forcing<'p> {
        let graph = problem.graph();
        let (len, open) = (graph.len(), !problem.is_closed());
        Forcing {
            problem,
            graph,
            open,
            fixed: problem.start().is_some() && problem.end().is_some(),
            apex: len as u32,
            total: graph.order() as u32 + u32::from(open),
            links: vec![[0; 2]; len + 1],
            far: vec![0; len + 1],
            length: vec![0; len + 1],
            lost: vec![0; len + 1],
            gone: HashSet::default(),
            queue: Vec::new(),
        }
    }

    fn run(&mut self, scarce: &[Square]) -> Result<(), Contradiction> {
        let problem = self.problem;
        for &(u, v) in problem.forbidden() {
            self.lose(id(u), id(v));
        }
        for &(u, v) in problem.required() {
            self.force(id(u), id(v))?;
        }
        match (self.open, problem.start(), problem.end()) {
            (false, Some(s), Some(e)) => self.force(id(s), id(e))?,
            (true, s, e) => {
                for v in s.into_iter().chain(e) {
                    self.force(self.apex, id(v))?;
                }
            }
            _ => {}
        }
        self.queue.extend(scarce.iter().map(|&v| id(v)));
        self.settle()
    }

    /// Draws all consequences.
    fn settle(&mut self) -> Result<(), Contradiction> {
        while let Some(v) = self.queue.pop() {
            let ways = self.ways(v);
            if ways < 2 {
                return Err(Contradiction::Stuck(v));
            }
            if ways == 2 && !self.is_full(v) {
                for w in self.open_moves(v) {
                    if self.is_left(v, w) {
                        self.force(v, w)?;
                    }
                }
                // Taking the first may have excluded the second.
                self.queue.extend((!self.is_full(v)).then_some(v));
            }
        }
        Ok(())
    }

    fn is_full(&self, v: u32) -> bool {
        self.links[v as usize][1] != 0
    }

    fn linked(&self, u: u32, v: u32) -> bool {
        self.links[u as usize].contains(&(v + 1))
    }

    /// The other end of the forced path that ends at `v`, which may be `v` itself.
    fn far(&self, v: u32) -> u32 {
        match self.far[v as usize] {
            0 => v,
            far => far - 1,
        }
    }

    /// Whether a move of the graph or the apex may still be used.
    fn is_left(&self, u: u32, v: u32) -> bool {
        let to_full_apex = u.max(v) == self.apex && self.is_full(self.apex) && !self.linked(u, v);
        !to_full_apex && !self.gone.contains(&(u.min(v), u.max(v)))
    }

    fn joined(&self, u: u32, v: u32) -> bool {
        match u.max(v) == self.apex {
            true => self.open,
            false => self.graph.adjacent(Square::new(u), Square::new(v)),
        }
    }

    /// Number of moves that may still be used at a vertex, forced ones included.
    fn ways(&self, v: u32) -> usize {
        if v != self.apex {
            let ends = self.open && self.is_left(v, self.apex);
            return self.moves_left(v) + usize::from(ends);
        }
        if self.is_full(v) { 2 } else { self.graph.order() - self.lost[v as usize] as usize }
    }

    /// The same without the apex.
    fn moves_left(&self, v: u32) -> usize {
        self.graph.degree(Square::new(v)) - self.lost[v as usize] as usize
    }

    /// The moves of a vertex that may be used and are not forced, except where the apex is full.
    fn open_moves(&self, v: u32) -> Vec<u32> {
        let may = |&w: &u32| self.is_left(v, w) && !self.linked(v, w);
        if v == self.apex {
            return self.graph.vertices().map(id).filter(may).collect();
        }
        let apex = self.open.then_some(self.apex);
        self.graph.neighbours(Square::new(v)).map(id).chain(apex).filter(may).collect()
    }

    /// Drops a move that no tour uses.
    fn lose(&mut self, u: u32, v: u32) {
        if self.gone.insert((u.min(v), u.max(v))) {
            let with_apex = u.max(v) == self.apex;
            for w in [u, v].into_iter().filter(|&w| !with_apex || w == self.apex) {
                self.lost[w as usize] += 1;
            }
            self.queue.extend([u, v]);
        }
    }

    /// Takes a move that every tour uses. Fails if it is lost already.
    fn force(&mut self, u: u32, v: u32) -> Result<(), Contradiction> {
        if self.linked(u, v) {
            return Ok(());
        }
        if !self.is_left(u, v) {
            return Err(Contradiction::Excluded(u, v));
        }
        let (a, b) = (self.far(u), self.far(v));
        for (x, y) in [(u, v), (v, u)] {
            let first = self.links[x as usize][0] != 0;
            self.links[x as usize][usize::from(first)] = y + 1;
        }
        if a == v {
            // Only a path through all vertices may close; a shorter one has lost this move.
            return Ok(());
        }
        let length = self.length[u as usize] + self.length[v as usize] + 1;
        for (x, y) in [(a, b), (b, a)] {
            self.far[x as usize] = y + 1;
            self.length[x as usize] = length;
        }
        let closes = length > 1 && length + 1 < self.total && self.joined(a, b);
        if closes && !self.linked(a, b) && self.is_left(a, b) {
            self.lose(a, b);
        }
        for x in [u, v] {
            if self.is_full(x) {
                self.fill(x);
            }
        }
        Ok(())
    }

    /// Drops the other moves of a vertex with two forced ones.
    fn fill(&mut self, v: u32) {
        if v == self.apex {
            if self.fixed {
                // Vertices that may not be ends were counted so from the start.
                return;
            }
            let scarce = |&w: &u32| !self.is_full(w) && self.ways(w) <= 2;
            let scarce: Vec<u32> = self.graph.vertices().map(id).filter(scarce).collect();
            self.queue.extend(scarce);
            return;
        }
        for w in self.open_moves(v) {
            self.lose(v, w);
        }
    }

    fn name(&self, v: u32) -> String {
        self.graph.name(Square::new(v))
    }

    /// The forced path that ends at `v`, from there on.
    fn path(&self, v: u32) -> Vec<u32> {
        let (mut path, mut before) = (vec![v], u32::MAX);
        let mut here = v;
        while let Some(&next) =
            self.links[here as usize].iter().find(|&&w| w != 0 && w - 1 != before)
        {
            (before, here) = (here, next - 1);
            path.push(here);
            if here == v {
                break;
            }
        }
        path
    }

    /// Names along forced moves: `a1-b3-c5`, and the middle of a long path left out.
    fn chain(&self, path: &[u32]) -> String {
        let path: Vec<u32> = path.iter().copied().filter(|&v| v != self.apex).collect();
        let names = |part: &[u32]| part.iter().map(|&v| self.name(v)).collect::<Vec<_>>().join("-");
        match path.len() {
            0..=NAMED => names(&path),
            n => format!("{}-…-{}", names(&path[..NAMED / 2]), names(&path[n - NAMED / 2..])),
        }
    }

    fn explain(&self, contradiction: Contradiction) -> Finding {
        match contradiction {
            Contradiction::Stuck(v) => self.explain_stuck(v),
            Contradiction::Excluded(u, v) => self.explain_excluded(u, v),
        }
    }

    /// Says why a vertex has too few moves left.
    fn explain_stuck(&self, stuck: u32) -> Finding {
        let (graph, nouns) = (self.graph, nouns(self.graph));
        if stuck == self.apex {
            let reason = format!(
                "forced moves on {graph} leave fewer than two {nouns} for the ends of a tour"
            );
            return Finding::new(NAME, reason);
        }
        let near = graph.neighbours(Square::new(stuck)).map(id);
        let lost = near.chain(self.open.then_some(self.apex)).filter(|&w| !self.is_left(stuck, w));
        let (mut causes, forced): (Vec<String>, Vec<Vec<u32>>) =
            lost.map(|w| self.cause(stuck, w)).unzip();
        if causes.len() > CAUSES {
            let more = causes.len() - (CAUSES - 1);
            causes.truncate(CAUSES - 1);
            causes.push(format!("{more} more are excluded likewise"));
        }
        let left = if self.moves_left(stuck) == 0 { "no move" } else { "only one move" };
        let needs = match self.open {
            true => "where a tour needs two, or one at an end",
            false => "where a closed tour needs two",
        };
        let (name, causes) = (self.name(stuck), causes.join("; "));
        let reason = format!("{name} on {graph} has {left} left, {needs}: {causes}");
        self.finding(reason, &forced, Some(Square::new(stuck)))
    }

    /// Says why a move that every tour must use is lost.
    fn explain_excluded(&self, u: u32, v: u32) -> Finding {
        let (u, v) = if self.is_full(u) { (v, u) } else { (u, v) };
        let (cause, forced) = self.cause(u, v);
        let demand = match u.max(v) == self.apex {
            true => format!("{} is to be an end", self.name(u.min(v))),
            false => format!("the move {} to {} is to be used", self.name(u), self.name(v)),
        };
        let reason = format!("on {} {demand}, but {cause}", self.graph);
        self.finding(reason, &[forced], None)
    }

    fn finding(&self, reason: String, forced: &[Vec<u32>], stuck: Option<Square>) -> Finding {
        let steps = forced.iter().flat_map(|path| path.windows(2));
        let inside = steps.filter(|step| !step.contains(&self.apex));
        let mut moves: Vec<(Square, Square)> = inside
            .map(|step| (step[0].min(step[1]), step[0].max(step[1])))
            .map(|(u, v)| (Square::new(u), Square::new(v)))
            .collect();
        moves.sort_unstable();
        moves.dedup();
        let certificate =
            (!moves.is_empty()).then(|| Box::new(Certificate::forced(self.graph, &moves)));
        let evidence = Evidence::Forced(ForcedMoves { moves, stuck });
        Finding { theorem: NAME, reason, certificate, evidence }
    }

    /// All forced moves.
    fn forced_moves(&self) -> Vec<(Square, Square)> {
        let linked = |v: u32| self.links[v as usize].into_iter().filter(|&w| w != 0).map(|w| w - 1);
        let from = (0..self.apex).flat_map(|v| linked(v).map(move |w| (v, w)));
        let once = from.filter(|&(v, w)| v < w && w != self.apex);
        once.map(|(v, w)| (Square::new(v), Square::new(w))).collect()
    }

    /// Why the move from `v` to `w` is lost, and the forced moves that exclude it. If `v` has two
    /// forced moves, so has `w`.
    fn cause(&self, v: u32, w: u32) -> (String, Vec<u32>) {
        let edge = (Square::new(v.min(w)), Square::new(v.max(w)));
        if self.problem.forbidden().binary_search(&edge).is_ok() {
            return (format!("the move to {} is forbidden", self.name(w)), Vec::new());
        }
        if self.is_full(w) {
            let [x, y] = self.links[w as usize].map(|x| x - 1);
            let passed = vec![x, w, y];
            let text = if w == self.apex {
                format!("the ends are {} and {}", self.name(x), self.name(y))
            } else if passed.contains(&self.apex) {
                format!("{} is an end with the forced move {}", self.name(w), self.chain(&passed))
            } else {
                format!("{} has the forced moves {}", self.name(w), self.chain(&passed))
            };
            return (text, passed);
        }
        // Both are ends of one forced path.
        let path = self.path(w);
        let text = match w == self.apex || path.contains(&self.apex) {
            true => "forced moves would end the tour early".to_string(),
            false => {
                let (chain, count) = (self.chain(&path), path.len());
                let (name, nouns) = (self.name(w), nouns(self.graph));
                format!(
                    "the move to {name} would close the forced moves {chain} to a cycle of {count} of {} {nouns}",
                    self.graph.order()
                )
            }
        };
        (text, path)
    }
}

fn id(v: Square) -> u32 {
    v.index() as u32
}
