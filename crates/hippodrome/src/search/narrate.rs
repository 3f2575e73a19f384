//! Sentences about a search, each made from one event and its values.
//!
//! [`sentence`] is the only place where events become prose; the command and the page print what it returns.
//! [`Narrator`] is an observer that numbers the sentences and stops after the first few.

use crate::board::Graph;
use crate::board::Square;
use crate::numerals::{counted, grouped, plural, short};
use crate::search::{
    CycleReport, EventKind, FactorSource, ForcedEdge, GenerationReport, Link, MoveOption, Observer,
    SearchEvent, ShortVertex, Stats, TieBreaker,
};
use std::ops::ControlFlow;

/// Options, edges or parts named in one sentence, at most.
const NAMED: usize = 6;

/// One sentence of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its number, from 1.
    pub number: u64,
    /// The kind of its event.
    pub kind: EventKind,
    /// The sentence.
    pub text: String,
}

/// An observer that makes sentences of the first events, and counts the rest.
pub struct Narrator<'a> {
    graph: &'a Graph,
    /// Sentences to make.
    most: u64,
    /// Events that have a sentence, so far.
    count: u64,
    tell: &'a mut dyn FnMut(Sentence) -> ControlFlow<()>,
}

impl<'a> Narrator<'a> {
    /// Passes the first `most` sentences to `tell`, which may stop the search.
    pub fn new(
        graph: &'a Graph,
        most: u64,
        tell: &'a mut dyn FnMut(Sentence) -> ControlFlow<()>,
    ) -> Narrator<'a> {
        Narrator { graph, most, count: 0, tell }
    }

    /// Returns the number of sentences that were left out.
    pub fn left_out(&self) -> u64 {
        self.count.saturating_sub(self.most)
    }
}

impl Observer for Narrator<'_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        if self.count >= self.most {
            // The sentence is not needed, only whether there is one.
            self.count += u64::from(has_sentence(event));
            return ControlFlow::Continue(());
        }
        let Some(text) = sentence(self.graph, event, so_far) else {
            return ControlFlow::Continue(());
        };
        self.count += 1;
        (self.tell)(Sentence { number: self.count, kind: event.kind(), text })
    }
}

/// Returns whether [`sentence`] makes a sentence of an event.
fn has_sentence(event: &SearchEvent<'_>) -> bool {
    match event {
        SearchEvent::Stack { path, .. } => path.len() > 1,
        SearchEvent::Forced(edges) => !edges.is_empty(),
        _ => !event.kind().is_drawn(),
    }
}

