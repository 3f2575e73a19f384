//! What every count is checked against before it is given.
//!
//! *Ledger*: at each step the tallies read are those written before, and those merged are those emitted
//! (`layer.rs`). *Order*: the same number modulo a prime from another order of the vertices. *Orbits*: the tours that
//! each symmetry of the board keeps are counted on the folded board, and by Burnside's lemma
//! their sum with the count is a multiple of the number of symmetries. *Stabilizer*: a symmetry that
//! keeps the fixed ends keeps no tour between them, so the count is a multiple of the number of those.

use super::ends_plan::EndsPlan;
use super::fixed_ends::FixedEnds;
use super::orbits::OrbitCounter;
use super::tally::Residue;
use super::task::{PlannedTask, Task, TaskPlan};
use super::watch::StopReason;
use super::{
    BigUint, Check, Count, CountConflict, CountError, CountKind, CountMonitor, Counted, order,
};
use crate::board::{Square, Symmetry};
use crate::search::Progress;

// Limits on checks that were not asked for, chosen by hand so that these take a second or so, not tuned.
/// States up to which a second order is always tried: as they are foreseen,
const QUICK: f64 = 4e6;
/// or as there were, if the second order is not much worse. States of degrees alone are cheap.
const SMALL: u64 = 1_000_000;
const SMALL_DEGREES: u64 = 200_000_000;
/// States up to which a count that has passed no other check but the ledger is made in a second order.
const LONG: u64 = 20_000_000;
/// How many times the states of the first order a second one may have and still be called not much worse.
const WORSE: f64 = 8.0;

/// Makes the checks of one count.
pub(super) struct Checker<'a> {
    pub count: &'a Count,
    /// The count, which gathers the checks that it passes.
    pub counted: &'a mut Counted,
    pub watch: &'a CountMonitor,
}

impl Checker<'_> {
    /// Makes the checks of a count that took so many states; one that fails is lost.
    pub fn check(&mut self, plan: &EndsPlan, states: u64) -> Result<(), CountError> {
        let count = self.count;
        if self.counted.reason.is_some() || count.graph.order() <= 2 {
            // None, or the only one.
            self.counted.classes = count.classes.then(|| self.counted.undirected.clone());
            return Ok(());
        }
        let own = plan.own();
        let another = self.another(&own.task);
        self.order(own, another.as_ref(), states)?;
        let detail = format!("tallies read are tallies written, through {states} states");
        self.counted.checks.push(Check { name: "ledger", detail });
        match plan.ends {
            FixedEnds::Free if count.kind.is_tour() => self.orbits()?,
            FixedEnds::One(_) | FixedEnds::Both(..) if count.kind == CountKind::Open => {
                self.stabilizer(plan.ends)?;
            }
            _ => {}
        }
        // The ledger alone would not see a wrong rule.
        if self.counted.checks.len() == 1
            && states <= LONG
            && let Some(another) = &another
        {
            self.agree_in_order(&own.task, another)?;
        }
        Ok(())
    }

    /// A plan that takes the vertices in another order.
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

    /// Counts once more with another order of the vertices, modulo a prime.
    fn agree_in_order(&mut self, task: &Task, plan: &TaskPlan) -> Result<(), CountError> {
        let (count, watch) = (self.count, self.watch);
        watch.expect(plan.cost);
        let mut context = count.context(watch);
        context.spare();
        let residue = match task.run::<Residue>(plan, &context) {
            // The count itself did fit; a check that was not asked for can be left out.
            Err(StopReason::Memory(_)) if !count.confirm => return Ok(()),
            other => other.map_err(|stop| count.stopped(stop, watch))?,
        };
        let own = &self.counted.undirected % Residue::PRIME;
        if own != BigUint::from(residue) {
            return Err(CountError::Check(format!(
                "modulo 2^61 - 1 it is {own}, and {residue} with another order of the squares"
            )));
        }
        let detail = format!("modulo 2^61 - 1 another order of the squares gives {residue}, too");
        self.counted.checks.push(Check { name: "order", detail });
        Ok(())
    }

    /// The count and the tours that symmetries keep make whole orbits.
    pub fn orbits(&mut self) -> Result<(), CountError> {
        let (count, counted) = (self.count, &mut *self.counted);
        let context = count.context(self.watch);
        // The folded board is that of the squares alone.
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
                    CountError::Check(format!("a symmetry would keep {fixed} tours"))
                })?),
                Err(StopReason::Interrupted) => return Err(CountError::Interrupted),
                Err(_) if count.classes => {
                    return Err(CountError::Classes(count.graph.to_string()));
                }
                // Other checks are left.
                Err(_) => return Ok(()),
            }
        }
        let symmetries = maps.len() + 1;
        let sum: BigUint = kept.iter().sum::<BigUint>() + &counted.undirected;
        let (classes, rest) = (&sum / symmetries, &sum % symmetries);
        if rest != BigUint::ZERO {
            return Err(CountError::Check(format!(
                "with the tours that its symmetries keep, {} in all, it is not a multiple of the {symmetries} symmetries",
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
                "tours kept by a symmetry: {named}; with these the count is {symmetries} x {classes}"
            );
            counted.checks.push(Check { name: "orbits", detail });
        }
        if count.classes {
            counted.classes = Some(classes);
        }
        Ok(())
    }

    /// The count is a multiple of the number of symmetries that keep the ends.
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
                    "it is not a multiple of the {number} symmetries that keep the ends"
                )));
            }
            let detail = format!("a multiple of the {number} symmetries that keep the ends");
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

/// Notes that two numbers agree, or fails.
pub(super) fn agree(
    checks: &mut Vec<Check>,
    name: &'static str,
    what: &str,
    one: &BigUint,
    other: &BigUint,
) -> Result<(), CountError> {
    if one != other {
        return Err(CountError::Check(format!("{what} add up to {one}, not to {other}")));
    }
    checks.push(Check { name, detail: format!("{what} add up to {one}") });
    Ok(())
}
