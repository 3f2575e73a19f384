//! Counts as JSON. Numbers that may exceed 2^53 are strings.

use super::{Count, Counted, EndClass};
use serde_json::{Map, Value, json};

// The JSON form is separate from the counting.
impl Counted {
    /// Describes the count, its checks, its time and its memory.
    pub fn describe(&self, count: &Count, seconds: f64, peak: u64) -> Value {
        let checks: Vec<Value> =
            self.checks.iter().map(|c| json!({ "name": c.name, "detail": c.detail })).collect();
        let mut object = json!({
            "board": null,
            "kind": count.kind.name(),
            "directed": self.directed.as_ref().map(ToString::to_string),
            "undirected": self.undirected.to_string(),
            "method": self.method,
            "checks": checks,
            "seconds": seconds,
            "peak_bytes": peak,
        });
        count.graph.describe_in(&mut object);
        if let Some(finding) = &self.reason {
            object["reason"] = json!(format!("{} ({})", finding.reason, finding.theorem));
        }
        if let Some(classes) = &self.classes {
            object["classes"] = json!(classes.to_string());
        }
        if let Some(rows) = &self.by_start {
            let row = |(square, tours): &(_, super::BigUint)| {
                (count.graph.name(*square), json!(tours.to_string()))
            };
            object["by_start"] = Value::Object(rows.iter().map(row).collect::<Map<_, _>>());
        }
        if let Some(classes) = &self.by_ends {
            object["by_ends"] = classes.iter().map(|class| class.describe(count)).collect();
        }
        object
    }
}

impl EndClass {
    /// Describes the class: the names of its ends, the number of equivalent pairs, and the number of tours
    /// between the ends of each pair.
    pub fn describe(&self, count: &Count) -> Value {
        let ends = self.ends.map(|end| count.graph.name(end));
        json!({ "ends": ends, "pairs": self.pairs, "undirected": self.tours.to_string() })
    }
}
