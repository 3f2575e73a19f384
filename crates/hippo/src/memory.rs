//! Refuses a board that would not fit in memory, before the search is killed for it.

use crate::fail::Fail;
use hippodrome::board::in_bytes;
use hippodrome::graph::Graph;

/// Bytes a square for the tour that is found.
const TOUR: u128 = 4;
/// Bytes a square for each thread's search: its path, and which squares are visited.
const SEARCH: u128 = 5;

/// Fails if a search of the graph on so many threads, none if the tour is built, needs more memory
/// than there is.
pub fn check(graph: &Graph, threads: usize) -> Result<(), Fail> {
    available().map_or(Ok(()), |there| fits(graph, threads, there))
}

fn fits(graph: &Graph, threads: usize, available: u128) -> Result<(), Fail> {
    let needed = graph.len() as u128 * (TOUR + SEARCH * threads as u128);
    if needed <= available {
        return Ok(());
    }
    let fewer = if threads > 1 { ", or --threads 1" } else { "" };
    Err(Fail::run_time(format!(
        "{graph} is too large for this machine: the search needs about {} of memory and {} are available; try a smaller board{fewer}",
        in_bytes(needed),
        in_bytes(available),
    )))
}

/// Memory that can be had without swapping, where the system tells: of the machine, and within the
/// limits set on this process and its group.
pub fn available() -> Option<u128> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| in_meminfo(&text));
    let process = read("/proc/self/limits").and_then(|text| in_limits(&text));
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    [machine, process, group].into_iter().flatten().min()
}

fn in_limits(text: &str) -> Option<u128> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn in_meminfo(text: &str) -> Option<u128> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u128 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::board::Board;

    #[test]
    fn the_systems_report_is_understood() {
        let text = "MemTotal:       24103000 kB\nMemFree: 5 kB\nMemAvailable:   24122420 kB\n";
        assert_eq!(in_meminfo(text), Some(24_122_420 * 1024));
        assert_eq!(in_meminfo("MemTotal: 24103000 kB\n"), None);
        let limits = |soft: &str| {
            format!("Limit  Soft  Hard\nMax address space   {soft}   unlimited  bytes\n")
        };
        assert_eq!(in_limits(&limits("1536000000")), Some(1_536_000_000));
        assert_eq!(in_limits(&limits("unlimited")), None);
    }

    #[test]
    fn a_board_is_refused_exactly_when_it_does_not_fit() {
        let graph = Graph::knight(Board::parse("1000x1000").unwrap());
        assert!(fits(&graph, 1, 9_000_000).is_ok());
        assert!(fits(&graph, 1, 8_999_999).is_err());
        assert!(fits(&graph, 2, 9_000_000).is_err());
        assert!(fits(&graph, 0, 4_000_000).is_ok() && fits(&graph, 0, 3_999_999).is_err());
    }
}
