//! The numbering of a sweep's states. The numbers are small enough to index a bitmap, and mirror images have
//! the same number.

/// Bit position in a key at which the number of decided ends begins.
pub(super) const ENDS_AT: u32 = 62;

/// A numbering of states: the digits of their squares in base 3, then the number of ends. A state and its
/// mirror image have the same number.
pub(super) struct StateRanking {
    /// The amount that each byte of a key adds to the number: one table per byte, indexed by the byte's
    /// value.
    plain: Vec<[u32; 256]>,
    mirrored: Option<Vec<[u32; 256]>>,
    /// Number of combinations of digits, reachable or not.
    size: u32,
    /// One table of keys for each group of eight digits; the key of a number combines one entry of each
    /// table.
    keys: Vec<Vec<u64>>,
}

/// Number of digits converted at a time: two tables of 6561 keys cover 16 digits and fit into a cache.
const CHUNK: usize = 8;
const CHUNK_SIZE: u32 = 3u32.pow(CHUNK as u32);

impl StateRanking {
    /// Makes a numbering from the bit positions of the squares in the key, and those of their mirror images.
    pub(super) fn new(period: usize, shifts: Vec<u32>, mirrored: Option<Vec<u32>>) -> StateRanking {
        let tables = |shifts: Vec<u32>| {
            let mut tables = vec![[0; 256]; period.div_ceil(4)];
            for (power, shift) in shifts.iter().enumerate() {
                for (byte, share) in tables[*shift as usize / 8].iter_mut().enumerate() {
                    *share += 3u32.pow(power as u32) * (byte as u32 >> (shift % 8) & 3);
                }
            }
            tables
        };
        let keys = shifts.chunks(CHUNK).map(|shifts| {
            let key = |mut number: u32| {
                shifts.iter().fold(0, |key, shift| {
                    let digit = u64::from(number % 3);
                    number /= 3;
                    key | digit << shift
                })
            };
            (0..3u32.pow(shifts.len() as u32)).map(key).collect()
        });
        StateRanking {
            size: 3u32.pow(shifts.len() as u32),
            keys: keys.collect(),
            plain: tables(shifts),
            mirrored: mirrored.map(tables),
        }
    }

    /// Returns whether mirror images have the same number.
    pub(super) fn is_mirrored(&self) -> bool {
        self.mirrored.is_some()
    }

    /// Returns an exclusive upper bound on the numbers if there are `ends` ends to choose.
    pub(super) fn size(&self, ends: u64) -> usize {
        self.size as usize * (ends as usize + 1)
    }

    #[inline]
    fn read(tables: &[[u32; 256]], key: u64) -> u32 {
        let bytes = tables.iter().enumerate();
        bytes.map(|(i, table)| table[(key >> (8 * i) & 255) as usize]).sum()
    }

    /// Returns the number of a state, and whether the number was computed from its mirror image.
    #[inline]
    pub(super) fn number(&self, key: u64) -> (u32, bool) {
        let ends = (key >> ENDS_AT) as u32 * self.size;
        let plain = StateRanking::read(&self.plain, key);
        match &self.mirrored {
            Some(tables) => {
                let mirrored = StateRanking::read(tables, key);
                (plain.min(mirrored) + ends, mirrored < plain)
            }
            None => (plain + ends, false),
        }
    }

    /// Returns the state with a given number.
    pub(super) fn key(&self, number: u32) -> u64 {
        let ends = u64::from(number / self.size) << ENDS_AT;
        let mut rest = number % self.size;
        self.keys.iter().fold(ends, |key, part| {
            let digits = rest % CHUNK_SIZE;
            rest /= CHUNK_SIZE;
            key | part[digits as usize]
        })
    }
}
