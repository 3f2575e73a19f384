//! Linear recurrences of integer sequences, such as the counts of boards with one width.
//!
//! The counts for boards of a fixed width come from powers of a matrix, so they obey a linear recurrence; its
//! order is not known beforehand. The Berlekamp-Massey algorithm finds the shortest recurrence of the terms
//! modulo a prime. The shortest recurrence of an integer sequence has integer coefficients (Fatou's lemma);
//! they are reconstructed from their residues modulo several primes and then checked on every term without a
//! modulus. The result is a conjecture: a recurrence of order L is determined by 2L terms, and further terms
//! can confirm it.
//!
//! Source: Massey (1969). Cost: quadratic in the number of terms, per prime. Limits: a recurrence is returned
//! only if it is confirmed by at least four terms, and by at least a quarter as many terms as its order.

use num_bigint::{BigInt, BigUint, Sign};
use std::fmt;

/// Primes below 2^63, so that the sum of two residues fits into a word.
const PRIMES: [u64; 6] = [
    9_223_372_036_854_775_783,
    9_223_372_036_854_775_643,
    9_223_372_036_854_775_549,
    9_223_372_036_854_775_507,
    9_223_372_036_854_775_433,
    9_223_372_036_854_775_421,
];

/// A conjectured linear recurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// The coefficients of the preceding terms, nearest term first.
    pub coefficients: Vec<BigInt>,
    /// Number of terms that obey the recurrence and were not needed to find it.
    pub confirmed: usize,
}

impl Recurrence {
    /// Finds the shortest recurrence that all terms obey, if enough of them confirm it.
    pub fn find(terms: &[BigUint]) -> Option<Recurrence> {
        if terms.iter().all(|term| *term == BigUint::ZERO) {
            return None;
        }
        let (mut combined, mut modulus) = (Vec::<BigUint>::new(), BigUint::from(1u32));
        for prime in PRIMES {
            let residues: Vec<u64> = terms.iter().map(|term| residue(term, prime)).collect();
            let shortest = berlekamp_massey(&residues, prime);
            let confirmed = terms.len().checked_sub(2 * shortest.len())?;
            if confirmed < (shortest.len() / 4).max(4) {
                return None;
            }
            if combined.is_empty() {
                combined = vec![BigUint::ZERO; shortest.len()];
            } else if combined.len() != shortest.len() {
                return None;
            }
            for (known, &more) in combined.iter_mut().zip(&shortest) {
                *known = joined(known, &modulus, more, prime);
            }
            modulus *= prime;
            let coefficients: Vec<BigInt> =
                combined.iter().map(|value| nearest_to_zero(value, &modulus)).collect();
            let found = Recurrence { coefficients, confirmed };
            if found.holds(terms) {
                return Some(found);
            }
        }
        None
    }

    /// Returns the order of the recurrence: the number of preceding terms that determine a term.
    pub fn order(&self) -> usize {
        self.coefficients.len()
    }

    /// Returns whether the terms obey the recurrence.
    pub fn holds(&self, terms: &[BigUint]) -> bool {
        terms.windows(self.order() + 1).all(|window| {
            let (before, last) = window.split_at(self.order());
            let factors = self.coefficients.iter().zip(before.iter().rev());
            let sum: BigInt = factors.map(|(c, t)| c * BigInt::from(t.clone())).sum();
            sum == BigInt::from(last[0].clone())
        })
    }

    /// Writes the recurrence as a formula; `step` is the distance between the indices of consecutive terms.
    pub fn formula(&self, step: u64) -> String {
        let mut text = String::from("a(n) =");
        for (back, factor) in self.coefficients.iter().enumerate() {
            let (sign, size) = (factor.sign(), factor.magnitude());
            let first = text.ends_with('=');
            text += match (sign, first) {
                (Sign::NoSign, _) => continue,
                (Sign::Plus, true) => " ",
                (Sign::Minus, true) => " -",
                (Sign::Plus, false) => " + ",
                (Sign::Minus, false) => " - ",
            };
            if *size != BigUint::from(1u32) {
                text += &format!("{size} ");
            }
            text += &format!("a(n-{})", (back as u64 + 1) * step);
        }
        text
    }
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.formula(1))
    }
}

fn residue(number: &BigUint, prime: u64) -> u64 {
    let rest = number % prime;
    rest.iter_u64_digits().next().unwrap_or(0)
}

fn times(a: u64, b: u64, prime: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(prime)) as u64
}

fn inverse(a: u64, prime: u64) -> u64 {
    let (mut power, mut base, mut rest) = (1, a, prime - 2);
    while rest > 0 {
        if rest & 1 == 1 {
            power = times(power, base, prime);
        }
        base = times(base, base, prime);
        rest >>= 1;
    }
    power
}

