//! Counts broken down by the start or by both ends of tours.

use super::ends::{EndClass, FixedEnds, agree};
use super::plan::EndsPlan;
use super::{BigUint, By, Count, CountError, CountKind, CountMonitor, Counted};
use crate::board::Square;

/// The counts of a breakdown, planned.
#[derive(Clone, Debug)]
pub(super) enum Breakdown {
    None,
    /// Squares that are alike; without a plan as many tours begin in each as there are directed ones.
    Starts(Vec<(Vec<Square>, Option<EndsPlan>)>),
    Ends(Vec<(EndClass, EndsPlan)>),
}

impl Breakdown {
    /// Plans the breakdown of a count that is itself planned.
    pub fn new(
        count: &Count,
        whole: &EndsPlan,
        watch: &CountMonitor,
    ) -> Result<Breakdown, CountError> {
        let starts = |alike: Vec<Square>| {
            watch.poll().map_err(|stop| count.stopped(stop, watch))?;
            let ends = FixedEnds::One(alike[0]);
            let plan = match (count.kind, &whole.reason) {
                // Every cycle passes every square, in two directions.
                (CountKind::Closed, _) => None,
                (_, Some(reason)) => Some(EndsPlan::impossible(ends, reason.clone())),
                _ => Some(EndsPlan::new(count, ends)?),
            };
            Ok((alike, plan))
        };
        Ok(match count.by {
            None => Breakdown::None,
            Some(By::Start) => {
                let all = count.squares_alike().into_iter().map(starts);
                Breakdown::Starts(all.collect::<Result<_, _>>()?)
            }
            Some(By::Ends) => {
                let planned = |ends, _| EndsPlan::possible(count, ends);
                Breakdown::Ends(count.end_classes_with(watch, planned)?)
            }
        })
    }

    /// States of all its counts, about.
    pub fn cost(&self) -> f64 {
        match self {
            Breakdown::None => 0.0,
            Breakdown::Starts(all) => {
                all.iter().flat_map(|(_, plan)| plan).map(EndsPlan::cost).sum()
            }
            Breakdown::Ends(all) => all.iter().map(|(_, plan)| plan.cost()).sum(),
        }
    }

    /// Makes the counts; they must add up to the whole.
    pub fn run(
        &self,
        count: &Count,
        counted: &mut Counted,
        watch: &CountMonitor,
    ) -> Result<(), CountError> {
        let tours = |plan: &EndsPlan| {
            let mut plan = plan.clone();
            plan.split(count, watch)?;
            Ok(plan.count(count, watch)?.0)
        };
        match self {
            Breakdown::None => Ok(()),
            Breakdown::Starts(all) => Self::by_start(all, count, counted, tours),
            Breakdown::Ends(all) => Self::by_ends(all, count, counted, tours),
        }
    }

    fn by_start(
        starts: &[(Vec<Square>, Option<EndsPlan>)],
        count: &Count,
        counted: &mut Counted,
        tours: impl Fn(&EndsPlan) -> Result<BigUint, CountError>,
    ) -> Result<(), CountError> {
        let mut all = Vec::new();
        for (alike, plan) in starts {
            let tours = match (plan, &counted.directed) {
                (None, directed) => directed.clone().unwrap_or_default(),
                (Some(plan), _) => tours(plan)?,
            };
            all.extend(alike.iter().map(|&square| (square, tours.clone())));
        }
        all.sort_unstable_by_key(|row| row.0);
        if let (CountKind::Open, Some(directed)) = (count.kind, &counted.directed) {
            let sum: BigUint = all.iter().map(|row| &row.1).sum();
            let what = "the counts from each square";
            agree(&mut counted.checks, "starts", what, &sum, directed)?;
        }
        counted.by_start = Some(all);
        Ok(())
    }

    fn by_ends(
        all: &[(EndClass, EndsPlan)],
        count: &Count,
        counted: &mut Counted,
        tours: impl Fn(&EndsPlan) -> Result<BigUint, CountError>,
    ) -> Result<(), CountError> {
        let class = |(class, plan): &(EndClass, EndsPlan)| {
            Ok(EndClass { tours: tours(plan)?, ..class.clone() })
        };
        let classes: Vec<EndClass> = all.iter().map(class).collect::<Result<_, _>>()?;
        let sum: BigUint = classes.iter().map(|class| &class.tours * class.pairs).sum();
        if count.kind == CountKind::Closed {
            // Every cycle has as many moves as squares.
            let moves = &counted.undirected * count.graph.order();
            agree(&mut counted.checks, "moves", "the cycles through each move", &sum, &moves)?;
        } else if count.graph.order() > 1 {
            let total = &counted.undirected;
            agree(&mut counted.checks, "ends", "the counts between each two ends", &sum, total)?;
        }
        counted.by_ends = Some(classes);
        Ok(())
    }
}
