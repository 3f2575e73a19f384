//! Hamiltonian cycle problems, compared with Pósa rotations: `cargo bench -- graphs`.
//!
//! Each graph is solved once, by the default choice of solvers on one thread, under the longest time limit; the
//! table counts the graphs decided (a cycle or a proof that there is none) within 1, 10 and 60 s. Every cycle is
//! verified, also those of the other programs, and known verdicts are asserted. The rotations run on the same graphs
//! under the same limit, without those known to have no cycle, which rotations cannot prove.
//!
//! `--limit=SECONDS` sets the longest limit: 60 without it, 10 with `--strict`, 1 with `--quick`, which also takes
//! smaller graphs. `--folder=PATH` solves the graph files of a folder in place of the generated graphs, such as those
//! of the FHCP challenge set. `--boards=N` sets the number of boards with holes. `--peer=cp-sat` also runs CP-SAT
//! (`python3 -m pip install ortools`). Each is also read from the environment, as in `HIPPO_PEER=cp-sat`. `--strict`
//! fails if the rotations decide more graphs of a kind.

mod cp_sat;
mod families;
mod problems;
mod rotations;

use crate::lab::{expect, is_quick, is_strict, median, seconds, setting};
use hippodrome::board::{Graph, Square};
use hippodrome::lab::find::{Found, Outcome, TourSearch};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control};
use hippodrome::tour::verify;
use problems::{Instance, Kind};
use std::collections::BTreeMap;
use std::time::Duration;

/// Time limits of the table, in seconds.
const LIMITS: [f64; 3] = [1.0, 10.0, 60.0];

/// What a program says about a graph.
enum Answer {
    /// A cycle, not yet verified.
    Cycle(Vec<Square>),
    /// A proof that there is no cycle.
    NoCycle,
    /// Nothing within the limit.
    Undecided,
}

/// A program to compare with.
struct Peer {
    name: &'static str,
    /// Whether it can prove that there is no cycle.
    proves: bool,
    /// Returns its seconds and its answer for a graph and a limit.
    solve: fn(&Graph, Duration) -> (f64, Answer),
}

const ROTATIONS: Peer = Peer {
    name: "rotations",
    proves: false,
    solve: |graph, limit| seconds(|| rotations::solve(graph, limit)),
};

const CP_SAT: Peer = Peer { name: "CP-SAT", proves: true, solve: cp_sat::solve };

/// Seconds until a graph was decided by our solvers and by each peer; `None` if it was not.
struct Times {
    ours: Option<f64>,
    peers: Vec<Option<f64>>,
}

pub fn main() {
    let standard = match (is_quick(), is_strict()) {
        (true, _) => 1,
        (_, true) => 10,
        _ => 60,
    };
    let limit = Duration::from_secs(setting("limit").map_or(standard, |n| whole("limit", &n)));
    let mut peers = vec![ROTATIONS];
    match setting("peer").as_deref() {
        None => (),
        Some("cp-sat") if cp_sat::is_installed() => peers.push(CP_SAT),
        Some("cp-sat") => println!(
            "CP-SAT is not installed; install it with 'python3 -m pip install ortools'. The bench runs without it."
        ),
        Some(other) => panic!("unknown peer '{other}': expected cp-sat"),
    }
    let kinds = match setting("folder") {
        Some(folder) => problems::in_folder(&folder),
        None => problems::generated(setting("boards").map(|n| whole("boards", &n))),
    };
    println!("closed tours, 1 thread, limit {} s", limit.as_secs());
    let mut all = Vec::new();
    for kind in kinds {
        println!("{}", kind.name);
        let times = solve_kind(&kind, limit, &peers);
        summarize(&times, limit, &peers);
        let count = |of: &dyn Fn(&Times) -> Option<f64>| times.iter().filter_map(of).count();
        let most = count(&|t| t.peers[0]);
        expect(count(&|t| t.ours) >= most, &format!("{}: as many as the rotations", kind.name));
        all.extend(times);
    }
    println!("all kinds");
    summarize(&all, limit, &peers);
}

fn whole(name: &str, value: &str) -> u64 {
    value
        .parse()
        .unwrap_or_else(|_| panic!("invalid value '{value}' for {name}: expected a number"))
}

