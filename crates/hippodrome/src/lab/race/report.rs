//! Reports a race as a self-contained HTML page with a table, findings and charts.

use super::{CONFIDENCE, Race, RaceRun, Raced, Standing, verdicts};
use crate::draw::Escaped;
use crate::draw::chart::{Axis, Line, LineChart, Mark, Row, RowChart};
use crate::lab::statistics::Spread;
use crate::numerals::{in_time, short};
use std::fmt::Write;

/// Number of points of a mean curve.
const POINTS: u32 = 240;

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fdfcfa;--ink:#3c3a36;--rule:#e3e0da}\
@media(prefers-color-scheme:dark){:root{--page:#1b1a18;--ink:#d9d5cc;--rule:#3a3833}}\
body{margin:2rem auto;max-width:64rem;padding:0 1rem;background:var(--page);color:var(--ink);\
font:16px/1.5 system-ui,sans-serif}\
div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}\
th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto;margin:1rem 0}\
code{white-space:pre-wrap}";

// Kept separate from running the race.
impl Race {
    /// Returns the page. `command` is the command line that repeats the race.
    pub fn html(&self, raced: &Raced, command: &str) -> String {
        let standings = self.standings(raced);
        let graph = self.problem.graph().to_string();
        let title = format!("Race on {graph}");
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n\
             <style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n<p>{1}</p>\n",
            Escaped(&title),
            Escaped(&self.terms()),
        );
        page += &table(&standings);
        let _ = writeln!(page, "<h2>What the runs show</h2>\n<ul>");
        for sentence in verdicts(&standings) {
            let _ = writeln!(page, "<li>{}</li>", Escaped(&sentence));
        }
        page += "</ul>\n";
        for chart in self.charts(raced, &standings) {
            page += &chart;
        }
        if let Some(reason) = raced.law.silence() {
            let _ = writeln!(page, "<p>Start bias is not reported: {}.</p>", Escaped(reason));
        }
        let _ = write!(
            page,
            "<p>Intervals are {:.0}% (Student's t for means, Wilson for shares), comparisons {:.0}% each \
             (Welch's t), from the spread between runs. Repeat the race with</p>\n<p><code>{}</code></p>\n\
             </body></html>\n",
            CONFIDENCE.0 * 100.0,
            CONFIDENCE.1 * 100.0,
            Escaped(command)
        );
        page
    }

    /// Describes the problem and the budget of the race in one sentence.
    fn terms(&self) -> String {
        let b = &self.budget;
        let mut limits: Vec<String> = Vec::new();
        let counts = [
            (b.attempts, "attempts"),
            (b.attempts_per_start, "attempts per start square"),
            (b.moves, "moves"),
            (b.tours, "distinct tours"),
        ];
        limits.extend(
            counts.iter().filter_map(|(n, of)| n.map(|n| format!("{} {of}", short(n as f64)))),
        );
        limits.extend(b.time.map(|t| format!("{} s", t.as_secs_f64())));
        let goal = if self.problem.is_closed() { "closed tours" } else { "open tours" };
        let sides =
            if b.time.is_some() { "one run at a time" } else { "parallel runs, one thread each" };
        format!(
            "{} runs of each solver for {goal}, each with {}; seed {}; {sides}.",
            self.runs,
            if limits.is_empty() { "no limit".into() } else { limits.join(" or ") },
            self.seed
        )
    }

    fn charts(&self, raced: &Raced, standings: &[Standing]) -> Vec<String> {
        let laps = || standings.iter().map(|s| &s.name).zip(&raced.laps);
        let over = |title: &str, axes, line: fn(&[RaceRun]) -> Vec<(f64, f64)>| {
            let line = |(name, laps): (&String, &Vec<RaceRun>)| Line {
                name: name.clone(),
                points: line(laps),
            };
            LineChart { title: title.into(), axes, lines: laps().map(line).collect() }.svg()
        };
        let rows = |title: &str, axis, mark: &dyn Fn(&Standing) -> Mark| {
            let row = |s: &Standing| Row { name: s.name.clone(), mark: mark(s) };
            RowChart { title: title.into(), axis, rows: standings.iter().map(row).collect() }.svg()
        };
        let interval = |spread: &Option<Spread>| match spread {
            Some(spread) => {
                Mark::Interval { value: spread.mean, around: spread.interval(CONFIDENCE.0) }
            }
            None => Mark::Nothing,
        };
        let quartiles = |five: Option<[f64; 5]>| five.map_or(Mark::Nothing, Mark::Quartiles);
        let tours = || Axis::logarithmic("distinct tours, mean over runs");
        let mut charts = vec![
            over(
                "Distinct tours against attempts",
                (Axis::linear("attempts"), tours()),
                by_attempts,
            ),
            over(
                "Distinct tours against time",
                (Axis::logarithmic("seconds"), tours()),
                by_seconds,
            ),
            rows("Seconds to the first tour", Axis::logarithmic("seconds"), &|s| {
                quartiles(s.seconds_to_first)
            }),
            rows("Moves to the first tour", Axis::logarithmic("moves"), &|s| {
                quartiles(s.moves_to_first)
            }),
            rows("Runs that found a tour", Axis::linear("share of runs"), &|s| {
                let (value, around) = s.success();
                Mark::Interval { value, around: Some(around) }
            }),
            rows("Hit ratio", Axis::linear("distinct tours per attempt"), &|s| {
                interval(&s.hit_ratio)
            }),
            rows("Closed tours", Axis::linear("share of distinct tours"), &|s| {
                interval(&s.closed_share)
            }),
        ];
        if raced.law.silence().is_none() {
            let axis = Axis::linear(
                "total variation distance; the bar is the distance expected by chance",
            );
            charts.push(rows("Start squares compared with uniform tours", axis, &|s| {
                s.start_bias.map_or(Mark::Nothing, |bias| Mark::Interval {
                    value: bias.distance,
                    around: Some((0.0, bias.by_chance)),
                })
            }));
        }
        charts
    }
}

