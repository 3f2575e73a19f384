//! The checks that a count must pass before it is returned.
//!
//! *Ledger*: each step reads exactly the tallies that the previous step wrote, and merges exactly those it
//! emitted (`layer.rs`). *Order*: another order of the vertices gives the same number modulo a prime.
//! *Orbits*: for each symmetry of the board, the tours that it maps to themselves are counted on the folded
//! board; by Burnside's lemma the sum of these numbers and of the count itself is a multiple of the number of
//! symmetries. *Stabilizer*: a symmetry that fixes the given ends maps no tour between them to itself, so the
//! count is a multiple of the number of these symmetries.

use super::ends_plan::EndsPlan;
use super::fixed_ends::FixedEnds;
use super::monitor::StopReason;
use super::orbits::OrbitCounter;
use super::tally::Residue;
use super::task::{PlannedTask, Task, TaskPlan};
use super::{
    BigUint, Check, Count, CountConflict, CountError, CountKind, CountMonitor, Counted, order,
};
use crate::board::{Square, Symmetry};
use crate::search::Progress;

// Limits on checks that run without a request. Chosen by hand so that they take about a second.
/// Largest estimated number of states for which a second order is always tried.
const QUICK: f64 = 4e6;
/// Largest number of expanded states for which a second order is tried, provided that its cost is not much
/// higher.
const SMALL: u64 = 1_000_000;
/// The same limit for counts whose states hold only degrees; such states are cheap to expand.
const SMALL_DEGREES: u64 = 200_000_000;
/// Largest number of states for which a count that passed only the ledger check is repeated in a second
/// order.
const LONG: u64 = 20_000_000;
/// Ratio of the estimated numbers of states above which the cost of a second order is much higher.
const WORSE: f64 = 8.0;

/// A checker of one count.
pub(super) struct Checker<'a> {
    pub count: &'a Count,
    /// The result, which collects the checks that the count passes.
    pub counted: &'a mut Counted,
    pub monitor: &'a CountMonitor,
}

