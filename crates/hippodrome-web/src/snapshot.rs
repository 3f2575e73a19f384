//! The latest state of a job, kept in a few slots that are overwritten.
//!
//! A viewer reads the messages that have changed since its last read, and misses messages that were
//! overwritten in the meantime. So there is no queue, nothing blocks, and the number of slots bounds the
//! memory.

use axum::body::Bytes;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// The topic of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// The problem, the solvers and the seed of the job.
    About,
    /// What the method remembers besides its path.
    Context,
    /// The last tour found.
    Tour,
    /// The last step, the standings, or the gallery.
    Frame,
    /// Whether the job waits, runs, rests or is done. This message is sent after the others.
    State,
}

/// The names of the events, in the order of the topics.
const EVENTS: [&str; 5] = ["about", "context", "tour", "frame", "state"];

/// The latest message on each topic.
pub(crate) struct Snapshot {
    slots: Mutex<Slots>,
    version: watch::Sender<u64>,
}

#[derive(Default)]
struct Slots {
    version: u64,
    latest: [(u64, Bytes); EVENTS.len()],
    closed: bool,
}

/// The messages that have changed since a version.
pub(crate) struct Changes {
    /// The texts of the events, in the order of the topics.
    pub(crate) texts: Vec<Bytes>,
    /// The version that includes these messages.
    pub(crate) version: u64,
    /// Whether no more messages will follow.
    pub(crate) closed: bool,
}

impl Snapshot {
    pub(crate) fn new() -> Snapshot {
        Snapshot { slots: Mutex::default(), version: watch::Sender::new(0) }
    }

    fn change(&self, change: impl FnOnce(&mut Slots)) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.version += 1;
        change(&mut slots);
        let version = slots.version;
        drop(slots);
        self.version.send_replace(version);
    }

    /// Overwrites the message on a topic. The text is formatted only once, for all viewers.
    pub(crate) fn publish(&self, topic: Topic, value: &Value) {
        let name = EVENTS[topic as usize];
        let text = Bytes::from(format!("event: {name}\ndata: {value}\n\n"));
        self.change(|slots| {
            if !slots.closed {
                slots.latest[topic as usize] = (slots.version, text);
            }
        });
    }

    /// Stops accepting messages.
    pub(crate) fn close(&self) {
        self.change(|slots| slots.closed = true);
    }

    /// Returns the messages that have changed since the given version.
    pub(crate) fn since(&self, version: u64) -> Changes {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = slots.latest.iter().filter(|(at, _)| *at > version);
        let texts = fresh.map(|(_, text)| text.clone()).collect();
        Changes { texts, version: slots.version, closed: slots.closed }
    }

    /// Returns a receiver that is notified of changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_late_viewer_gets_the_latest_of_each_topic_once() {
        let snapshot = Snapshot::new();
        for n in 0..1000 {
            snapshot.publish(Topic::Frame, &json!({ "n": n }));
        }
        snapshot.publish(Topic::State, &json!({ "state": "done" }));
        snapshot.close();
        snapshot.publish(Topic::State, &json!({ "state": "too late" }));
        let fresh = snapshot.since(0);
        let texts: Vec<&str> =
            fresh.texts.iter().map(|t| std::str::from_utf8(t).unwrap()).collect();
        assert_eq!(
            texts,
            ["event: frame\ndata: {\"n\":999}\n\n", "event: state\ndata: {\"state\":\"done\"}\n\n"]
        );
        assert!(fresh.closed && snapshot.since(fresh.version).texts.is_empty());
    }
}
