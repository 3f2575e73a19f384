//! Counts broken down by the start or by both ends of tours.

use super::checks::agree;
use super::ends::EndClass;
use super::ends_plan::EndsPlan;
use super::fixed_ends::FixedEnds;
use super::{BigUint, By, Count, CountError, CountKind, CountMonitor, Counted};
use crate::board::Square;

/// The planned counts that make up a breakdown.
#[derive(Clone, Debug)]
pub(super) enum Breakdown {
    None,
    /// The classes of equivalent squares. A class without a plan needs no count of its own: as many tours
    /// start at each of its squares as there are directed tours in all.
    Starts(Vec<(Vec<Square>, Option<EndsPlan>)>),
    Ends(Vec<(EndClass, EndsPlan)>),
}

impl Breakdown {
    /// Plans the breakdown of a planned count.
    pub fn new(
        count: &Count,
        whole: &EndsPlan,
        monitor: &CountMonitor,
    ) -> Result<Breakdown, CountError> {
        let starts = |equivalent: Vec<Square>| {
            monitor.poll().map_err(|stop| count.stopped(stop, monitor))?;
            let ends = FixedEnds::One(equivalent[0]);
            let plan = match (count.kind, &whole.reason) {
                // Every closed tour can start at any square.
                (CountKind::Closed, _) => None,
                (_, Some(reason)) => Some(EndsPlan::impossible(ends, reason.clone())),
                _ => Some(EndsPlan::new(count, ends)?),
            };
            Ok((equivalent, plan))
        };
        Ok(match count.by {
            None => Breakdown::None,
            Some(By::Start) => {
                let all = count.square_classes().into_iter().map(starts);
                Breakdown::Starts(all.collect::<Result<_, CountError>>()?)
            }
            Some(By::Ends) => {
                let planned = |ends, _| EndsPlan::possible(count, ends);
                Breakdown::Ends(count.end_classes_with(monitor, planned)?)
            }
        })
    }

    /// Estimates the total number of states of all counts in the breakdown.
    pub fn cost(&self) -> f64 {
        match self {
            Breakdown::None => 0.0,
            Breakdown::Starts(all) => {
                all.iter().flat_map(|(_, plan)| plan).map(EndsPlan::cost).sum()
            }
            Breakdown::Ends(all) => all.iter().map(|(_, plan)| plan.cost()).sum(),
        }
    }

    /// Runs the counts and checks that they add up to the whole count.
    pub fn run(
        &self,
        count: &Count,
        counted: &mut Counted,
        monitor: &CountMonitor,
    ) -> Result<(), CountError> {
        let tours = |plan: &EndsPlan| {
            let mut plan = plan.clone();
            plan.split(count, monitor)?;
            Ok(plan.count(count, monitor)?.0)
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
        for (equivalent, plan) in starts {
            let tours = match (plan, &counted.directed) {
                (None, directed) => directed.clone().unwrap_or_default(),
                (Some(plan), _) => tours(plan)?,
            };
            all.extend(equivalent.iter().map(|&square| (square, tours.clone())));
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
        let classes: Vec<EndClass> = all.iter().map(class).collect::<Result<_, CountError>>()?;
        let sum: BigUint = classes.iter().map(|class| &class.tours * class.pairs).sum();
        if count.kind == CountKind::Closed {
            // The number of moves of a cycle equals the number of squares.
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
