//! The depth-first search over a [`PathCover`], with its branching and restarts.
//!
//! The search picks the vertex with the fewest ways to get its missing edges, and first tries the
//! edge to the neighbour with the fewest spare edges. This is Warnsdorff's rule, applied to all
//! ends of all paths at once. The second branch excludes that edge. The search does not recurse: a
//! stack holds, for each edge tried, the mark to return to.

use super::cover::{Dart, Dead, PathCover, VertexState};
use super::ends::{Decisions, Model};
use super::tournament::Tournament;
use crate::board::Square;
use crate::search::{End, Run, SearchEvent};
#[cfg(debug_assertions)]
use crate::solvers::sanity::{CheckSchedule, assert_sane};
use rand::RngExt;
use std::ops::ControlFlow;

/// Minimum number of vertices for which a ranking is maintained; on smaller graphs a linear scan is faster.
/// Chosen by hand.
const RANKED_FROM: usize = 256;
/// A watched search shows its longest path once per `order / FRAME_WORK` choices, so that frames
/// take a bounded share of the time. Chosen by hand.
pub(super) const FRAME_WORK: usize = 256;
/// Number of leaves without a tour after which a search restarts. Chosen by hand, not tuned; neither Rubin
/// nor HAMDANCE restarts.
const RESTART_LEAVES: u64 = 100;

/// How often a search restarts, and when it breaks ties at random.
#[derive(Clone, Copy)]
pub(super) struct Luck {
    /// Maximum number of restarts.
    pub(super) restarts: u64,
    /// Whether ties are broken at random from the start, not only after a restart.
    pub(super) random: bool,
}

/// How a search of the tree ended.
enum Exploration {
    /// The tree was searched to its end.
    Done,
    /// No tour was found within the limit on leaves.
    Barren,
}

/// The vertices of a large graph, ranked by [`ways`].
struct Ranked {
    tournament: Tournament,
    /// Mark up to which the steps of the cover are included in the ranking.
    mark: usize,
    /// Vertices whose steps were undone since then.
    undone: Vec<u32>,
}

/// Estimates the number of ways in which a vertex can get its missing edges.
#[inline]
fn ways(vertex: &VertexState) -> u32 {
    match vertex.need {
        0 => u32::MAX,
        1 => 2 * vertex.degree,
        _ => vertex.degree.saturating_mul(vertex.degree.saturating_sub(1)).saturating_add(1),
    }
}

/// Returns the same as [`ways`], except that apexes rank first: on a large graph an apex has too many
/// neighbours to be processed repeatedly.
#[inline]
fn rank(cover: &PathCover, v: u32) -> u32 {
    let vertex = &cover.vertices[v as usize];
    if cover.is_square(v) || vertex.need == 0 { ways(vertex) } else { 0 }
}

/// One search.
pub(super) struct EdgeSearch<'m> {
    pub(super) model: &'m Model,
    pub(super) cover: PathCover,
    pub(super) stack: Vec<(usize, Dart)>,
    ranked: Option<Ranked>,
    pub(super) path: Vec<Square>,
    pub(super) image: Vec<Square>,
    pub(super) unseen: usize,
    /// The edges that this part of a watched search tries from the start.
    pub(super) tried: Vec<Dart>,
    #[cfg(debug_assertions)]
    checks: CheckSchedule,
}

