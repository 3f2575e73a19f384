//! The two ways to run a count: one sweep over all vertices, or two halves that meet.

use super::layer::{Layer, on_threads};
use super::net::Net;
use super::order::Cut;
use super::pairing::{self, Tables};
use super::program::Program;
use super::rule::Rule;
use super::tally::Tally;
use super::watch::{Stop, Watch};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// States a part of a matching should have.
const PART: usize = 1 << 15;

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
    /// From now on without the fault.
    pub fn spare(&mut self) {
        #[cfg(test)]
        {
            self.corrupt = false;
        }
    }

    fn carry_out<R: Rule, C: Tally>(&self, program: &Program) -> Result<Layer<R::Key, C>, Stop> {
        let mut layer: Layer<R::Key, C> = Layer::of(R::empty());
        for (done, step) in program.steps.iter().enumerate() {
            layer = layer.advance::<R>(step, self.threads, self.watch)?;
            self.watch.step(super::order::states(step.frontier, done + 1));
            #[cfg(test)]
            if self.corrupt && done == 0 {
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
        let place = |v: usize| between.iter().position(|&b| b == v).unwrap_or(0);
        let moved = |map: &Vec<usize>| between.iter().map(|&v| place(map[v])).collect();
        let alike = Alike {
            between: between.len(),
            mirror: cut.mirror.as_ref().map(moved),
            keep: cut.keep.as_ref().map(moved),
        };
        let one = self.carry_out::<R, C>(&programs[0])?;
        let parts = (one.len() / PART).next_power_of_two();
        let slots = |left: &[(usize, usize)]| -> Vec<Option<usize>> {
            let slot = |&v: &usize| left.iter().find(|l| l.0 == v).map(|l| l.1);
            between.iter().map(slot).collect()
        };
        let first = self.deal::<R, C>(&one, &slots(&programs[0].left), &alike, parts, false)?;
        let second = if let Some(map) = &cut.mirror {
            let left: Vec<_> = programs[0].left.iter().map(|l| (map[l.0], l.1)).collect();
            self.deal::<R, C>(&one, &slots(&left), &alike, parts, true)?
        } else {
            drop(one);
            let other = self.carry_out::<R, C>(&programs[1])?;
            self.deal::<R, C>(&other, &slots(&programs[1].left), &alike, parts, true)?
        };
        self.match_up::<R, C>(first, second, &alike)
    }

    /// Deals states into parts by their degrees, the slots numbered by the vertices between. The
    /// other half's go where the degrees that it needs are.
    fn deal<R: Rule, C: Tally>(
        &self,
        layer: &Layer<R::Key, C>,
        slots: &[Option<usize>],
        alike: &Alike,
        parts: usize,
        other: bool,
    ) -> Result<Dealt<C>, Stop> {
        let next = AtomicUsize::new(0);
        let room = layer.len() / parts / self.threads / alike.most();
        let work = || {
            let mut out: Dealt<C> =
                (0..parts).map(|_| Vec::with_capacity(room + room / 8 + 16)).collect();
            while let Some(part) = layer.parts.get(next.fetch_add(1, Relaxed)) {
                if self.watch.stopped() {
                    break;
                }
                for &(key, tally) in part {
                    let degrees = R::degrees(key, slots);
                    let code = if other { alike.rest(degrees) } else { degrees };
                    if alike.is_first(code) {
                        let part = super::key::mix(code) as usize & (parts - 1);
                        let number = u64::from(R::number(key, slots));
                        out[part].push((code << NUMBER | number, tally));
                    }
                }
            }
            out
        };
        let states = (layer.len() * size_of::<(R::Key, C)>()) as u64;
        let held = (layer.len() / alike.most() * size_of::<(u64, C)>()) as u64;
        self.watch.hold(states + 2 * held)?;
        let mut dealt: Dealt<C> = (0..parts).map(|_| Vec::new()).collect();
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
        first: Dealt<C>,
        second: Dealt<C>,
        alike: &Alike,
    ) -> Result<C::Sum, Stop> {
        let large = pairing::is_large(first.iter().map(Vec::len).sum());
        let pairs: Vec<_> = first.into_iter().zip(second).map(Mutex::new).collect();
        let (next, tables) = (AtomicUsize::new(0), Tables::default());
        let work = || {
            let mut sum = C::Sum::default();
            while let Some(pair) = pairs.get(next.fetch_add(1, Relaxed)) {
                let (mut one, mut other) =
                    std::mem::take(&mut *pair.lock().unwrap_or_else(|e| e.into_inner()));
                one.sort_unstable_by_key(|s| s.0);
                other.sort_unstable_by_key(|s| s.0);
                let mut others = other.chunk_by(|a, b| a.0 >> NUMBER == b.0 >> NUMBER).peekable();
                for group in one.chunk_by(|a, b| a.0 >> NUMBER == b.0 >> NUMBER) {
                    let code = group[0].0 >> NUMBER;
                    while others.next_if(|others| others[0].0 >> NUMBER < code).is_some() {}
                    let Some(partners) = others.next_if(|o| o[0].0 >> NUMBER == code) else {
                        continue;
                    };
                    if self.watch.stopped() {
                        return sum;
                    }
                    let mut joined = C::Sum::default();
                    R::join(&tables, code, (&bare(group), &bare(partners)), large, &mut joined);
                    C::repeat(&mut sum, joined, alike.count(code));
                }
            }
            sum
        };
        let sums = on_threads(self.threads, &work);
        self.watch.poll()?;
        let mut total = C::Sum::default();
        sums.into_iter().for_each(|sum| C::repeat(&mut total, sum, 1));
        Ok(total)
    }
}

/// What is alike at a cut: degrees for which two mirrored or symmetric halves have equal pairs.
struct Alike {
    between: usize,
    /// Where the mirror takes the places of the cut, if the second half is an image of the first.
    mirror: Option<Vec<usize>>,
    /// Where a symmetry of either half takes them.
    keep: Option<Vec<usize>>,
}

impl Alike {
    /// The degrees that the other half must have, and back.
    fn rest(&self, code: u64) -> u64 {
        (0xaaaa_aaaa_aaaa_aaaa & ((1 << (2 * self.between)) - 1)) - code
    }

    fn images(&self, code: u64) -> [u64; 4] {
        let moved = |map: &Vec<usize>, code: u64| {
            let to = map.iter().enumerate();
            to.fold(0, |moved, (from, to)| moved | (code >> (2 * from) & 3) << (2 * to))
        };
        let keep = |code| self.keep.as_ref().map_or(code, |map| moved(map, code));
        // What the first half does, its image does in the second, and needs the rest in the first.
        let swap = |code| self.mirror.as_ref().map_or(code, |map| self.rest(moved(map, code)));
        [code, keep(code), swap(code), swap(keep(code))]
    }

    /// Whether no degrees that are alike come before these.
    fn is_first(&self, code: u64) -> bool {
        self.images(code).iter().all(|&image| code <= image)
    }

    /// How many degrees are alike.
    fn count(&self, code: u64) -> u32 {
        let mut images = self.images(code);
        images.sort_unstable();
        1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
    }

    /// How many may be.
    fn most(&self) -> usize {
        (1 + usize::from(self.mirror.is_some())) * (1 + usize::from(self.keep.is_some()))
    }
}

/// Pairings and tallies alone.
fn bare<C: Copy>(group: &[(u64, C)]) -> Vec<(u32, C)> {
    group.iter().map(|s| ((s.0 & ((1 << NUMBER) - 1)) as u32, s.1)).collect()
}

/// States in parts: the degrees that the first half has, then the number of the pairing.
type Dealt<C> = Vec<Vec<(u64, C)>>;

/// Bits of the number of a pairing: 17!! < 2^26.
const NUMBER: u32 = 26;
/// Most vertices between two halves: two bits each and a number fit into a word.
pub(super) const BETWEEN: usize = 2 * pairing::PAIRS;
