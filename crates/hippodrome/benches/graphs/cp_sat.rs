//! CP-SAT of OR-Tools: one Python process per graph, one worker.

use super::Answer;
use hippodrome::board::{Graph, Square};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/graphs/cp_sat.py");

pub fn is_installed() -> bool {
    let import = "import ortools.sat.python.cp_model";
    let mut python = Command::new("python3");
    python.args(["-c", import]).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns the seconds to build the model and search, excluding the start of Python, and the
/// answer.
pub fn solve(graph: &Graph, limit: Duration) -> (f64, Answer) {
    let mut input = format!("{}\n", limit.as_secs_f64());
    for v in graph.vertices() {
        for w in graph.neighbours(v).filter(|&w| w > v) {
            let _ = writeln!(input, "{} {}", v.number(), w.number());
        }
    }
    let mut python = Command::new("python3");
    let mut child = python
        .arg(SCRIPT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the graph is written");
    let output = child.wait_with_output().expect("the answer is read");
    assert!(output.status.success(), "{SCRIPT} fails");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut words = text.split_whitespace();
    let time = words.next().and_then(|word| word.parse().ok()).expect("seconds");
    let answer = match words.next() {
        Some("cycle") => {
            let square = |word: &str| Square::new(word.parse().expect("a vertex"));
            Answer::Cycle(words.map(square).collect())
        }
        Some("none") => Answer::NoCycle,
        _ => Answer::Undecided,
    };
    (time, answer)
}
