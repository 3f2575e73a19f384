//! Numbers formatted for people: grouped digits, counted nouns, bytes and times.

/// Formats a number with its digits in groups of three, as in `6,637,920`.
pub fn grouped(number: u64) -> String {
    grouped_digits(&number.to_string())
}

/// Returns the digits of a number of any length in groups of three.
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

/// Formats a number of things with grouped digits, as in `1 tour` or `2,000 tours`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {}", grouped(number), plural(number, thing))
}

/// Returns the noun that fits a number of things: `tour` for 1, otherwise `tours`.
pub fn plural(number: u64, thing: &str) -> String {
    match (number, thing) {
        (1, _) => thing.into(),
        (_, "vertex") => "vertices".into(),
        _ => format!("{thing}s"),
    }
}

/// Formats a number of bytes in binary units, as in `3.7 GiB`.
pub fn in_bytes(bytes: u128) -> String {
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let power = (bytes.ilog2() / 10).min(5);
    let unit = ["KiB", "MiB", "GiB", "TiB", "PiB"][power as usize - 1];
    format!("{:.1} {unit}", bytes as f64 / f64::from(10 * power).exp2())
}

/// Formats a measured time, as in `12.5 µs`, `3.0 ms` or `1.25 s`.
pub fn in_time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Formats an estimated time in whole units, as in `40 s`, `12 min` or `3 h`.
pub fn guessed_time(seconds: f64) -> String {
    match seconds {
        ..1.0 => "less than a second".into(),
        1.0..100.0 => format!("{seconds:.0} s"),
        100.0..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}

/// Formats a long time, with minutes and hours spelled out, as in `40 s`, `12 minutes` or `3.5 hours`.
pub fn long_time(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{} s", s.ceil()),
        s if s < 5400.0 => format!("{:.0} minutes", s / 60.0),
        s => format!("{:.1} hours", s / 3600.0),
    }
}

/// Formats a number in short form for an axis label, as in `200k`, `1.5M`, `0.05` or `1e-6`.
pub fn short(value: f64) -> String {
    let size = value.abs();
    let trimmed = |value: f64, digits: usize| {
        let text = format!("{value:.digits$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    };
    match size {
        0.0 => "0".into(),
        _ if size >= 1e12 => format!("{value:.0e}"),
        _ if size >= 1e9 => trimmed(value / 1e9, 2) + "G",
        _ if size >= 1e6 => trimmed(value / 1e6, 2) + "M",
        _ if size >= 1e4 => trimmed(value / 1e3, 2) + "k",
        _ if size >= 1.0 => trimmed(value, 2),
        _ if size >= 9.9e-4 => trimmed(value, 4),
        _ => format!("{value:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_in_threes() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (6_637_920, "6,637,920")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(counted(1, "tour"), "1 tour");
        assert_eq!(counted(0, "attempt"), "0 attempts");
        assert_eq!(counted(1200, "vertex"), "1,200 vertices");
    }

    #[test]
    fn bytes_have_the_unit_that_leaves_them_below_1024() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (3 << 29, "1.5 GiB"),
            (1 << 50, "1.0 PiB"),
            (1 << 70, "1048576.0 PiB"),
        ] {
            assert_eq!(in_bytes(bytes), text);
        }
    }

    #[test]
    fn times_have_the_unit_that_suits_their_use() {
        assert_eq!(
            [12.5e-6, 0.003, 1.25, 90.0].map(in_time),
            ["12.5 µs", "3.0 ms", "1.25 s", "90.00 s"]
        );
        let guessed = [0.5, 99.0, 100.0, 7200.0].map(guessed_time);
        assert_eq!(guessed, ["less than a second", "99 s", "2 min", "2 h"]);
        assert_eq!([1.2, 90.0, 5400.0].map(long_time), ["2 s", "2 minutes", "1.5 hours"]);
    }

    #[test]
    fn axis_labels_are_short() {
        let shown = [
            (0.0, "0"),
            (200_000.0, "200k"),
            (1_500_000.0, "1.5M"),
            (10.0, "10"),
            (1000.0, "1000"),
            (0.05, "0.05"),
            (1e-6, "1e-6"),
            (2e9, "2G"),
            (1e13, "1e13"),
        ];
        for (value, text) in shown {
            assert_eq!(short(value), text);
        }
    }
}