/// Returns the number that is `known` modulo `modulus` and `more` modulo `prime`.
fn joined(known: &BigUint, modulus: &BigUint, more: u64, prime: u64) -> BigUint {
    let (here, step) = (residue(known, prime), residue(modulus, prime));
    let missing = (more + prime - here) % prime;
    known + modulus * times(missing, inverse(step, prime), prime)
}

/// Returns the representative of a residue that is nearest to zero.
fn nearest_to_zero(value: &BigUint, modulus: &BigUint) -> BigInt {
    let value = BigInt::from(value.clone());
    let modulus = BigInt::from(modulus.clone());
    if &value * 2 > modulus { value - modulus } else { value }
}

/// Returns the shortest recurrence of the terms modulo a prime, as the coefficients of the preceding terms,
/// nearest term first.
fn berlekamp_massey(terms: &[u64], prime: u64) -> Vec<u64> {
    let mut shortest: Vec<u64> = Vec::new();
    // The recurrence before the last change of length, where it failed, and by how much.
    let mut former: Option<(Vec<u64>, usize, u64)> = None;
    for (at, &term) in terms.iter().enumerate() {
        let value = shortest.iter().enumerate().fold(0, |sum, (back, &factor)| {
            (sum + times(factor, terms[at - 1 - back], prime)) % prime
        });
        let error = (term + prime - value) % prime;
        if error == 0 {
            continue;
        }
        let Some((old, failed, by)) = &former else {
            former = Some((Vec::new(), at, error));
            shortest = vec![0; at + 1];
            continue;
        };
        let ratio = times(error, inverse(*by, prime), prime);
        let mut next = shortest.clone();
        let lag = at - failed - 1;
        next.resize(next.len().max(lag + 1 + old.len()), 0);
        next[lag] = (next[lag] + ratio) % prime;
        for (place, &factor) in next[lag + 1..].iter_mut().zip(old) {
            *place = (*place + prime - times(ratio, factor, prime)) % prime;
        }
        if next.len() > shortest.len() {
            former = Some((shortest, at, error));
        }
        shortest = next;
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn extended(coefficients: &[i64], first: &[u64], len: usize) -> Vec<BigUint> {
        let mut terms: Vec<BigInt> = first.iter().map(|&n| n.into()).collect();
        while terms.len() < len {
            let before = terms.iter().rev().zip(coefficients);
            terms.push(before.map(|(term, &c)| term * c).sum());
        }
        terms.into_iter().map_while(|term| term.to_biguint()).collect()
    }

    #[test]
    fn fibonacci_numbers_obey_theirs() {
        let found = Recurrence::find(&extended(&[1, 1], &[0, 1], 12)).unwrap();
        assert_eq!((found.to_string().as_str(), found.confirmed), ("a(n) = a(n-1) + a(n-2)", 8));
        assert_eq!(found.formula(2), "a(n) = a(n-2) + a(n-4)");
    }

    #[test]
    fn too_few_terms_confirm_nothing() {
        assert_eq!(Recurrence::find(&extended(&[1, 1], &[0, 1], 7)), None);
        assert_eq!(Recurrence::find(&[]), None);
        assert_eq!(Recurrence::find(&vec![BigUint::ZERO; 40]), None);
    }

    #[test]
    fn coefficients_beyond_one_prime_are_rebuilt() {
        let large = i64::MAX - 7;
        let found = Recurrence::find(&extended(&[large, 0, large], &[1, 2, 3], 12)).unwrap();
        assert_eq!(found.coefficients, [large, 0, large].map(BigInt::from));
    }

    #[test]
    fn squares_of_primes_obey_none() {
        let terms = (2u32..60).filter(|n| (2..*n).all(|d| n % d > 0)).map(|n| n * n);
        assert_eq!(Recurrence::find(&terms.map(BigUint::from).collect::<Vec<_>>()), None);
    }

    proptest! {
        #[test]
        fn a_recurrence_is_found_again(
            coefficients in prop::collection::vec(0i64..50, 1..6),
            first in prop::collection::vec(0u64..1000, 6),
        ) {
            let terms = extended(&coefficients, &first[..coefficients.len()], 24);
            prop_assume!(terms.iter().any(|term| *term != BigUint::ZERO));
            let found = Recurrence::find(&terms).unwrap();
            prop_assert!(found.order() <= coefficients.len());
            prop_assert!(found.holds(&terms));
        }

        #[test]
        fn a_changed_term_is_noticed(at in 0usize..24, by in 1u32..1000) {
            let mut terms = extended(&[3, 1, 2], &[1, 1, 5], 24);
            let known = Recurrence::find(&terms).unwrap();
            terms[at] += by;
            prop_assert!(!known.holds(&terms));
        }
    }
}
