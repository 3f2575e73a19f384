//! The two ways to run a count: one sweep over all vertices, or two halves that meet.

use super::layer::{Layer, on_threads};
use super::net::Net;
use super::order::Cut;
use super::program::Program;
use super::rule::Rule;
use super::tally::Tally;
use super::watch::{Stop, Watch};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// States a part of a matching should have.
const PART: usize = 1 << 14;
/// Pairs compared between two looks at the interrupt.
const PAIRS: usize = 1 << 22;

/// What the runs of one count share.
#[derive(Clone, Copy)]
pub(super) struct Crew<'a> {
    pub threads: usize,
    pub watch: &'a Watch,
    /// Adds one to one state's tally: a fault that a check must find.
    #[cfg(test)]
    pub corrupt: bool,
}

impl Crew<'_> {
    fn carry_out<R: Rule, C: Tally>(&self, program: &Program) -> Result<Layer<R::Key, C>, Stop> {
        let mut layer = Layer::of(R::empty());
        for (done, step) in program.steps.iter().enumerate() {
            layer = layer.advance::<R>(step, self.threads, self.watch)?;
            self.watch.step(super::order::states(step.frontier, done + 1));
            #[cfg(test)]
            if self.corrupt && done == program.steps.len() / 2 {
                let state = layer.parts.iter_mut().flatten().next();
                state.into_iter().for_each(|s| s.1 = s.1.plus(C::ONE).unwrap_or(C::ONE));
            }
        }
        Ok(layer)
    }

    /// One sweep over all vertices in an order: the tally of the state in which nothing is left.
    pub fn sweep<R: Rule, C: Tally>(&self, net: &Net, order: &[usize]) -> Result<C::Sum, Stop> {
        let program = Program::new(net, order, &[], true);
        let layer = self.carry_out::<R, C>(&program)?;
        let mut sum = C::Sum::default();
        for (key, tally) in layer.parts.into_iter().flatten() {
            debug_assert!(key == R::empty());
            C::gather(&mut sum, tally, C::ONE);
        }
        Ok(sum)
    }

    /// Two halves that meet.
    pub fn meet<R: Rule, C: Tally>(&self, net: &Net, cut: &Cut) -> Result<C::Sum, Stop> {
        let side = |n: usize| Program::new(net, &cut.sides[n], &cut.edges[n], false);
        let programs = [side(0), side(1)];
        let between: Vec<usize> = {
            let mut all: Vec<usize> =
                programs.iter().flat_map(|p| p.left.iter().map(|&(v, _)| v)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let one = self.carry_out::<R, C>(&programs[0])?;
        let alike = programs[0].steps == programs[1].steps;
        let parts = (one.len() / PART).next_power_of_two();
        let first = self.deal::<R, C>(&one, &programs[0], &between, parts, false)?;
        let second = if alike {
            let dealt = self.deal::<R, C>(&one, &programs[1], &between, parts, true)?;
            drop(one);
            dealt
        } else {
            drop(one);
            let other = self.carry_out::<R, C>(&programs[1])?;
            self.deal::<R, C>(&other, &programs[1], &between, parts, true)?
        };
        self.match_up::<R, C>(first, second, between.len())
    }

    /// Deals states into parts by their degrees, the slots numbered by the vertices between. The
    /// other half's go where the degrees that it needs are.
    fn deal<R: Rule, C: Tally>(
        &self,
        layer: &Layer<R::Key, C>,
        program: &Program,
        between: &[usize],
        parts: usize,
        other: bool,
    ) -> Result<Dealt<R::Key, C>, Stop> {
        // A vertex that this half has never seen has a slot of its own, which is bare.
        let mut unseen = program.slots;
        let from: Vec<usize> = between
            .iter()
            .map(|&v| match program.left.iter().find(|left| left.0 == v) {
                Some(&(_, slot)) => slot,
                None => {
                    unseen += 1;
                    unseen - 1
                }
            })
            .collect();
        let whole = (0..between.len()).fold(0, |code, slot| code | 2 << (2 * slot));
        let next = AtomicUsize::new(0);
        let room = layer.len() / parts / self.threads + 16;
        let work = || {
            let mut out: Dealt<R::Key, C> = (0..parts).map(|_| Vec::with_capacity(room)).collect();
            while let Some(part) = layer.parts.get(next.fetch_add(1, Relaxed)) {
                if self.watch.stopped() {
                    break;
                }
                for &(key, tally) in part {
                    let key = R::renumber(key, &from);
                    let own = R::degrees(key, between.len());
                    let code = if other { whole - own } else { own };
                    let part = super::key::mix(code) as usize & (parts - 1);
                    out[part].push((code, key, tally));
                }
            }
            out
        };
        let mut dealt: Dealt<R::Key, C> = (0..parts).map(|_| Vec::new()).collect();
        for out in on_threads(self.threads, &work) {
            for (part, states) in out.into_iter().enumerate() {
                if dealt[part].is_empty() {
                    dealt[part] = states;
                } else {
                    dealt[part].extend(states);
                }
            }
        }
        self.watch.poll()?;
        Ok(dealt)
    }

    fn match_up<R: Rule, C: Tally>(
        &self,
        first: Dealt<R::Key, C>,
        second: Dealt<R::Key, C>,
        slots: usize,
    ) -> Result<C::Sum, Stop> {
        let pairs: Vec<_> = first.into_iter().zip(second).map(Mutex::new).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut sum = C::Sum::default();
            while let Some(pair) = pairs.get(next.fetch_add(1, Relaxed)) {
                if self.watch.stopped() {
                    break;
                }
                let (mut one, mut other) =
                    std::mem::take(&mut *pair.lock().unwrap_or_else(|e| e.into_inner()));
                one.sort_unstable_by_key(|s| s.0);
                other.sort_unstable_by_key(|s| s.0);
                self.join::<R, C>(&one, &other, slots, &mut sum);
            }
            sum
        };
        let sums = on_threads(self.threads, &work);
        self.watch.poll()?;
        let mut total = C::Sum::default();
        sums.into_iter().for_each(|sum| C::unite(&mut total, sum));
        Ok(total)
    }

    /// Adds up the pairs of equal degrees that fit.
    fn join<R: Rule, C: Tally>(
        &self,
        one: &[(u64, R::Key, C)],
        other: &[(u64, R::Key, C)],
        slots: usize,
        sum: &mut C::Sum,
    ) {
        let mut others = other.chunk_by(|a, b| a.0 == b.0).peekable();
        let mut compared = 0;
        for group in one.chunk_by(|a, b| a.0 == b.0) {
            let code = group[0].0;
            while others.next_if(|others| others[0].0 < code).is_some() {}
            let Some(partners) = others.next_if(|others| others[0].0 == code) else { continue };
            let ends: Vec<usize> = (0..slots).filter(|slot| code >> (2 * slot) & 3 == 1).collect();
            for &(_, key, tally) in group {
                for &(_, partner, times) in partners {
                    if R::fit(key, partner, &ends) {
                        C::gather(sum, tally, times);
                    }
                }
                compared += partners.len();
                if compared > PAIRS {
                    compared = 0;
                    if self.watch.stopped() {
                        return;
                    }
                }
            }
        }
    }
}

/// States in parts, with the degrees that the first half has.
type Dealt<K, C> = Vec<Vec<(u64, K, C)>>;
