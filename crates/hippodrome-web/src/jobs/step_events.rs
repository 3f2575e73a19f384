//! What a watched search has done since its last step: the events as JSON, and their sentences.
//!
//! States that are drawn are in the frame and in the context, and are not repeated here.

use super::context::is_in_context;
use hippodrome::search::SearchEvent;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Maximum number of bytes of the events of a step, as JSON. A quarter is for the newest event.
const MAX_BYTES: usize = 1 << 16;
/// Maximum number of events of a step; the newest are kept.
const MAX_EVENTS: usize = 256;
/// Maximum number of sentences in the text of a frame; the newest are kept.
const MAX_SENTENCES: usize = 3;

/// The events since a step.
#[derive(Default)]
pub(super) struct StepEvents {
    /// The number of that step.
    since: u64,
    /// The events with their lengths in bytes, oldest first.
    events: VecDeque<(Value, usize)>,
    /// The sum of the lengths.
    bytes: usize,
    sentences: Vec<String>,
}

impl StepEvents {
    /// Adds an event that happened after step `since`, with its sentence.
    pub(super) fn push(&mut self, since: u64, event: &SearchEvent<'_>, sentence: Option<String>) {
        if self.since != since {
            self.clear();
            self.since = since;
        }
        if let Some(sentence) = sentence {
            self.sentences.push(sentence);
            let extra = self.sentences.len().saturating_sub(MAX_SENTENCES);
            self.sentences.drain(..extra);
        }
        if is_in_context(event.kind()) {
            return;
        }
        let (event, length) = within(event, MAX_BYTES / 4);
        self.events.push_back((event, length));
        self.bytes += length;
        while self.events.len() > MAX_EVENTS || self.bytes > MAX_BYTES {
            self.bytes -= self.events.pop_front().map_or(0, |(_, length)| length);
        }
    }

    /// Returns the events if they happened after step `since`, and forgets them.
    pub(super) fn take(&mut self, since: u64) -> Vec<Value> {
        let events = std::mem::take(&mut self.events);
        self.clear();
        if self.since != since {
            return Vec::new();
        }
        events.into_iter().map(|(event, _)| event).collect()
    }

    /// Returns the sentences of the events after step `since`, joined.
    pub(super) fn text(&self, since: u64) -> Option<String> {
        let is_told = self.since == since && !self.sentences.is_empty();
        is_told.then(|| self.sentences.join("; "))
    }

    fn clear(&mut self) {
        self.events.clear();
        self.bytes = 0;
        self.sentences.clear();
    }
}

/// Returns an event as JSON and its length. The largest lists are left out if it is longer than `most` bytes.
fn within(event: &SearchEvent<'_>, most: usize) -> (Value, usize) {
    let mut value = match event {
        // The squares are in the frame.
        SearchEvent::Tour { closed, .. } => json!({ "kind": "tour", "of": { "closed": closed } }),
        event => json!(event),
    };
    loop {
        let length = value.to_string().len();
        if length <= most {
            return (value, length);
        }
        match &mut value["of"] {
            Value::Object(fields) => {
                let sizes = fields.iter().filter(|(_, value)| value.is_array());
                let largest = sizes.max_by_key(|(_, value)| value.to_string().len());
                let Some(name) = largest.map(|(name, _)| name.clone()) else {
                    return (value, length);
                };
                fields.remove(&name);
            }
            rest => *rest = json!([]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::board::Square;

    #[test]
    fn events_belong_to_one_step_and_are_taken_once() {
        let mut events = StepEvents::default();
        let start = |square| SearchEvent::Start { square: Square::new(square) };
        let told = |text: &str| Some(text.to_string());
        events.push(3, &start(1), told("one"));
        events.push(4, &start(2), told("two"));
        events.push(4, &SearchEvent::Moves(&[]), None);
        events.push(4, &SearchEvent::NoTour, told("three"));
        assert_eq!((events.text(3), events.text(4)), (None, told("two; three")));
        let expected =
            [json!({ "kind": "start", "of": { "square": 2 } }), json!({ "kind": "no-tour" })];
        assert_eq!(events.take(4), expected);
        assert_eq!((events.take(4), events.text(4)), (Vec::new(), None));
        events.push(5, &start(1), None);
        assert_eq!(events.take(6), Vec::<Value>::new(), "they are from another step");
    }

    #[test]
    fn the_events_of_a_step_have_a_limited_size() {
        let squares: Vec<Square> = Square::below(1 << 14).collect();
        let [one, two] = [Square::new(0), Square::new(1)];
        let mut events = StepEvents::default();
        for _ in 0..1000 {
            let reversed = &squares[..3000];
            let event =
                SearchEvent::Reversal { end: one, added: (one, two), cut: (two, one), reversed };
            events.push(1, &event, None);
        }
        let kept = events.take(1);
        assert!((2..20).contains(&kept.len()) && json!(kept).to_string().len() <= MAX_BYTES + 100);
        let event = SearchEvent::Reversal {
            end: one,
            added: (one, two),
            cut: (two, one),
            reversed: &squares,
        };
        events.push(2, &event, None);
        let short = json!({ "end": 0, "added": [0, 1], "cut": [1, 0] });
        assert_eq!(events.take(2), [json!({ "kind": "reversal", "of": short })]);
        for _ in 0..1000 {
            events.push(3, &SearchEvent::NoTour, None);
        }
        assert_eq!(events.take(3).len(), MAX_EVENTS);
    }
}
