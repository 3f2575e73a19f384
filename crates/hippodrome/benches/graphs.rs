//! Hamiltonian cycle problems, compared with Pósa rotations: `cargo bench -- graphs`.
//!
//! Each graph is solved once, by the default choice of solvers on one thread, under the longest time limit; the
//! table counts the graphs decided (a cycle or a proof that there is none) within 1, 10 and 60 s. Every cycle is
//! verified, including those of the other programs, and known verdicts are asserted. The rotations run on the
//! same graphs under the same limit, but not on graphs that are known or proved to have no cycle, because
//! rotations prove nothing. Each ratio compares our solvers with another program, on the graphs which that
//! program was given.
//!
//! `--limit=SECONDS` sets the longest limit. The default is 60, 10 with `--strict`, and 1 with `--quick`,
//! which also uses smaller graphs. `--folder=PATH` solves the graph files of a folder, such as the FHCP
//! challenge set, instead of the generated graphs. `--boards=N` sets the number of boards with holes.
//! `--peer=cp-sat` also runs CP-SAT (`python3 -m pip install ortools`). Each of these options can also be set
//! in the environment, as in `HIPPO_PEER=cp-sat`. `--strict` fails if the rotations decide more graphs of a
//! kind.

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

/// The time limits in the table, in seconds.
const LIMITS: [f64; 3] = [1.0, 10.0, 60.0];

/// The answer that a program gives for a graph.
enum Answer {
    /// A cycle, which is not verified yet.
    Cycle(Vec<Square>),
    /// A proof that there is no cycle.
    NoCycle,
    /// No answer within the limit.
    Undecided,
}

/// A program to compare our solvers with.
struct Peer {
    name: &'static str,
    /// Whether the program can prove that there is no cycle.
    proves: bool,
    /// Solves a graph within a time limit. Returns the seconds taken and the answer.
    solve: fn(&Graph, Duration) -> (f64, Answer),
}

const ROTATIONS: Peer = Peer {
    name: "rotations",
    proves: false,
    solve: |graph, limit| seconds(|| rotations::solve(graph, limit)),
};

const CP_SAT: Peer = Peer { name: "CP-SAT", proves: true, solve: cp_sat::solve };

/// Number of seconds until a program decided a graph; `None` if it did not.
type Decided = Option<f64>;

/// The times taken on one graph.
struct Times {
    ours: Decided,
    /// One entry per peer; `None` if the peer was not given the graph.
    peers: Vec<Option<Decided>>,
}