impl<'m> EdgeSearch<'m> {
    /// Creates a search of the model, at its root.
    pub(super) fn new(model: &'m Model) -> EdgeSearch<'m> {
        let cover = model.cover.clone();
        let ranked = (cover.order() >= RANKED_FROM).then(|| {
            let tournament = Tournament::new((0..cover.order() as u32).map(|v| rank(&cover, v)));
            Ranked { tournament, mark: 0, undone: Vec::new() }
        });
        EdgeSearch {
            model,
            cover,
            stack: Vec::new(),
            ranked,
            path: Vec::new(),
            image: Vec::new(),
            unseen: 0,
            tried: Vec::new(),
            #[cfg(debug_assertions)]
            checks: CheckSchedule::default(),
        }
    }

    /// Returns the edge to branch on after the given decisions at the root; `None` if they lead to a leaf.
    pub(super) fn branch(&mut self, decisions: &Decisions) -> Option<Dart> {
        let alive = self.follow(decisions);
        let dart = (alive.is_ok() && !self.cover.is_closed()).then(|| self.pick(None));
        self.back_to(0);
        dart
    }

    fn follow(&mut self, decisions: &Decisions) -> Result<(), Dead> {
        self.cover.begin()?;
        decisions.iter().try_for_each(|&(dart, take)| self.cover.decide(dart, take))
    }

    /// Searches below the given decisions. If no tour is found, restarts up to `restarts` times with ties
    /// broken at random; the last search is complete.
    pub(super) fn run<const WATCH: bool>(
        &mut self,
        decisions: &Decisions,
        luck: Luck,
        run: &mut Run<'_>,
    ) -> End {
        for round in 0..=luck.restarts {
            let limit = if round < luck.restarts { RESTART_LEAVES } else { u64::MAX };
            let alive = self.follow(decisions);
            if WATCH {
                let tried = decisions.iter().skip(self.model.always).filter(|d| d.1);
                self.tried = tried.map(|d| d.0).collect();
            }
            if WATCH && self.show_part(decisions, round, alive.is_ok(), run).is_break() {
                return End::Limit;
            }
            match self.explore::<WATCH>(alive, limit, luck.random || round > 0, run) {
                ControlFlow::Break(()) => return End::Limit,
                ControlFlow::Continue(Exploration::Done) => break,
                ControlFlow::Continue(Exploration::Barren) => {
                    self.stack.clear();
                    self.back_to(0);
                }
            }
        }
        End::Exhausted { proof: true }
    }

    fn explore<const WATCH: bool>(
        &mut self,
        mut alive: Result<(), Dead>,
        mut limit: u64,
        random: bool,
        run: &mut Run<'_>,
    ) -> ControlFlow<(), Exploration> {
        loop {
            let moves = self.cover.moves();
            if alive.is_ok() && !self.cover.is_closed() {
                run.charge(0, moves)?;
                let dart = self.pick(random.then_some(&mut *run));
                if WATCH {
                    self.show(run)?;
                    self.show_branch(dart, run)?;
                }
                self.stack.push((self.cover.mark(), dart));
                alive = self.cover.decide(dart, true);
                if WATCH {
                    let mark = self.stack.last().map_or(0, |top| top.0);
                    self.show_consequences(mark, &[dart], alive.is_ok(), run)?;
                }
                continue;
            }
            let flow = run.charge(1, moves);
            limit -= 1;
            if alive.is_ok() {
                limit = u64::MAX;
                if WATCH {
                    self.show_edges(run)?;
                }
                self.model.claim(&self.cover, run, &mut self.path, &mut self.image)?;
            }
            flow?;
            if limit == 0 {
                return ControlFlow::Continue(Exploration::Barren);
            }
            let Some((mark, dart)) = self.stack.pop() else {
                return ControlFlow::Continue(Exploration::Done);
            };
            self.back_to(mark);
            alive = self.cover.decide(dart, false);
            if WATCH {
                let (edge, depth) = (self.link(dart), self.stack.len());
                run.event(&SearchEvent::Exclude { edge, depth })?;
                self.show_consequences(mark, &[], alive.is_ok(), run)?;
            }
        }
    }

    fn back_to(&mut self, mark: usize) {
        if let Some(ranked) = &mut self.ranked {
            ranked.undone.extend(self.cover.touched(mark));
            ranked.mark = ranked.mark.min(mark);
        }
        #[cfg(debug_assertions)]
        let undone = (self.cover.mark() - mark) as u64;
        self.cover.back_to(mark);
        #[cfg(debug_assertions)]
        if self.checks.is_due(undone, self.cover.size()) {
            assert_sane(self.cover.sanity());
        }
    }

    /// Chooses the edge to branch on.
    fn pick(&mut self, mut random: Option<&mut Run<'_>>) -> Dart {
        let vertices = &self.cover.vertices;
        let last = vertices.len() as u32 - 1;
        let vertex = match &mut self.ranked {
            None => (0..vertices.len()).min_by_key(|&v| ways(&vertices[v])).unwrap_or(0) as u32,
            Some(Ranked { tournament, mark, undone }) => {
                for v in undone.drain(..).chain(self.cover.touched(*mark)) {
                    tournament.set(v, rank(&self.cover, v));
                }
                *mark = self.cover.mark();
                tournament.first()
            }
        };
        let spare = |&&dart: &&Dart| {
            let v = self.cover.head(dart);
            let head = &self.cover.vertices[v as usize];
            let tie = match &mut random {
                Some(run) => run.rng.random(),
                // Choices sweep the board from the bottom, so an end of the tour is best placed at the top.
                None if vertex == last => u32::MAX - v,
                None => 0,
            };
            (head.degree - head.need, tie)
        };
        self.cover.darts(vertex).iter().min_by_key(spare).copied().unwrap_or(0)
    }
}
