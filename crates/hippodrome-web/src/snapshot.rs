//! The latest state of a job, in a few slots that are overwritten.
//!
//! Whoever watches takes what has changed since the last look. What was overwritten in between is
//! missed, so nothing ever waits and nothing piles up: the memory is that of the slots.

use axum::body::Bytes;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// What there is news of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// What the job is: its ground, its methods.
    About,
    /// What the method knows besides its path.
    Context,
    /// The last tour.
    Tour,
    /// The last step, or all there is to show.
    Frame,
    /// Whether the job waits, runs, rests or is done: told last, so that all else is known by then.
    State,
}

const TOPICS: [(Topic, &str); 5] = [
    (Topic::About, "about"),
    (Topic::Context, "context"),
    (Topic::Tour, "tour"),
    (Topic::Frame, "frame"),
    (Topic::State, "state"),
];

/// Slots for the latest of each topic.
pub(crate) struct News {
    slots: Mutex<Slots>,
    version: watch::Sender<u64>,
}

#[derive(Default)]
struct Slots {
    version: u64,
    latest: [(u64, Bytes); TOPICS.len()],
    over: bool,
}

/// What is new to somebody.
pub(crate) struct Fresh {
    /// Texts of events, in the order of the topics.
    pub(crate) texts: Vec<Bytes>,
    /// Up to here everything is known now.
    pub(crate) version: u64,
    /// Nothing more will come.
    pub(crate) over: bool,
}

impl News {
    pub(crate) fn new() -> News {
        News { slots: Mutex::default(), version: watch::Sender::new(0) }
    }

    fn change(&self, change: impl FnOnce(&mut Slots)) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.version += 1;
        change(&mut slots);
        let version = slots.version;
        drop(slots);
        self.version.send_replace(version);
    }

    /// Overwrites the slot of a topic.
    pub(crate) fn publish(&self, topic: Topic, value: &Value) {
        let name = TOPICS[topic as usize].1;
        let text = Bytes::from(format!("event: {name}\ndata: {value}\n\n"));
        self.change(|slots| {
            if !slots.over {
                slots.latest[topic as usize] = (slots.version, text);
            }
        });
    }

    /// The last news is out.
    pub(crate) fn close(&self) {
        self.change(|slots| slots.over = true);
    }

    /// What has changed since a version.
    pub(crate) fn since(&self, version: u64) -> Fresh {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = slots.latest.iter().filter(|(at, _)| *at > version);
        let texts = fresh.map(|(_, text)| text.clone()).collect();
        Fresh { texts, version: slots.version, over: slots.over }
    }

    /// To be told when something changes.
    pub(crate) fn follow(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn who_comes_late_gets_the_latest_of_each_topic_once() {
        let news = News::new();
        for n in 0..1000 {
            news.publish(Topic::Frame, &json!({ "n": n }));
        }
        news.publish(Topic::State, &json!({ "state": "done" }));
        news.close();
        news.publish(Topic::State, &json!({ "state": "too late" }));
        let fresh = news.since(0);
        let texts: Vec<&str> =
            fresh.texts.iter().map(|t| std::str::from_utf8(t).unwrap()).collect();
        assert_eq!(
            texts,
            ["event: frame\ndata: {\"n\":999}\n\n", "event: state\ndata: {\"state\":\"done\"}\n\n"]
        );
        assert!(fresh.over && news.since(fresh.version).texts.is_empty());
    }
}