/// Makes a sentence of an event, without a full stop. `None` for states that are only drawn.
// Long because it has one arm per kind of event.
pub fn sentence(graph: &Graph, event: &SearchEvent<'_>, so_far: &Stats) -> Option<String> {
    if !has_sentence(event) {
        return None;
    }
    let told = Teller { graph };
    Some(match *event {
        SearchEvent::Path(_)
        | SearchEvent::Moves(_)
        | SearchEvent::MoveWeights(_)
        | SearchEvent::Population(_)
        | SearchEvent::Members { .. }
        | SearchEvent::Edges { .. }
        | SearchEvent::Queue(_) => return None,
        SearchEvent::Stack { path, untried, marks } => told.stack(path, untried, marks)?,
        SearchEvent::Stage { solver, attempts } => match attempts {
            Some(most) => format!("try solver {solver}, at most {}", counted(most, "attempt")),
            None => format!("try solver {solver}"),
        },
        SearchEvent::Start { square } => {
            format!("attempt {} starts on {}", grouped(so_far.attempts + 1), told.name(square))
        }
        SearchEvent::Choice { step, from, options, chosen, ties } => {
            let from = told.name(from);
            format!("move {step}: from {from}{}", told.options(options, chosen, ties))
        }
        SearchEvent::DeadEnd { square, visited } => {
            let (name, order) = (told.name(square), graph.order() as u64);
            let visited = grouped(visited as u64);
            format!("dead end on {name}: {visited} of {} visited", told.counted(order))
        }
        SearchEvent::Retry { step, from, chosen, left } => {
            let more = match left {
                0 => "the last option".into(),
                left => format!("{} left", counted(left as u64, "option")),
            };
            format!("move {step}: from {} now to {}, {more}", told.name(from), told.name(chosen))
        }
        SearchEvent::Back { moves, to } => {
            format!("go back {}, to {}", counted(moves as u64, "move"), told.name(to))
        }
        SearchEvent::Probe { square, attempts } => {
            format!("search from {} for {}", told.name(square), counted(attempts, "attempt"))
        }
        SearchEvent::GiveUp { square } => {
            format!("no tour from {} so far; the next start {}", told.name(square), told.noun())
        }
        SearchEvent::Extend { length, square, evaluation, added, waiting } => format!(
            "extend the path of {} that ends on {} (evaluation {}): {}, {} in the queue",
            told.counted(length as u64),
            told.name(square),
            short(evaluation),
            counted(added as u64, "new path"),
            grouped(waiting as u64)
        ),
        SearchEvent::Part { taken, excluded } => {
            let list = |links: &[Link]| {
                let shown: Vec<String> =
                    links.iter().take(NAMED).map(|&link| told.link(link)).collect();
                match links.len() {
                    0 => "nothing".into(),
                    n if n > NAMED => format!("{} and {} more", shown.join(", "), n - NAMED),
                    _ => crate::error::joined(&shown, "and"),
                }
            };
            format!("this part of the search takes {}, excludes {}", list(taken), list(excluded))
        }
        SearchEvent::Branch { vertex, left, needs, edge, depth } => {
            let lacks = if needs == 2 { "needs 2" } else { "needs 1 more" };
            let left = counted(left.into(), told.edge_noun());
            format!(
                "choice {depth}: {} has the fewest options ({left} left, {lacks}); try {}",
                told.vertex(vertex),
                told.link(edge)
            )
        }
        SearchEvent::Forced(edges) => told.forced(edges),
        SearchEvent::Contradiction { short } => match short {
            Some(ShortVertex { vertex, left, needs }) => format!(
                "contradiction: {} has {} left and needs {}",
                told.vertex(vertex),
                counted(left.into(), told.edge_noun()),
                if needs == 2 { "2" } else { "1 more" }
            ),
            None => "contradiction: the chosen moves cannot be joined to one tour".into(),
        },
        SearchEvent::Exclude { edge, depth } => {
            let rest = match depth {
                0 => "no other choice is left".into(),
                1 => "1 choice remains".into(),
                _ => format!("{depth} choices remain"),
            };
            format!("go back and exclude {}; {rest}", told.link(edge))
        }
        SearchEvent::Restart { round } => format!(
            "restart {round}: no tour in {}, so the search begins again with random ties",
            counted(so_far.attempts, "attempt")
        ),
        SearchEvent::Cycle(report) => told.cycle(&report),
        SearchEvent::Generation(report) => told.generation(&report),
        SearchEvent::Sweep { number, active, satisfied, cycles } => {
            let order = told.counted(graph.order() as u64);
            let active = counted(active as u64, "active move");
            let cycles = counted(cycles as u64, "cycle");
            format!("sweep {number}: {active}, {satisfied} of {order} have two, {cycles} closed")
        }
        SearchEvent::Rest { sweeps, cycles } => {
            let after = sweeps.map_or(String::new(), |n| format!(" after {}", counted(n, "sweep")));
            match cycles {
                None => format!(
                    "the network has no two moves at every {}{after}: a failed trial",
                    told.noun()
                ),
                Some(1) => format!("the network rests{after} on one cycle: a tour"),
                Some(cycles) => {
                    format!("the network rests{after} on {}", counted(cycles, "cycle"))
                }
            }
        }
        SearchEvent::Mended { before, kept } => format!(
            "repair: {kept} of {} are kept, and others added until every {} has its moves",
            counted(before as u64, "active move"),
            told.noun()
        ),
        SearchEvent::Factor { cycles, source } => {
            let by = match source {
                FactorSource::Matching => "a matching",
                FactorSource::Solver => "the satisfiability solver",
            };
            let (cycles, noun) = (counted(cycles, "cycle"), told.noun());
            format!("{by} gives every {noun} two {}s: {cycles}", told.edge_noun())
        }
        SearchEvent::NoFactor => format!(
            "no choice of {}s gives every {} two of them, so there is no tour",
            told.edge_noun(),
            told.noun()
        ),
        SearchEvent::Joined { cycles: 1, .. } => "it is one cycle already: a tour".into(),
        SearchEvent::Joined { cycles, pairs, longer, left } => {
            let exchanges = match (pairs, longer) {
                (0, 0) => "no exchange joins".into(),
                (pairs, 0) => format!("{} join", counted(pairs, "exchange")),
                (pairs, longer) => format!(
                    "{} and {longer} longer {} join",
                    counted(pairs, "exchange"),
                    plural(longer, "one")
                ),
            };
            let result = match left {
                1 => "one is left, a tour".into(),
                left => format!("{left} are left"),
            };
            format!("{exchanges} {}: {result}", counted(cycles, "cycle"))
        }
        SearchEvent::Cut { clauses } => format!(
            "{} added: some {} must leave each of these cycles",
            counted(clauses, "cut"),
            told.edge_noun()
        ),
        SearchEvent::Reduced { edges, left } => {
            let all = counted(edges as u64, "edge");
            format!("a tour can use {} of {all}, added ones included", grouped(left as u64))
        }
        SearchEvent::Division { parts: [rows, cols] } => {
            let parts = |parts: &[u32]| {
                let shown: Vec<String> =
                    parts.iter().take(NAMED).map(|part| part.to_string()).collect();
                let more = if parts.len() > NAMED { "+…" } else { "" };
                format!("{}{more}", shown.join("+"))
            };
            let blocks = counted((rows.len() * cols.len()) as u64, "block");
            format!("divide {graph} into {blocks}: rows {}, columns {}", parts(rows), parts(cols))
        }
        SearchEvent::Crossing { step, squares, block: (row, col), back } => {
            let return_move =
                back.map_or(String::new(), |back| format!("; {} leads back", told.pair(back)));
            format!(
                "move {}: {} joins the next block, in row {row} and column {col} of the blocks{return_move}",
                grouped(step),
                told.pair(squares)
            )
        }
        SearchEvent::Cover { decided, closed } => {
            let number = grouped(so_far.attempts + 1);
            match closed {
                Some(size) => format!(
                    "cover {number}: {} are closed off after {decided} decisions: rejected",
                    told.counted(size as u64)
                ),
                None => format!("cover {number}: one cycle through all {}: a tour", told.nouns()),
            }
        }
        SearchEvent::FirstTour { ends: (first, last) } => {
            let (first, last) = (told.name(first), told.name(last));
            format!("the chain begins with a tour from {first} to {last}")
        }
        SearchEvent::Reversal { end, added, cut, reversed } => format!(
            "from the end {} add {}, cut {}, reverse {}",
            told.name(end),
            told.pair(added),
            told.pair(cut),
            told.counted(reversed.len() as u64)
        ),
        SearchEvent::Reversals { steps, reversed, ends: (first, last) } => format!(
            "{} of {} reverse an end part; the tour now leads from {} to {}",
            grouped(reversed),
            counted(steps, "step"),
            told.name(first),
            told.name(last)
        ),
        SearchEvent::Layer { number, square, states, .. } => {
            let states = counted(states, "state");
            format!("layer {number}: {states} of the frontier before {}", told.name(square))
        }
        SearchEvent::NoTour => "nothing is left to try, so there is no tour".into(),
        SearchEvent::Tour { squares, closed } => {
            let kind = if closed { "closed" } else { "open" };
            let ends = squares.first().zip(squares.last());
            let (first, last) = ends.map(|(&a, &b)| (told.name(a), told.name(b)))?;
            let cost = format!(
                "{}, {}",
                counted(so_far.attempts, "attempt"),
                counted(so_far.moves, "move")
            );
            format!("found: a tour from {first} to {last}, {kind} ({cost})")
        }
    })
}

