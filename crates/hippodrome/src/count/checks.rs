//! What every count is checked against before it is given.
//!
//! *Ledger*: at each step the tallies read are those written before, and those merged are those emitted
//! (`layer.rs`). *Order*: the same number modulo a prime from another order of the vertices. *Orbits*: the tours that
//! each symmetry of the board keeps are counted on the folded board, and by Burnside's lemma
//! their sum with the count is a multiple of the number of symmetries. *Stabilizer*: a symmetry that
//! keeps the fixed ends keeps no tour between them, so the count is a multiple of the number of those.

use super::ends::Ends;
use super::orbits::Folder;
use super::tally::Residue;
use super::task::{Plan, Task};
use super::watch::Stop;
use super::{
    BigUint, Check, Count, CountConflict, CountError, CountKind, CountMonitor, Counted, order,
};
use crate::board::Symmetry;

/// States up to which a second order is always tried: as they are foreseen,
const QUICK: f64 = 4e6;
/// or as there were, if the second order is not much worse. States of degrees alone are cheap.
const SMALL: u64 = 1_000_000;
const SMALL_DEGREES: u64 = 200_000_000;
/// States up to which a count that has passed no other check but the ledger is made in a second order.
const LONG: u64 = 20_000_000;
const WORSE: f64 = 8.0;

impl Count {
    /// Makes the checks of a count that took so many states; one that fails is lost.
    pub(super) fn check(
        &self,
        counted: &mut Counted,
        states: u64,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        if counted.reason.is_some() || self.graph.order() <= 2 {
            // None, or the only one.
            counted.classes = self.classes.then(|| counted.undirected.clone());
            return Ok(());
        }
        let ends = self.ends();
        let task = self.task(ends);
        self.check_order(&task, counted, states, watch)?;
        let detail = format!("tallies read are tallies written, through {states} states");
        counted.checks.push(Check { name: "ledger", detail });
        match ends {
            Ends::Free if self.kind.is_tour() => self.check_orbits(counted, watch)?,
            Ends::One(_) | Ends::Both(..) if self.kind == CountKind::Open => {
                self.check_stabilizer(counted, ends)?;
            }
            _ => {}
        }
        // The ledger alone would not see a wrong rule.
        if counted.checks.len() == 1
            && states <= LONG
            && let Some(plan) = self.another(&task)?
        {
            self.agree_in_order(&task, &plan, counted, watch)?;
        }
        Ok(())
    }

    /// A plan that takes the vertices in another order.
    fn another(&self, task: &Task) -> Result<Option<Plan>, CountError> {
        let mut turned = task.clone();
        if let Some(board) = self.graph.board() {
            turned.orders = order::crosswise(&task.net, board, self.graph.order());
        } else {
            turned.orders.iter_mut().for_each(|order| order.reverse());
        }
        Ok(turned.plans().ok().and_then(|plans| plans.into_iter().next()))
    }

    fn check_order(
        &self,
        task: &Task,
        counted: &mut Counted,
        states: u64,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        let Some(plan) = self.another(task)? else {
            return if self.confirm { Err(CountConflict::NoSecondOrder.into()) } else { Ok(()) };
        };
        let own = self.plan_for(task)?[0].cost;
        let most = if task.many_cycles { SMALL_DEGREES } else { SMALL };
        let small = states <= most && plan.cost <= WORSE * own;
        if plan.cost > QUICK && !small && !self.confirm {
            return Ok(());
        }
        self.agree_in_order(task, &plan, counted, watch)
    }

    /// Counts once more with another order of the vertices, modulo a prime.
    fn agree_in_order(
        &self,
        task: &Task,
        plan: &Plan,
        counted: &mut Counted,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        watch.expect(plan.cost);
        let mut crew = self.crew(watch);
        crew.spare();
        let residue = match task.residue(plan, &crew) {
            // The count itself did fit; a check that nobody asked for can be left out.
            Err(Stop::Memory(_)) if !self.confirm => return Ok(()),
            other => other.map_err(|stop| self.stopped(stop, watch))?,
        };
        let own = &counted.undirected % Residue::PRIME;
        if own != BigUint::from(residue) {
            return Err(CountError::Check(format!(
                "modulo 2^61 - 1 it is {own}, and {residue} with another order of the squares"
            )));
        }
        let detail = format!("modulo 2^61 - 1 another order of the squares gives {residue}, too");
        counted.checks.push(Check { name: "order", detail });
        Ok(())
    }

    pub(super) fn check_orbits(
        &self,
        counted: &mut Counted,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        let crew = self.crew(watch);
        // The folded board is that of the squares alone.
        let closed = Count { kind: CountKind::Closed, ..self.clone() }.task(Ends::Free);
        let folder = Folder { task: &closed, squares: self.graph.order(), crew: &crew };
        let maps = &closed.maps[1..];
        let mut kept = Vec::new();
        for map in maps {
            let fixed = match self.kind {
                CountKind::Closed => folder.closed(map),
                _ => folder.open(map),
            };
            match fixed {
                Ok(fixed) => kept.push(fixed.to_biguint().ok_or_else(|| {
                    CountError::Check(format!("a symmetry would keep {fixed} tours"))
                })?),
                Err(Stop::Interrupted) => return Err(CountError::Interrupted),
                Err(_) if self.classes => return Err(CountError::Classes(self.graph.to_string())),
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
            let names = self.symmetries().into_iter().skip(1).map(|(symmetry, _)| symmetry);
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
        if self.classes {
            counted.classes = Some(classes);
        }
        Ok(())
    }

    pub(super) fn check_stabilizer(
        &self,
        counted: &mut Counted,
        ends: Ends,
    ) -> Result<(), CountError> {
        let (start, end) = ends.pair();
        let keeps = |map: &&Vec<u32>| [start, end].iter().flatten().all(|&s| map[s as usize] == s);
        let maps: Vec<Vec<u32>> = self.symmetries().into_iter().map(|(_, map)| map).collect();
        let number = maps.iter().filter(keeps).count();
        if number > 1 {
            if &counted.undirected % number != BigUint::ZERO {
                return Err(CountError::Check(format!(
                    "it is not a multiple of the {number} symmetries that keep the ends"
                )));
            }
            let detail = format!("a multiple of the {number} symmetries that keep the ends");
            counted.checks.push(Check { name: "stabilizer", detail });
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