fn table(standings: &[Standing]) -> String {
    let mut text = String::from(
        "<div><table><thead><tr><th>solver</th><th>runs</th><th>failed</th><th>attempts per run</th>\
         <th>distinct per run</th><th>hit ratio</th><th>closed</th><th>start bias</th><th>time to first (median)</th></tr></thead>\n",
    );
    for s in standings {
        let each = |sum: u64| short(sum as f64 / s.runs.max(1) as f64);
        let share = |spread: &Option<Spread>| match spread {
            Some(spread) => format!("{:.2}%", spread.mean * 100.0),
            None => "–".into(),
        };
        let first = s.seconds_to_first.map_or("–".into(), |five| in_time(five[2]));
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{first}</td></tr>",
            Escaped(&s.name),
            s.runs,
            s.failed_runs,
            each(s.attempts),
            each(s.distinct),
            share(&s.hit_ratio),
            share(&s.closed_share),
            s.start_bias.map_or("–".into(), |bias| format!("{:.3}", bias.distance)),
        );
    }
    text + "</table></div>\n"
}

/// Returns the mean of the runs' curves at `at`, by interpolation. A finished run keeps its last value.
fn mean_at<P: Copy>(
    laps: &[RaceRun],
    at: f64,
    points: impl Fn(&RaceRun) -> &[P],
    value: impl Fn(P) -> (f64, f64),
) -> f64 {
    let of = |lap: &RaceRun| {
        let points = points(lap);
        let after = points.partition_point(|&p| value(p).0 <= at);
        let before = after.checked_sub(1).map_or((0.0, 0.0), |i| value(points[i]));
        match points.get(after).map(|&p| value(p)) {
            Some(next) if next.0 > before.0 => {
                before.1 + (next.1 - before.1) * (at - before.0) / (next.0 - before.0)
            }
            _ => before.1,
        }
    };
    laps.iter().map(of).sum::<f64>() / laps.len().max(1) as f64
}

fn by_attempts(laps: &[RaceRun]) -> Vec<(f64, f64)> {
    let most = laps.iter().map(|lap| lap.total.attempts).max().unwrap_or(0) as f64;
    let at = |n: u32| most * f64::from(n) / f64::from(POINTS);
    let point = |p: crate::lab::curve::CurvePoint| (p.attempts as f64, p.distinct as f64);
    (1..=POINTS).map(|n| (at(n), mean_at(laps, at(n), |lap| &lap.curve, point))).collect()
}

fn by_seconds(laps: &[RaceRun]) -> Vec<(f64, f64)> {
    let firsts = laps.iter().filter_map(|lap| lap.first).map(|first| first.seconds.max(1e-7));
    let (first, last) = laps
        .iter()
        .fold((firsts.fold(f64::INFINITY, f64::min), 0.0), |(f, l), lap| (f, lap.seconds.max(l)));
    if first >= last {
        return Vec::new();
    }
    let at = |n: u32| first * (last / first).powf(f64::from(n) / f64::from(POINTS));
    let point = |p: (f64, u64)| (p.0, p.1 as f64);
    (0..=POINTS).map(|n| (at(n), mean_at(laps, at(n), |lap| &lap.clock, point))).collect()
}
