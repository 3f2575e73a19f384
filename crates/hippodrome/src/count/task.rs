//! One count of Hamiltonian cycles (or of 2-factors) of a net: how to do it, and doing it.

use super::big;
use super::key::{Key, Wide};
use super::net::Net;
use super::order::{self, Cut};
use super::program::Program;
use super::rule::{Degrees, Paths, Rule};
use super::run::Crew;
use super::tally::{Residue, Tally};
use super::watch::Stop;
use num_bigint::{BigInt, BigUint};

/// A net, and what is known of it that helps to order its vertices.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub net: Net,
    /// Orders of the vertices worth a thought.
    pub orders: Vec<Vec<usize>>,
    /// Symmetries of the net.
    pub maps: Vec<Vec<usize>>,
    /// Symmetries of the board, whether they keep the ends or not.
    pub turns: Vec<Vec<usize>>,
    /// Vertices of a whole line of the board; 1 where there are none.
    pub line: usize,
    /// Whether any number of cycles will do.
    pub many_cycles: bool,
}

/// How a task is done.
#[derive(Clone, Debug)]
pub(super) enum Method {
    Sweep(Vec<usize>),
    Halves(Cut),
}

/// A method with what it is thought to take.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub method: Method,
    /// States of all steps.
    pub cost: f64,
    /// Slots of the frontier.
    pub slots: usize,
}

impl Plan {
    /// The method's name.
    pub fn name(&self) -> &'static str {
        match self.method {
            Method::Sweep(_) => "sweep",
            Method::Halves(_) => "halves",
        }
    }
}

impl Task {
    /// One task for each move from an end that is not decided yet, the one with the fewest; together they
    /// count the same.
    pub fn split(&self) -> Vec<Task> {
        let near = |v: usize| self.net.near(v);
        let forced = |v: usize| near(v).iter().filter(|e| e.forced).count();
        let free = |v: usize| near(v).iter().filter(|e| !e.forced).map(|e| e.to);
        let ends = (0..self.net.order()).filter(|&v| forced(v) == 1);
        let Some(end) = ends.min_by_key(|&v| free(v).count()) else {
            return vec![self.clone()];
        };
        let moves: Vec<usize> = free(end).collect();
        let one = |&next: &usize| {
            let mut part = self.clone();
            moves.iter().for_each(|&other| part.net.part(end, other));
            part.net.force(end, next);
            part.maps.truncate(1);
            part
        };
        moves.iter().map(one).collect()
    }

    fn most_slots(&self) -> usize {
        if self.many_cycles { Degrees::SLOTS } else { Wide::SLOTS }
    }

    /// Every method that is possible, the cheapest first; or the least slots that one would need.
    pub fn plans(&self) -> Result<Vec<Plan>, usize> {
        #[cfg(test)]
        tests::PLANNED.with(|planned| planned.set(planned.get() + 1));
        let mut plans = Vec::new();
        for order in &self.orders {
            let program = Program::new(&self.net, order, &[], true);
            let cost = order::cost(&self.net, order);
            plans.push(Plan { method: Method::Sweep(order.clone()), cost, slots: program.slots });
            if let Some(cut) = order::cut(&self.net, order, (&self.maps, &self.turns), self.line) {
                let slots =
                    |n: usize| Program::new(&self.net, &cut.sides[n], &cut.edges[n], false).slots;
                let slots = slots(0).max(slots(1));
                plans.push(Plan { cost: cut.cost, slots, method: Method::Halves(cut) });
            }
        }
        let least = plans.iter().map(|p| p.slots).min().unwrap_or(0);
        plans.retain(|p| p.slots <= self.most_slots());
        plans.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        if plans.is_empty() { Err(least) } else { Ok(plans) }
    }

    fn run<R: Rule, C: Tally>(&self, plan: &Plan, crew: &Crew<'_>) -> Result<C::Sum, Stop> {
        match &plan.method {
            Method::Sweep(order) => crew.sweep::<R, C>(&self.net, order),
            Method::Halves(cut) => crew.meet::<R, C>(&self.net, cut),
        }
    }

    fn run_slots<C: Tally>(&self, plan: &Plan, crew: &Crew<'_>) -> Result<C::Sum, Stop> {
        if self.many_cycles {
            self.run::<Degrees, C>(plan, crew)
        } else if plan.slots <= u64::SLOTS {
            self.run::<Paths<u64>, C>(plan, crew)
        } else {
            self.run::<Paths<Wide>, C>(plan, crew)
        }
    }

    /// The number, in words that are wide enough.
    pub fn count(&self, plan: &Plan, crew: &Crew<'_>) -> Result<BigUint, Stop> {
        let small = self.run_slots::<u64>(plan, crew);
        let result = match small {
            Err(Stop::Overflow) => self.run_slots::<u128>(plan, crew),
            other => other,
        };
        match result {
            Err(Stop::Overflow) => self.count_big(crew),
            other => other.map(|total| total.whole()),
        }
    }

    fn count_big(&self, crew: &Crew<'_>) -> Result<BigUint, Stop> {
        let cost = |order: &&Vec<usize>| order::cost(&self.net, order);
        let best = self.orders.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some(order) = best else { return Err(Stop::Overflow) };
        let slots = Program::new(&self.net, order, &[], true).slots;
        if self.many_cycles {
            big::sweep::<Degrees>(&self.net, order, crew)
        } else if slots <= u64::SLOTS {
            big::sweep::<Paths<u64>>(&self.net, order, crew)
        } else {
            big::sweep::<Paths<Wide>>(&self.net, order, crew)
        }
    }

    /// The number modulo the prime of [`Residue`].
    pub fn residue(&self, plan: &Plan, crew: &Crew<'_>) -> Result<u64, Stop> {
        self.run_slots::<Residue>(plan, crew)
    }

    /// The number where weights have either sign.
    pub fn signed(&self, plan: &Plan, crew: &Crew<'_>) -> Result<BigInt, Stop> {
        self.run_slots::<i128>(plan, crew)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local!(pub(super) static PLANNED: Cell<usize> = const { Cell::new(0) });

    /// How often this thread has planned a task.
    pub fn planned() -> usize {
        PLANNED.get()
    }

    pub fn count_big(task: &Task, crew: &Crew<'_>) -> Result<BigUint, Stop> {
        task.count_big(crew)
    }
}
