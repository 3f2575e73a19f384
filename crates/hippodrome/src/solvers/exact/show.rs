//! The events of a watched search: its longest path, its choices, and what follows from them.
//!
//! Consequences are read from the steps that the cover keeps to undo them, so that the search itself does not know
//! whether it is watched.

use super::cover::Dart;
use super::ends::Decisions;
use super::search::{EdgeSearch, FRAME_WORK};
use crate::search::{ForcedEdge, Link, Run, SearchEvent, ShortVertex};
use std::collections::HashSet;
use std::ops::ControlFlow;

impl EdgeSearch<'_> {
    /// Sends the decided edges and the longest path, less often on a large graph.
    pub(super) fn show(&mut self, run: &mut Run<'_>) -> ControlFlow<()> {
        self.unseen += FRAME_WORK;
        if self.unseen < self.cover.order() {
            return ControlFlow::Continue(());
        }
        self.unseen = 0;
        self.show_edges(run)?;
        self.model.longest(&self.cover, &mut self.path, &mut self.image);
        run.event(&SearchEvent::Path(&self.path))
    }

    /// Sends all edges that are decided at this moment.
    pub(super) fn show_edges(&self, run: &mut Run<'_>) -> ControlFlow<()> {
        let tried: HashSet<Dart> = self
            .tried
            .iter()
            .chain(self.stack.iter().map(|(_, dart)| dart))
            .map(|d| d / 2)
            .collect();
        let (mut forced, mut chosen, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        self.cover.each_decided(|dart, is_taken| {
            let list = match is_taken {
                true if tried.contains(&(dart / 2)) => &mut chosen,
                true => &mut forced,
                false => &mut excluded,
            };
            // Edges between two added vertices are no moves.
            list.extend(Some(self.link(dart)).filter(|link| *link != (None, None)));
        });
        let edges = SearchEvent::Edges { forced: &forced, chosen: &chosen, excluded: &excluded };
        run.event(&edges)
    }

    /// Returns the edge of a dart.
    pub(super) fn link(&self, dart: Dart) -> Link {
        let square = |dart| self.model.square(self.cover.head(dart));
        (square(dart ^ 1), square(dart))
    }

    /// Sends the decisions at the root of this part of the search, and what follows from them.
    pub(super) fn show_part(
        &self,
        decisions: &Decisions,
        round: u64,
        alive: bool,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        if round > 0 {
            run.event(&SearchEvent::Restart { round })?;
        }
        let links = |take: bool| -> Vec<Link> {
            let some = decisions.iter().filter(|decision| decision.1 == take);
            // Edges between two added vertices say nothing.
            some.map(|&(dart, _)| self.link(dart)).filter(|link| *link != (None, None)).collect()
        };
        let (taken, excluded) = (links(true), links(false));
        if round == 0 && !(taken.is_empty() && excluded.is_empty()) {
            run.event(&SearchEvent::Part { taken: &taken, excluded: &excluded })?;
        }
        let taken: Vec<Dart> = decisions.iter().filter(|d| d.1).map(|d| d.0).collect();
        self.show_consequences(0, &taken, alive, run)
    }

    /// Sends the edge that is tried next.
    pub(super) fn show_branch(&self, dart: Dart, run: &mut Run<'_>) -> ControlFlow<()> {
        let tail = self.cover.head(dart ^ 1);
        let state = &self.cover.vertices[tail as usize];
        run.event(&SearchEvent::Branch {
            vertex: self.model.square(tail),
            left: state.degree,
            needs: state.need,
            edge: self.link(dart),
            depth: self.stack.len() + 1,
        })
    }

    /// Sends the edges chosen since a mark, except those that were decided, and the contradiction if there is one.
    pub(super) fn show_consequences(
        &self,
        mark: usize,
        decided: &[Dart],
        alive: bool,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let is_new = |dart: &Dart| !decided.contains(dart) && self.link(*dart) != (None, None);
        let forced: Vec<ForcedEdge> = self
            .cover
            .chosen_since(mark)
            .filter(is_new)
            .map(|dart| {
                let at = self.model.square(self.cover.head(dart ^ 1));
                ForcedEdge { at, edge: self.link(dart) }
            })
            .collect();
        if !forced.is_empty() {
            run.event(&SearchEvent::Forced(&forced))?;
        }
        if alive {
            return ControlFlow::Continue(());
        }
        let short = self.cover.touched(mark).find_map(|v| {
            let state = &self.cover.vertices[v as usize];
            let (left, needs) = (state.degree, state.need);
            (left < needs).then(|| ShortVertex { vertex: self.model.square(v), left, needs })
        });
        run.event(&SearchEvent::Contradiction { short })
    }
}
