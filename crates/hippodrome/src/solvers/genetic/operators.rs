//! Selection by roulette, one-point crossover on bits, and mutation of bits.

use super::chromosome::Gene;
use rand::{Rng, RngExt};

/// A wheel on which each chromosome has a share in proportion to its fitness.
#[derive(Default)]
pub(super) struct Roulette {
    /// Running sums of fitness.
    sums: Vec<u64>,
}

impl Roulette {
    pub(super) fn set(&mut self, fitness: &[u32]) {
        self.sums.clear();
        let mut sum = 0;
        self.sums.extend(fitness.iter().map(|&f| {
            sum += u64::from(f);
            sum
        }));
    }

    /// Draws a chromosome with probability proportional to its fitness; uniformly if all have fitness 0.
    pub(super) fn spin(&self, rng: &mut impl Rng) -> usize {
        match self.sums.last() {
            None | Some(0) => rng.random_range(0..self.sums.len()),
            Some(&total) => {
                let ball = rng.random_range(0..total);
                self.sums.partition_point(|&sum| sum <= ball)
            }
        }
    }
}

/// Returns the item with the least key. For each tie, `replaces` is called with the number n of tied items so
/// far; if it returns true, the new item replaces the current one. Returning true with probability 1/n makes
/// all tied items equally likely.
pub(super) fn least<K: Ord, T>(
    items: impl Iterator<Item = (K, T)>,
    mut replaces: impl FnMut(i32) -> bool,
) -> Option<T> {
    let (mut best, mut equals) = (None, 0);
    for (key, item) in items {
        let better = match &best {
            Some((least, _)) if key > *least => continue,
            Some((least, _)) if key == *least => {
                equals += 1;
                replaces(equals)
            }
            _ => {
                equals = 1;
                true
            }
        };
        if better {
            best = Some((key, item));
        }
    }
    best.map(|(_, item)| item)
}

/// Exchanges the tails after a random point between two bits.
pub(super) fn one_point(one: &mut [Gene], two: &mut [Gene], bits: usize, rng: &mut impl Rng) {
    let point = rng.random_range(1..one.len() * bits);
    let (gene, head) = (point / bits, point % bits);
    let tail = ((1u32 << (bits - head)) - 1) as Gene;
    let differ = (one[gene] ^ two[gene]) & tail;
    one[gene] ^= differ;
    two[gene] ^= differ;
    one[gene + 1..].swap_with_slice(&mut two[gene + 1..]);
}

/// Flips each bit with a fixed probability, by drawing the gaps between flips.
pub(super) struct Mutation {
    rate: f64,
    /// 1 / ln(1 - rate).
    scale: f64,
    /// Bits to skip before the next flip, continued across chromosomes.
    left: u64,
}

impl Mutation {
    pub(super) fn new(rate: f64, rng: &mut impl Rng) -> Mutation {
        let mut mutation = Mutation { rate, scale: 1.0 / (-rate).ln_1p(), left: 0 };
        mutation.left = mutation.gap(rng);
        mutation
    }

    fn gap(&self, rng: &mut impl Rng) -> u64 {
        if self.rate <= 0.0 {
            return u64::MAX;
        }
        // The number is above 0 and at most 1, so its logarithm is finite. A rate of 1 makes the scale 0.
        let chance = ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        (chance.ln() * self.scale) as u64
    }

    /// Mutates a chromosome.
    pub(super) fn apply(&mut self, genes: &mut [Gene], bits: usize, rng: &mut impl Rng) {
        let length = (genes.len() * bits) as u64;
        while self.left < length {
            let at = self.left as usize;
            genes[at / bits] ^= 1 << (bits - 1 - at % bits);
            self.left = self.left.saturating_add(1).saturating_add(self.gap(rng));
        }
        self.left -= length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn rng() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(1)
    }

    #[test]
    fn the_wheel_favours_fitness_in_proportion() {
        let mut wheel = Roulette::default();
        wheel.set(&[0, 10, 30, 0, 60]);
        let (mut rng, mut hits) = (rng(), [0; 5]);
        (0..100_000).for_each(|_| hits[wheel.spin(&mut rng)] += 1);
        assert_eq!((hits[0], hits[3]), (0, 0));
        for (at, expected) in [(1, 10_000i32), (2, 30_000), (4, 60_000)] {
            assert!((hits[at] - expected).abs() < 600, "{hits:?}");
        }
        wheel.set(&[0, 0]);
        assert!((0..50).map(|_| wheel.spin(&mut rng)).any(|at| at == 1));
    }

    #[test]
    fn one_point_crossover_keeps_a_head_and_takes_a_tail() {
        let bit = |genes: &[Gene], at: usize| genes[at / 3] >> (2 - at % 3) & 1;
        let mut points = [0; 192];
        let mut rng = rng();
        for _ in 0..20_000 {
            let (mut one, mut two) = ([0; 64], [7; 64]);
            one_point(&mut one, &mut two, 3, &mut rng);
            let point = (0..192).filter(|&at| bit(&one, at) == 0).count();
            assert!((0..192).all(|at| bit(&one, at) == Gene::from(at >= point)));
            assert!((0..192).all(|at| bit(&two, at) != bit(&one, at)));
            points[point] += 1;
        }
        assert!(points[0] == 0 && points[1..].iter().all(|&n| (50..170).contains(&n)));
    }

    #[test]
    fn bits_are_flipped_at_the_rate_given_and_independently() {
        let mut rng = rng();
        for rate in [0.0, 0.005, 0.01, 0.5, 1.0] {
            let mut mutation = Mutation::new(rate, &mut rng);
            let (rounds, mut flips, mut pairs) = (20_000, [0u32; 15], 0);
            for _ in 0..rounds {
                let mut genes = [0; 5];
                mutation.apply(&mut genes, 3, &mut rng);
                let set: Vec<bool> =
                    (0..15).map(|at| genes[at / 3] >> (2 - at % 3) & 1 == 1).collect();
                set.iter().zip(&mut flips).for_each(|(&set, n)| *n += u32::from(set));
                pairs += set.windows(2).filter(|w| w[0] && w[1]).count();
            }
            let near = |count: f64, p: f64, times: f64| {
                (count - p * times).abs() <= 5.0 * (times * p * (1.0 - p)).sqrt()
            };
            for count in flips {
                assert!(near(f64::from(count), rate, f64::from(rounds)), "{rate}: {flips:?}");
            }
            assert!(near(pairs as f64, rate * rate, 14.0 * f64::from(rounds)), "{rate}: {pairs}");
        }
    }
}