impl Checker<'_> {
    /// Runs the checks on a count that expanded `states` states. If a check fails, returns an error, and the
    /// count is discarded.
    pub fn check(&mut self, plan: &EndsPlan, states: u64) -> Result<(), CountError> {
        let count = self.count;
        if self.counted.reason.is_some() || count.graph.order() <= 2 {
            // There is no tour, or just one.
            self.counted.classes = count.classes.then(|| self.counted.undirected.clone());
            return Ok(());
        }
        let own = plan.own();
        let another = self.another(&own.task);
        self.order(own, another.as_ref(), states)?;
        let detail = format!("tallies read equal tallies written in all {states} states");
        self.counted.checks.push(Check { name: "ledger", detail });
        match plan.ends {
            FixedEnds::Free if count.kind.is_tour() => self.orbits()?,
            FixedEnds::One(_) | FixedEnds::Both(..) if count.kind == CountKind::Open => {
                self.stabilizer(plan.ends)?;
            }
            _ => {}
        }
        // The ledger cannot detect a wrong transition rule.
        if self.counted.checks.len() == 1
            && states <= LONG
            && let Some(another) = &another
        {
            self.agree_in_order(&own.task, another)?;
        }
        Ok(())
    }

    /// Plans the task with another order of the vertices, if there is a suitable one.
    fn another(&self, task: &Task) -> Option<TaskPlan> {
        let mut turned = task.clone();
        if let Some(board) = self.count.graph.board() {
            turned.orders = order::crosswise(&task.net, board, self.count.graph.order());
        } else {
            turned.orders.iter_mut().for_each(|order| order.reverse());
        }
        turned.plans().ok().and_then(|plans| plans.into_iter().next())
    }

    fn order(
        &mut self,
        own: &PlannedTask,
        another: Option<&TaskPlan>,
        states: u64,
    ) -> Result<(), CountError> {
        let confirm = self.count.confirm;
        let Some(another) = another else {
            return if confirm { Err(CountConflict::NoSecondOrder.into()) } else { Ok(()) };
        };
        let most = if own.task.many_cycles { SMALL_DEGREES } else { SMALL };
        let small = states <= most && another.cost <= WORSE * own.plan.cost;
        if another.cost > QUICK && !small && !confirm {
            return Ok(());
        }
        self.agree_in_order(&own.task, another)
    }

    /// Repeats the count modulo a prime with another order of the vertices, and checks that the results
    /// agree.
    fn agree_in_order(&mut self, task: &Task, plan: &TaskPlan) -> Result<(), CountError> {
        let (count, monitor) = (self.count, self.monitor);
        monitor.expect(plan.cost);
        let mut context = count.context(monitor);
        context.clear_fault();
        let residue = match task.run::<Residue>(plan, &context) {
            // The count itself fitted into memory; skip a check that was not requested.
            Err(StopReason::Memory(_)) if !count.confirm => return Ok(()),
            other => other.map_err(|stop| count.stopped(stop, monitor))?,
        };
        let squares = if count.graph.board().is_some() { "squares" } else { "vertices" };
        let own = &self.counted.undirected % Residue::PRIME;
        if own != BigUint::from(residue) {
            return Err(CountError::Check(format!(
                "it is {own} modulo 2^61 - 1, but another order of the {squares} gives {residue}"
            )));
        }
        let detail = format!("another order of the {squares} also gives {residue} modulo 2^61 - 1");
        self.counted.checks.push(Check { name: "order", detail });
        Ok(())
    }

    /// Checks by Burnside's lemma that tours form whole orbits under the symmetries.
    pub fn orbits(&mut self) -> Result<(), CountError> {
        let (count, counted) = (self.count, &mut *self.counted);
        let context = count.context(self.monitor);
        // The folded board consists of squares only, without an apex.
        let closed = Count { kind: CountKind::Closed, ..count.clone() }.task(FixedEnds::Free);
        let folder =
            OrbitCounter { task: &closed, squares: count.graph.order(), context: &context };
        let maps = &closed.maps[1..];
        let mut kept = Vec::new();
        for map in maps {
            let fixed = match count.kind {
                CountKind::Closed => folder.closed(map),
                _ => folder.open(map),
            };
            match fixed {
                Ok(fixed) => kept.push(fixed.to_biguint().ok_or_else(|| {
                    CountError::Check(format!(
                        "the number of symmetric tours, {fixed}, is negative"
                    ))
                })?),
                Err(StopReason::Interrupted) => return Err(CountError::Interrupted),
                Err(_) if count.classes => {
                    return Err(CountError::Classes(count.graph.to_string()));
                }
                // Skip this check; others remain.
                Err(_) => return Ok(()),
            }
        }
        let symmetries = maps.len() + 1;
        let sum: BigUint = kept.iter().sum::<BigUint>() + &counted.undirected;
        let (classes, rest) = (&sum / symmetries, &sum % symmetries);
        if rest != BigUint::ZERO {
            return Err(CountError::Check(format!(
                "together with its {} symmetric tours it is not a multiple of the {symmetries} symmetries",
                kept.iter().sum::<BigUint>()
            )));
        }
        if symmetries > 1 {
            let names = count.symmetries().into_iter().skip(1).map(|(symmetry, _)| symmetry);
            let named: Vec<String> = names
                .zip(&kept)
                .filter(|(_, kept)| **kept != BigUint::ZERO)
                .map(|(symmetry, kept)| format!("{kept} by the {}", in_words(symmetry)))
                .collect();
            let named = if named.is_empty() { "none".into() } else { named.join(", ") };
            let detail = format!(
                "tours fixed by a symmetry: {named}; with these the count is {symmetries} x {classes}"
            );
            counted.checks.push(Check { name: "orbits", detail });
        }
        if count.classes {
            counted.classes = Some(classes);
        }
        Ok(())
    }

    /// Checks that the count is a multiple of the number of symmetries that fix the ends.
    pub fn stabilizer(&mut self, ends: FixedEnds) -> Result<(), CountError> {
        let (start, end) = ends.pair();
        let keeps =
            |map: &&Vec<Square>| [start, end].iter().flatten().all(|&s| map[s.index()] == s);
        let maps: Vec<Vec<Square>> =
            self.count.symmetries().into_iter().map(|(_, map)| map).collect();
        let number = maps.iter().filter(keeps).count();
        if number > 1 {
            if &self.counted.undirected % number != BigUint::ZERO {
                return Err(CountError::Check(format!(
                    "it is not a multiple of the {number} symmetries that fix the ends"
                )));
            }
            let detail = format!("a multiple of the {number} symmetries that fix the ends");
            self.counted.checks.push(Check { name: "stabilizer", detail });
        }
        Ok(())
    }
}

fn in_words(symmetry: Symmetry) -> &'static str {
    match symmetry {
        Symmetry::Identity => "identity",
        Symmetry::HalfTurn => "half turn",
        Symmetry::LeftRight => "left-right reflection",
        Symmetry::TopBottom => "top-bottom reflection",
        Symmetry::QuarterTurn => "quarter turn",
        Symmetry::ThreeQuarterTurn => "three-quarter turn",
        Symmetry::Diagonal => "diagonal reflection",
        Symmetry::AntiDiagonal => "other diagonal reflection",
    }
}

/// Records a check that two numbers agree, or returns an error.
pub(super) fn agree(
    checks: &mut Vec<Check>,
    name: &'static str,
    what: &str,
    one: &BigUint,
    other: &BigUint,
) -> Result<(), CountError> {
    if one != other {
        return Err(CountError::Check(format!("{what} add up to {one}, not {other}")));
    }
    checks.push(Check { name, detail: format!("{what} add up to {one}") });
    Ok(())
}
