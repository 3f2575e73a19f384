//! One count of Hamiltonian cycles (or of 2-factors) of a weighted graph: how to do it, and doing it.

use super::big;
use super::key::{FrontierKey, Wide};
use super::order::{self, Cut};
use super::program::Program;
use super::rule::{Degrees, Paths, TransitionRule};
use super::run::CountContext;
use super::tally::{Residue, Tally};
use super::watch::StopReason;
use super::weighted_graph::WeightedGraph;
use num_bigint::{BigInt, BigUint};

/// A weighted graph, and what is known of it that helps to order its vertices.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub net: WeightedGraph,
    /// Orders of the vertices worth a thought.
    pub orders: Vec<Vec<usize>>,
    /// Symmetries of the graph.
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
pub(super) struct TaskPlan {
    pub method: Method,
    /// States of all steps.
    pub cost: f64,
    /// Slots of the frontier.
    pub slots: usize,
}

impl TaskPlan {
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
    pub fn plans(&self) -> Result<Vec<TaskPlan>, usize> {
        #[cfg(test)]
        tests::PLANNED.with(|planned| planned.set(planned.get() + 1));
        let mut plans = Vec::new();
        for order in &self.orders {
            let program = Program::new(&self.net, order, &[], true);
            let cost = order::cost(&self.net, order);
            plans.push(TaskPlan {
                method: Method::Sweep(order.clone()),
                cost,
                slots: program.slots,
            });
            if let Some(cut) = order::cut(&self.net, order, (&self.maps, &self.turns), self.line) {
                let slots =
                    |n: usize| Program::new(&self.net, &cut.sides[n], &cut.edges[n], false).slots;
                let slots = slots(0).max(slots(1));
                plans.push(TaskPlan { cost: cut.cost, slots, method: Method::Halves(cut) });
            }
        }
        let least = plans.iter().map(|p| p.slots).min().unwrap_or(0);
        plans.retain(|p| p.slots <= self.most_slots());
        plans.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        if plans.is_empty() { Err(least) } else { Ok(plans) }
    }

    fn run<R: TransitionRule, C: Tally>(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<C::Sum, StopReason> {
        match &plan.method {
            Method::Sweep(order) => context.sweep::<R, C>(&self.net, order),
            Method::Halves(cut) => context.meet::<R, C>(&self.net, cut),
        }
    }

    fn run_slots<C: Tally>(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<C::Sum, StopReason> {
        if self.many_cycles {
            self.run::<Degrees, C>(plan, context)
        } else if plan.slots <= u64::SLOTS {
            self.run::<Paths<u64>, C>(plan, context)
        } else {
            self.run::<Paths<Wide>, C>(plan, context)
        }
    }

    /// The number, in words that are wide enough.
    pub fn count(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<BigUint, StopReason> {
        let small = self.run_slots::<u64>(plan, context);
        let result = match small {
            Err(StopReason::Overflow) => self.run_slots::<u128>(plan, context),
            other => other,
        };
        match result {
            Err(StopReason::Overflow) => self.count_big(context),
            other => other.map(|total| total.whole()),
        }
    }

    fn count_big(&self, context: &CountContext<'_>) -> Result<BigUint, StopReason> {
        let cost = |order: &&Vec<usize>| order::cost(&self.net, order);
        let best = self.orders.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
        let Some(order) = best else { return Err(StopReason::Overflow) };
        let slots = Program::new(&self.net, order, &[], true).slots;
        if self.many_cycles {
            big::sweep::<Degrees>(&self.net, order, context)
        } else if slots <= u64::SLOTS {
            big::sweep::<Paths<u64>>(&self.net, order, context)
        } else {
            big::sweep::<Paths<Wide>>(&self.net, order, context)
        }
    }

    /// The number modulo the prime of [`Residue`].
    pub fn residue(&self, plan: &TaskPlan, context: &CountContext<'_>) -> Result<u64, StopReason> {
        self.run_slots::<Residue>(plan, context)
    }

    /// The number where weights have either sign.
    pub fn signed(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<BigInt, StopReason> {
        self.run_slots::<i128>(plan, context)
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

    pub fn count_big(task: &Task, context: &CountContext<'_>) -> Result<BigUint, StopReason> {
        task.count_big(context)
    }
}