/// Returns the times of our solvers and of a peer on the graphs that the peer was given.
fn pairs(times: &[Times], peer: usize) -> Vec<(Decided, Decided)> {
    times.iter().filter_map(|t| Some((t.ours, t.peers[peer]?))).collect()
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
        let pairs = pairs(&times, 0);
        let ours = pairs.iter().filter(|pair| pair.0.is_some()).count();
        let theirs = pairs.iter().filter(|pair| pair.1.is_some()).count();
        expect(ours >= theirs, &format!("{}: as many as the rotations", kind.name));
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

/// Solves the graphs of one kind. Prints one line per graph, and the methods that decided them.
fn solve_kind(kind: &Kind, limit: Duration, peers: &[Peer]) -> Vec<Times> {
    let mut methods = BTreeMap::<&str, usize>::new();
    let each = |instance: &Instance| {
        let Solved { time, verdict, method, line } = solve(instance, limit);
        if verdict.is_some() {
            *methods.entry(method).or_default() += 1;
        }
        let has_none = verdict.or(instance.verdict) == Some(false);
        let given = |peer: &Peer| peer.proves || !has_none;
        let peers = peers.iter().map(|peer| given(peer).then(|| solve_by(peer, instance, limit)));
        let peers: Vec<_> = peers.collect();
        if !is_quick() {
            let others = peers.iter().flatten().map(|(_, line)| format!("; {line}"));
            println!("    {}: {line}{}", instance.name, others.collect::<String>());
        }
        Times { ours: time, peers: peers.into_iter().map(|peer| Some(peer?.0)).collect() }
    };
    let times = kind.instances.iter().map(each).collect();
    let methods: Vec<_> = methods.iter().map(|(name, n)| format!("{name} {n}")).collect();
    println!(
        "  decided by {}",
        if methods.is_empty() { "none".into() } else { methods.join(", ") }
    );
    times
}

/// The result of our solvers on a graph.
struct Solved {
    time: Decided,
    verdict: Option<bool>,
    method: &'static str,
    /// A description of the result.
    line: String,
}

fn solve(instance: &Instance, limit: Duration) -> Solved {
    let budget = Budget { time: Some(limit), ..Budget::UNLIMITED };
    let problem = Problem::closed(instance.graph.clone());
    let search = TourSearch { threads: 1, budget, ..TourSearch::new(problem) };
    let found = search.run(&Control::default()).expect("a search");
    let method = found.solver.map_or("theorem", |solver| solver.name);
    let after = format!("by {method}, {:.3} s", found.seconds);
    let (verdict, line) = match &found.outcome {
        Outcome::Found(tour) => {
            assert!(tour.is_closed(), "{}", instance.name);
            (Some(true), format!("cycle {after}"))
        }
        Outcome::Impossible(_) => (Some(false), format!("no cycle {after}")),
        Outcome::Limit | Outcome::Interrupted => {
            (None, format!("undecided after {}", stages(&found)))
        }
    };
    instance.assert_verdict("our solvers", verdict);
    Solved { time: verdict.map(|_| found.seconds), verdict, method, line }
}

/// Lists the solvers that were tried, with the seconds each one took.
fn stages(found: &Found) -> String {
    let stages = found.stages.iter().map(|s| format!("{} {:.1} s", s.solver, s.seconds));
    stages.collect::<Vec<_>>().join(", ")
}

/// Returns the seconds that a peer took, and a description of the result.
fn solve_by(peer: &Peer, instance: &Instance, limit: Duration) -> (Decided, String) {
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
    (verdict.map(|_| time), format!("{} {how}", peer.name))
}

/// Prints how many graphs are decided within each limit, and the ratios to each peer.
fn summarize(times: &[Times], limit: Duration, peers: &[Peer]) {
    let longest = limit.as_secs_f64();
    let limits: Vec<f64> = LIMITS.into_iter().filter(|&s| s < longest).chain([longest]).collect();
    let row = |name: &str, all: &[Decided]| {
        let within = |s: f64| all.iter().flatten().filter(|&&time| time <= s).count();
        let counts: Vec<_> = limits.iter().map(|&s| format!("{} in {s} s", within(s))).collect();
        println!("  {name}: {} of {}", counts.join(", "), all.len());
        within(longest)
    };
    row("ours", &times.iter().map(|t| t.ours).collect::<Vec<_>>());
    for (index, peer) in peers.iter().enumerate() {
        let pairs = pairs(times, index);
        let (ours, theirs): (Vec<Decided>, Vec<Decided>) = pairs.iter().copied().unzip();
        if theirs.is_empty() {
            continue;
        }
        let decided = row(peer.name, &theirs);
        let ours = ours.iter().flatten().filter(|&&time| time <= longest).count();
        let both: Vec<(f64, f64)> =
            pairs.iter().filter_map(|&(ours, theirs)| Some((ours?, theirs?))).collect();
        print!("    decided on these: ours {ours}, {} {decided}", peer.name);
        if decided > 0 {
            print!(", ratio {:.2}", ours as f64 / decided as f64);
        }
        if !both.is_empty() {
            let middle = |of: fn(&(f64, f64)) -> f64| median(both.iter().map(of).collect());
            print!(
                "; median time of the {} by both: ours {:.4} s, {} {:.4} s, ratio {:.2}",
                both.len(),
                middle(|pair| pair.0),
                peer.name,
                middle(|pair| pair.1),
                middle(|pair| pair.1 / pair.0.max(1e-6))
            );
        }
        println!();
    }
}
