//! Tasks: counts of the Hamiltonian cycles (or 2-factors) of one weighted graph, and their plans.

use super::big;
use super::key::{FrontierKey, Wide};
use super::monitor::StopReason;
use super::order::{self, Cut};
use super::program::Program;
use super::rule::{Degrees, Paths, TransitionRule};
use super::run::CountContext;
use super::tally::{SummedTally, Total};
use super::weighted_graph::WeightedGraph;
use num_bigint::BigUint;

/// A weighted graph whose cycles are counted, with hints for ordering its vertices.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub net: WeightedGraph,
    /// The vertex orders to try.
    pub orders: Vec<Vec<usize>>,
    /// The symmetries of the graph.
    pub maps: Vec<Vec<usize>>,
    /// The symmetries of the board, including those that move the ends.
    pub board_maps: Vec<Vec<usize>>,
    /// Number of vertices in a whole line of the board; 1 if there are no lines.
    pub line: usize,
    /// Whether any number of cycles is allowed.
    pub many_cycles: bool,
}

/// A task with its plan.
#[derive(Clone, Debug)]
pub(super) struct PlannedTask {
    pub task: Task,
    pub plan: TaskPlan,
}

/// The method used for a task.
#[derive(Clone, Debug)]
pub(super) enum Method {
    Sweep(Vec<usize>),
    Halves(Cut),
}

/// A method with its estimated cost.
#[derive(Clone, Debug)]
pub(super) struct TaskPlan {
    pub method: Method,
    /// Estimated number of states, summed over all steps.
    pub cost: f64,
    /// Number of slots in the frontier.
    pub slots: usize,
}

impl TaskPlan {
    /// Returns the method's name.
    pub fn name(&self) -> &'static str {
        match self.method {
            Method::Sweep(_) => "sweep",
            Method::Halves(_) => "halves",
        }
    }
}

impl Task {
    /// Splits the task by the first move from one end; it chooses the end with the fewest moves. Returns one
    /// task per move; their counts add up to the count of this task.
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

    /// Lists every possible plan, the cheapest first. If all plans need too many slots, returns the fewest
    /// slots needed.
    pub fn plans(&self) -> Result<Vec<TaskPlan>, usize> {
        #[cfg(test)]
        tests::PLANNED.with(|planned| planned.set(planned.get() + 1));
        let mut plans = Vec::new();
        for order in &self.orders {
            let slots = Program::new(&self.net, order, &[], true).slots;
            let cost = order::cost(&self.net, order);
            plans.push(TaskPlan { method: Method::Sweep(order.clone()), cost, slots });
            if let Some(cut) =
                order::cut(&self.net, order, (&self.maps, &self.board_maps), self.line)
            {
                let [one, other] = Program::of_halves(&self.net, &cut).map(|half| half.slots);
                let slots = one.max(other);
                plans.push(TaskPlan { cost: cut.cost, slots, method: Method::Halves(cut) });
            }
        }
        let least = plans.iter().map(|p| p.slots).min().unwrap_or(0);
        let most = if self.many_cycles { Degrees::SLOTS } else { Wide::SLOTS };
        plans.retain(|p| p.slots <= most);
        plans.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        if plans.is_empty() { Err(least) } else { Ok(plans) }
    }

    fn run_with<R: TransitionRule, C: SummedTally>(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<C::Sum, StopReason> {
        match &plan.method {
            Method::Sweep(order) => context.sweep::<R, C>(&self.net, order),
            Method::Halves(cut) => context.meet::<R, C>(&self.net, cut),
        }
    }

    /// Counts with tallies of one type.
    pub fn run<C: SummedTally>(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<C::Sum, StopReason> {
        if self.many_cycles {
            self.run_with::<Degrees, C>(plan, context)
        } else if plan.slots <= u64::SLOTS {
            self.run_with::<Paths<u64>, C>(plan, context)
        } else {
            self.run_with::<Paths<Wide>, C>(plan, context)
        }
    }

    /// Counts with 64-bit tallies and, after an overflow, with wider ones.
    pub fn count(
        &self,
        plan: &TaskPlan,
        context: &CountContext<'_>,
    ) -> Result<BigUint, StopReason> {
        let mut total = self.run::<u64>(plan, context);
        if let Err(StopReason::Overflow) = total {
            total = self.run::<u128>(plan, context);
        }
        match total {
            Err(StopReason::Overflow) => self.count_big(context),
            other => other.map(Total::whole),
        }
    }

    pub(super) fn count_big(&self, context: &CountContext<'_>) -> Result<BigUint, StopReason> {
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
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    thread_local!(pub(super) static PLANNED: Cell<usize> = const { Cell::new(0) });

    /// Returns how often this thread has planned a task.
    pub fn planned() -> usize {
        PLANNED.get()
    }
}