/// Words for the vertices and moves of a graph.
struct Teller<'g> {
    graph: &'g Graph,
}

impl Teller<'_> {
    fn name(&self, square: Square) -> String {
        self.graph.name(square)
    }

    fn noun(&self) -> &'static str {
        if self.graph.board().is_some() { "square" } else { "vertex" }
    }

    fn nouns(&self) -> String {
        plural(2, self.noun())
    }

    fn edge_noun(&self) -> &'static str {
        if self.graph.board().is_some() { "move" } else { "edge" }
    }

    fn counted(&self, number: u64) -> String {
        counted(number, self.noun())
    }

    fn vertex(&self, vertex: Option<Square>) -> String {
        vertex.map_or_else(|| "the outside".into(), |square| self.name(square))
    }

    fn pair(&self, (u, v): (Square, Square)) -> String {
        format!("{}-{}", self.name(u), self.name(v))
    }

    /// A move, or an end of the tour.
    fn link(&self, link: Link) -> String {
        match link {
            (Some(u), Some(v)) => self.pair((u, v)),
            (Some(end), None) | (None, Some(end)) => format!("{} as an end", self.name(end)),
            (None, None) => "the move outside".into(),
        }
    }

    fn stack(&self, path: &[Square], untried: &[Square], marks: &[usize]) -> Option<String> {
        let &[.., from, to] = path else { return None };
        let free = untried.len() - marks.last().copied().unwrap_or(0);
        let then = match free {
            _ if path.len() == self.graph.order() => format!("the last {}", self.noun()),
            0 => format!("without a free {} from there", self.noun()),
            free => format!("with {} from there", counted(free as u64, "option")),
        };
        Some(format!("move {}: {} to {}, {then}", path.len() - 1, self.name(from), self.name(to)))
    }

    /// The options in order of their onward moves, and the choice.
    fn options(&self, options: &[MoveOption], chosen: Square, ties: TieBreaker) -> String {
        if options.len() == 1 {
            return format!(" the only free {} is {}", self.noun(), self.name(chosen));
        }
        let mut sorted = options.to_vec();
        sorted.sort_by_key(|option| option.onward);
        let mut groups: Vec<String> = Vec::new();
        let mut shown = 0;
        for group in sorted.chunk_by(|a, b| a.onward == b.onward) {
            if shown >= NAMED {
                break;
            }
            let names: Vec<String> =
                group.iter().take(NAMED - shown).map(|option| self.name(option.square)).collect();
            shown += names.len();
            let (names, onward) = (crate::error::joined(&names, "and"), group[0].onward);
            groups.push(match (groups.is_empty(), group.len()) {
                (true, 1) => format!("{names} has {}", counted(onward.into(), "onward move")),
                (true, _) => format!("{names} have {} each", counted(onward.into(), "onward move")),
                (false, _) => format!("{names} {onward}"),
            });
        }
        if sorted.len() > shown {
            groups.push(format!("{} more options", sorted.len() - shown));
        }
        let least = sorted.first().map_or(0, |option| option.onward);
        let tied: Vec<&MoveOption> = sorted.iter().filter(|o| o.onward == least).collect();
        format!(", {}; {}", groups.join(", "), self.decision(&tied, chosen, ties))
    }

    /// Says what decides between the options with the fewest onward moves.
    fn decision(&self, tied: &[&MoveOption], chosen: Square, ties: TieBreaker) -> String {
        let name = self.name(chosen);
        if tied.len() == 1 {
            return format!("go to {name}");
        }
        let seconds: Vec<String> = tied
            .iter()
            .take(NAMED)
            .filter_map(|o| Some(format!("{} {}", self.name(o.square), o.second?)))
            .collect();
        let seconds = seconds.join(", ");
        let best = |second: u64| tied.iter().filter(|o| o.second == Some(second)).count() > 1;
        let again = match tied.iter().find(|o| o.square == chosen).and_then(|o| o.second) {
            Some(second) if best(second) => ", and then the move order,",
            _ => "",
        };
        match ties {
            TieBreaker::Random => format!("a random choice takes {name}"),
            TieBreaker::Order => format!("the move order takes {name}"),
            TieBreaker::Ascending => format!("take {name} first"),
            TieBreaker::Pohl => {
                format!("the sum of onward moves one level down ({seconds}){again} takes {name}")
            }
            TieBreaker::Roth => {
                format!("the squared distance from the centre ({seconds}){again} takes {name}")
            }
        }
    }

    fn forced(&self, edges: &[ForcedEdge]) -> String {
        let mut parts: Vec<String> = Vec::new();
        for group in edges.chunk_by(|a, b| a.at == b.at).take(NAMED) {
            let links: Vec<String> = group.iter().map(|forced| self.link(forced.edge)).collect();
            let links = crate::error::joined(&links, "and");
            parts.push(match group[0].at {
                Some(at) => format!("{} needs {links}", self.name(at)),
                None => format!("the tour ends there: {links}"),
            });
        }
        let groups = edges.chunk_by(|a, b| a.at == b.at).count();
        if groups > NAMED {
            let named: usize =
                edges.chunk_by(|a, b| a.at == b.at).take(NAMED).map(<[_]>::len).sum();
            parts.push(format!("{} more", edges.len() - named));
        }
        format!("forced, because no other {} is left: {}", self.edge_noun(), parts.join("; "))
    }

    fn cycle(&self, report: &CycleReport) -> String {
        let CycleReport { number, colony, ants, longest, mean, whole, total, strongest } = *report;
        let colony = colony.map_or(String::new(), |colony| format!(" of colony {colony}"));
        let tours = match whole {
            0 => "none over the whole board".into(),
            whole => format!("{} over the whole board", grouped(whole)),
        };
        let order = self.graph.order();
        let change = match strongest {
            Some((from, to, amount)) if total.0 != total.1 => format!(
                "pheromone {} to {}, most on {}-{} ({})",
                short(total.0),
                short(total.1),
                self.name(from),
                self.name(to),
                short(amount)
            ),
            _ => "pheromone unchanged".into(),
        };
        format!(
            "cycle {number}{colony}: {}, longest path {longest} of {order}, mean {mean:.1}, {tours}; {change}",
            counted(ants, "ant")
        )
    }

    fn generation(&self, report: &GenerationReport) -> String {
        let GenerationReport { number, best, mean, needed, crossed, pairs, repaired } = *report;
        let origin = match crossed {
            None => "drawn at random".into(),
            Some(crossed) => format!("{} of {} crossed", crossed, counted(pairs, "pair")),
        };
        let repair = match repaired {
            None => String::new(),
            Some(genes) => format!(", repair changed {}", counted(genes, "gene")),
        };
        format!(
            "generation {number}: {origin}{repair}; best {best} of {needed} moves, mean {mean:.1}"
        )
    }
}