/// Solves the graphs of one kind; prints a line per graph and the methods that decided them.
fn solve_kind(kind: &Kind, limit: Duration, peers: &[Peer]) -> Vec<Times> {
    let mut methods = BTreeMap::<&str, usize>::new();
    let each = |instance: &Instance| {
        let (ours, how, method) = solve(instance, limit);
        if let Some(method) = method {
            *methods.entry(method).or_default() += 1;
        }
        let peers: Vec<_> = peers.iter().map(|peer| solve_by(peer, instance, limit)).collect();
        if !is_quick() {
            let others = peers.iter().flatten().map(|(_, line)| format!("; {line}"));
            println!("    {}: {how}{}", instance.name, others.collect::<String>());
        }
        Times { ours, peers: peers.into_iter().map(|p| p.and_then(|(time, _)| time)).collect() }
    };
    let times = kind.instances.iter().map(each).collect();
    let methods: Vec<_> = methods.iter().map(|(name, n)| format!("{name} {n}")).collect();
    println!(
        "  decided by {}",
        if methods.is_empty() { "none".into() } else { methods.join(", ") }
    );
    times
}

/// Returns the seconds of our solvers if they decided, a description, and the method that decided.
fn solve(instance: &Instance, limit: Duration) -> (Option<f64>, String, Option<&'static str>) {
    let budget = Budget { time: Some(limit), ..Budget::UNLIMITED };
    let problem = Problem::closed(instance.graph.clone());
    let search = TourSearch { threads: 1, budget, ..TourSearch::new(problem) };
    let found = search.run(&Control::default()).expect("a search");
    let method = found.solver.map_or("theorem", |solver| solver.name);
    let verdict = match &found.outcome {
        Outcome::Found(tour) => {
            assert!(tour.is_closed(), "{}", instance.name);
            Some(true)
        }
        Outcome::Impossible(_) => Some(false),
        Outcome::Limit | Outcome::Interrupted => None,
    };
    let word = match verdict {
        Some(true) => "cycle",
        Some(false) => "no cycle",
        None => return (None, format!("undecided after {}", stages(&found)), None),
    };
    instance.assert_verdict("our solvers", verdict);
    let how = format!("{word} by {method}, {:.3} s", found.seconds);
    (Some(found.seconds), how, Some(method))
}

/// Lists the solvers tried, with their seconds.
fn stages(found: &Found) -> String {
    let stages = found.stages.iter().map(|s| format!("{} {:.1} s", s.solver, s.seconds));
    stages.collect::<Vec<_>>().join(", ")
}

/// Returns the seconds of a peer if it decided, and a description; `None` if it is not asked.
fn solve_by(peer: &Peer, instance: &Instance, limit: Duration) -> Option<(Option<f64>, String)> {
    if instance.verdict == Some(false) && !peer.proves {
        return None;
    }
    let (time, answer) = (peer.solve)(&instance.graph, limit);
    let verdict = match answer {
        Answer::Cycle(cycle) => {
            assert!(verify(&instance.graph, cycle).is_ok_and(|tour| tour.is_closed()));
            Some(true)
        }
        Answer::NoCycle => Some(false),
        Answer::Undecided => None,
    };
    instance.assert_verdict(peer.name, verdict);
    let how = verdict.map_or("undecided".to_string(), |_| format!("{time:.3} s"));
    Some((verdict.map(|_| time), format!("{} {how}", peer.name)))
}

/// Prints how many graphs are decided within each limit, and the ratios to each peer.
fn summarize(times: &[Times], limit: Duration, peers: &[Peer]) {
    let limits = LIMITS.into_iter().filter(|&s| s < limit.as_secs_f64());
    let limits: Vec<f64> = limits.chain([limit.as_secs_f64()]).collect();
    let row = |name: &str, seconds: &dyn Fn(&Times) -> Option<f64>| {
        let decided: Vec<f64> = times.iter().filter_map(seconds).collect();
        let within = |s: f64| decided.iter().filter(|&&time| time <= s).count();
        let counts = limits.iter().map(|&s| format!("{} in {s} s", within(s)));
        let counts = counts.collect::<Vec<_>>().join(", ");
        println!("  {name}: decided {counts} of {}", times.len());
        within(limit.as_secs_f64())
    };
    let ours = row("ours", &|t| t.ours);
    for (index, peer) in peers.iter().enumerate() {
        let theirs = row(peer.name, &|t| t.peers[index]);
        let both = times.iter().filter_map(|t| Some(t.peers[index]? / t.ours?.max(1e-6)));
        let both: Vec<f64> = both.collect();
        let solved = match theirs {
            0 => format!("{ours} to 0"),
            _ => format!("{:.2}", ours as f64 / theirs as f64),
        };
        let time = match both.len() {
            0 => String::new(),
            n => format!("; time ratio {:.2} (median of the {n} that both decide)", median(both)),
        };
        println!("    ratio of graphs decided, ours to {}: {solved}{time}", peer.name);
    }
}
