//! Early detection of hopeless partial tours: tests whether a path through all free squares can exist.
//!
//! The rest of a tour is a path from the ant's square, the head, through all free squares. So if there are
//! two or more free squares, each of them must have a free neighbour. A square with only one free neighbour
//! must be the first or the last square of that path, and it can be the first only if it is adjacent to the
//! head. The free squares must also be connected. The counts of free neighbours are kept up to date, and a
//! visit affects only adjacent squares, so both tests examine little more than the neighbours of the head.
//! Source: Hingston & Kendall (2005), Section 5, which names the idea but no test.
//! Cost: O(degree) per move to detect dead ends; for connectivity, a search that ends when it has reached
//! every free neighbour of the head, O(squares) at worst.
//! Limits: not every hopeless path is detected; the colours of squares are not counted.

use crate::board::Square;
use crate::search::choice;

choice! {
    /// Which partial tours are abandoned as hopeless.
    pub enum Hopeless {
        Off = "off", "ants move until they are stuck, as in the paper";
        DeadEnds = "dead-ends", "stop if too many free squares have at most one free neighbour";
        Connected = "connected", "stop also if the free squares are not connected";
    }
}

/// The squares that are still free for an ant, and what is known about them.
#[derive(Default)]
pub(super) struct Outlook {
    /// Number of neighbours of each square.
    whole: Vec<u32>,
    order: usize,
    /// Number of free neighbours of each free square.
    degrees: Vec<u32>,
    /// Number of free squares; the next two fields count those without a free neighbour and those with
    /// exactly one.
    left: usize,
    isolated: usize,
    ends: usize,
    /// Number of free squares that are adjacent to the head and have exactly one free neighbour.
    ends_here: usize,
    /// Number of the last search that reached each square.
    met: Vec<u64>,
    searches: u64,
    queue: Vec<Square>,
}

impl Outlook {
    pub(super) fn new(whole: Vec<u32>, order: usize) -> Outlook {
        Outlook { met: vec![0; whole.len()], whole, order, ..Outlook::default() }
    }

    /// Marks all squares as free.
    pub(super) fn reset(&mut self) {
        self.degrees.clone_from(&self.whole);
        self.left = self.order;
        let having = |n: u32| self.whole.iter().filter(|&&d| d == n).count();
        // Holes have no neighbours either, but do not count.
        self.isolated = having(0) - (self.whole.len() - self.order);
        self.ends = having(1);
    }

    /// Moves the head to a square, which is then no longer free; `near` are the neighbours of that square.
    #[inline]
    pub(super) fn visit(&mut self, head: Square, near: &[Square], free: &[f64]) {
        self.left -= 1;
        match self.degrees[head.index()] {
            0 => self.isolated -= 1,
            1 => self.ends -= 1,
            _ => {}
        }
        self.ends_here = 0;
        for &square in near.iter().filter(|&&s| free[s.index()] > 0.0) {
            let degree = &mut self.degrees[square.index()];
            *degree -= 1;
            match *degree {
                0 => {
                    self.ends -= 1;
                    self.isolated += 1;
                }
                1 => {
                    self.ends += 1;
                    self.ends_here += 1;
                }
                _ => {}
            }
        }
    }

    /// Returns the number of free squares.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Returns whether there are too many dead ends for a path to exist from the head through all free
    /// squares.
    #[inline]
    pub(super) fn has_dead_ends(&self) -> bool {
        self.left > 1 && (self.isolated > 0 || self.ends > 2 || self.ends - self.ends_here > 1)
    }

    /// Returns whether the last visit disconnected the free squares, which were connected before.
    pub(super) fn is_cut<'n>(
        &mut self,
        head: Square,
        near: impl Fn(Square) -> &'n [Square],
        free: &[f64],
    ) -> bool {
        let beside = |s: &&Square| free[s.index()] > 0.0;
        let mut missing = near(head).iter().filter(beside).count();
        let Some(&first) = near(head).iter().find(beside) else { return false };
        self.searches += 1;
        self.queue.clear();
        self.queue.push(first);
        self.met[first.index()] = self.searches;
        missing -= 1;
        let mut at = 0;
        while missing > 0 && at < self.queue.len() {
            for square in near(self.queue[at]).iter().filter(beside) {
                if self.met[square.index()] != self.searches {
                    self.met[square.index()] = self.searches;
                    missing -= usize::from(near(head).contains(square));
                    self.queue.push(*square);
                }
            }
            at += 1;
        }
        missing > 0
    }
}
