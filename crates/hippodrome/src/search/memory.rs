//! Rejects boards that do not fit in memory.

use crate::board::Graph;
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::numerals::in_bytes;
use crate::search::Info;
use std::path::Path;
use thiserror::Error;

/// The search needs more memory than is available.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error(
    "{graph} is too large for this machine: the search needs about {} of memory, but only {} is available",
    in_bytes(*.needed),
    in_bytes(*.available)
)]
pub struct TooLarge {
    graph: String,
    needed: u128,
    available: u128,
    /// Whether the search would fit in memory if it used one thread.
    fits_alone: bool,
}

impl Diagnostic for TooLarge {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Memory
    }

    fn remedies(&self) -> Vec<Remedy> {
        let smaller = Remedy::Do("try a smaller board");
        let alone = self.fits_alone.then_some(Remedy::Set(Argument::Threads, &["1"]));
        [smaller].into_iter().chain(alone).collect()
    }
}

/// Bytes per square for the tour itself.
const TOUR: u128 = 4;
/// Bytes per square for the grid that numbers the squares of the tour.
const GRID: u128 = 4;

/// Returns the default number of bytes for tours: a quarter of the available memory.
pub fn share() -> usize {
    available().map_or(2 << 30, |bytes| (bytes / 4).clamp(64 << 20, 1 << 40) as usize)
}

/// Returns the default number of bytes for a count: nine tenths of the available memory.
pub fn most() -> u64 {
    available().map_or(u64::MAX, |there| (there / 10 * 9) as u64)
}

/// Returns the number of bytes that a search needs when it tries the solvers one after another. If `grid` is
/// set, this includes the grid that numbers the squares of the tour.
pub fn needed(graph: &Graph, solvers: &[&Info], threads: usize, grid: bool) -> u128 {
    let own = solvers.iter().map(|info| info.footprint.on(threads as u128)).max().unwrap_or(0);
    graph.len() as u128 * (TOUR + own.max(if grid { GRID } else { 0 }))
}

/// Returns an error if the search needs more memory than is available; see [`needed`].
pub fn check(graph: &Graph, solvers: &[&Info], threads: usize, grid: bool) -> Result<(), TooLarge> {
    let needs = |threads| needed(graph, solvers, threads, grid);
    available().map_or(Ok(()), |there| fits(graph, (needs(threads), needs(1)), there))
}

/// Returns an error if `needed` exceeds `available`; `single` is the memory needed with one thread.
fn fits(graph: &Graph, (needed, single): (u128, u128), available: u128) -> Result<(), TooLarge> {
    if needed <= available {
        return Ok(());
    }
    let fits_alone = single <= available;
    Err(TooLarge { graph: graph.to_string(), needed, available, fits_alone })
}

/// Returns the memory that is available without swapping, if the system reports it. This is the minimum of
/// the machine's free memory and the limits on this process and its control groups.
pub fn available() -> Option<u128> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| in_meminfo(&text));
    let process = read("/proc/self/limits").and_then(|text| in_limits(&text));
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let limit = |path: String| read(&path).and_then(|text| text.trim().parse().ok());
    let groups = limits_of_groups(&groups).into_iter().filter_map(limit);
    [machine, process].into_iter().flatten().chain(groups).min()
}

/// Returns the paths of the files that may contain the memory limits of the control groups, innermost group
/// first, for cgroups v1 and v2. Inside a container, the hierarchy may begin at the container's own group.
fn limits_of_groups(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (tree, limit) = match fields.next() {
            Some("") => ("/sys/fs/cgroup", "memory.max"),
            Some(kinds) if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let own = Path::new(fields.next().unwrap_or("/").trim_start_matches('/'));
        all.extend(
            own.ancestors()
                .map(|group| Path::new(tree).join(group).join(limit).display().to_string()),
        );
    }
    all
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
    use crate::board::Board;
    use crate::search::Footprint;

    static WALKS: Info = Info::PLAIN;
    static BUILDS: Info = Info { footprint: Footprint { shared: 0, per_thread: 0 }, ..Info::PLAIN };
    static TABLES: Info =
        Info { footprint: Footprint { shared: 350, per_thread: 0 }, ..Info::PLAIN };

    #[test]
    fn reports_of_the_system_are_parsed() {
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
    fn limits_of_a_group_and_its_ancestors_are_read() {
        let one = limits_of_groups("0::/system.slice/job_7/step\n");
        assert_eq!(one[0], "/sys/fs/cgroup/system.slice/job_7/step/memory.max");
        assert_eq!(one[1], "/sys/fs/cgroup/system.slice/job_7/memory.max");
        assert_eq!(one[3], "/sys/fs/cgroup/memory.max");
        assert_eq!(one.len(), 4);
        let many = limits_of_groups("9:name=systemd:/\n4:cpu,memory:/slurm/job_7\n1:cpu:/slurm\n");
        assert_eq!(many[0], "/sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes");
        assert_eq!(many[2], "/sys/fs/cgroup/memory/memory.limit_in_bytes");
        assert_eq!(many.len(), 3);
        assert!(limits_of_groups("").is_empty());
    }

    #[test]
    fn a_board_is_refused_exactly_when_it_does_not_fit() {
        let graph = Graph::knight(Board::parse("1000x1000").unwrap());
        let check = |solvers: &[&Info], threads, grid, there| {
            let needs = |threads| needed(&graph, solvers, threads, grid);
            fits(&graph, (needs(threads), needs(1)), there)
        };
        let hint = |result: Result<(), TooLarge>| {
            let alone = Remedy::Set(Argument::Threads, &["1"]);
            result.is_err_and(|fail| fail.remedies().contains(&alone))
        };
        assert!(hint(check(&[&WALKS], 2, true, 9_000_000)));
        assert!(!hint(check(&[&BUILDS], 8, false, 3_999_999)));
        let check =
            |solvers: &[&Info], threads, grid, there| check(solvers, threads, grid, there).is_ok();
        assert!(check(&[&WALKS], 1, true, 9_000_000));
        assert!(!check(&[&WALKS], 1, true, 8_999_999));
        assert!(!check(&[&WALKS], 2, true, 9_000_000));
        assert!(check(&[&BUILDS], 8, false, 4_000_000) && !check(&[&BUILDS], 8, false, 3_999_999));
        assert!(check(&[&BUILDS], 8, true, 8_000_000) && !check(&[&BUILDS], 8, true, 7_999_999));
        assert!(!check(&[&BUILDS, &TABLES], 1, false, 300_000_000));
    }
}
