//! Numbers for people.

/// Digits in groups of three: `6,637,920`.
pub fn grouped(number: u64) -> String {
    grouped_digits(&number.to_string())
}

/// The same for a number of any length, given as its digits.
pub fn grouped_digits(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 tour`, `2,000 tours`.
pub fn counted(number: u64, thing: &str) -> String {
    let plural = match (number, thing) {
        (1, _) => String::new(),
        (_, "vertex") => return format!("{} vertices", grouped(number)),
        _ => "s".into(),
    };
    format!("{} {thing}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (6_637_920, "6,637,920")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn one_thing_is_not_many() {
        assert_eq!(counted(1, "tour"), "1 tour");
        assert_eq!(counted(0, "attempt"), "0 attempts");
        assert_eq!(counted(1200, "vertex"), "1,200 vertices");
    }
}
