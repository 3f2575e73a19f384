//! Lists of numbers and ranges, as in 1-24 or 3,5,9-12.

/// Numbers from 1, as ranges in the order given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Parses a list of numbers and ranges; both ends of a range are included.
    pub fn parse(text: &str) -> Result<Ranges, String> {
        let number = |word: &str| match word.trim().parse::<u64>() {
            Ok(0) => Err("numbers start at 1; write them as in 1-24 or 3,5,9".to_string()),
            Ok(number) => Ok(number),
            Err(_) => Err("write numbers and ranges, as in 1-24 or 3,5,9".to_string()),
        };
        let range = |part: &str| match part.split_once('-') {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                match first <= last {
                    true => Ok((first, last)),
                    false => Err(format!("a range runs upwards; write {last}-{first}")),
                }
            }
            None => number(part).map(|n| (n, n)),
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Ranges)
    }

    /// Returns the numbers in the order given.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Returns the largest number.
    pub fn last(&self) -> u64 {
        self.0.iter().map(|range| range.1).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read_in_the_order_given() {
        let read = |text: &str| Ranges::parse(text).map(|all| all.iter().collect::<Vec<_>>());
        assert_eq!(read("3, 5,9-11"), Ok(vec![3, 5, 9, 10, 11]));
        assert_eq!(read("7-7"), Ok(vec![7]));
        assert_eq!(read("24-1"), Err("a range runs upwards; write 1-24".into()));
        for wrong in ["", "x", "1-", "-3", "0", "1,,2", "1-2-3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Ranges::parse("9,1-4").unwrap().last(), 9);
    }
}
