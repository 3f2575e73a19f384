//! Exact counting.
#![allow(missing_docs, dead_code)]

mod key;
mod layer;
mod net;
mod order;
mod program;
mod rule;
mod run;
mod tally;
mod watch;

pub use watch::Watch;

use crate::graph::Graph;
use crate::symmetry::Symmetry;
use num_bigint::BigUint;

#[doc(hidden)]
pub fn trial(graph: &Graph, open: bool, degrees: bool, how: &str, threads: usize) -> BigUint {
    let (mut net, squares) = net::Net::of(graph);
    let n = squares.len();
    if open {
        net = net.with_apex(0..n);
    }
    let maps: Vec<Vec<usize>> = Symmetry::maps(graph)
        .into_iter()
        .map(|m| {
            let mut v: Vec<usize> = squares
                .iter()
                .map(|&s| squares.binary_search(&m[s as usize]).unwrap())
                .collect();
            v.extend(n..net.order());
            v
        })
        .collect();
    let orders = order::candidates(&net, graph, &squares);
    let best = orders
        .iter()
        .min_by(|a, b| order::cost(&net, a).total_cmp(&order::cost(&net, b)))
        .unwrap();
    let watch = Watch::default();
    let crew = run::Crew {
        threads,
        watch: &watch,
        #[cfg(test)]
        corrupt: false,
    };
    let t = std::time::Instant::now();
    let r = if how == "sweep" {
        eprintln!("  sweep est {:.2e}", order::cost(&net, best));
        if degrees {
            crew.sweep::<rule::Degrees, u64>(&net, best).unwrap().whole()
        } else {
            crew.sweep::<rule::Paths<u64>, u64>(&net, best).unwrap().whole()
        }
    } else {
        let cut = orders
            .iter()
            .filter_map(|o| order::cut(&net, o, &maps))
            .min_by(|a, b| a.cost.total_cmp(&b.cost))
            .unwrap();
        let f = order::frontiers(&net, &cut.sides[0]);
        eprintln!(
            "  meet est {:.2e} sides {} {} edges {} {} frontier {:?}",
            cut.cost,
            cut.sides[0].len(),
            cut.sides[1].len(),
            cut.edges[0].len(),
            cut.edges[1].len(),
            f
        );
        if degrees {
            crew.meet::<rule::Degrees, u64>(&net, &cut).unwrap().whole()
        } else if f.iter().max().unwrap() > &16 {
            crew.meet::<rule::Paths<key::Wide>, u64>(&net, &cut).unwrap().whole()
        } else {
            crew.meet::<rule::Paths<u64>, u64>(&net, &cut).unwrap().whole()
        }
    };
    eprintln!(
        "  {r} in {:.3} s, states {}, peak {}",
        t.elapsed().as_secs_f64(),
        watch.states.into_inner(),
        watch.peak.into_inner()
    );
    r
}
