//! The seal of a table: checksums of its contents, stored where Parquet readers do not look.
//!
//! A Parquet file ends with a footer that describes its rows, and the last eight bytes contain the footer's
//! length. Parquet readers ignore bytes between the last row and the footer. The seal is stored there:
//! ```text
//! checksum of each row group │ number of groups: u64
//!       │ checksum of the fields before and of all bytes after the seal: u64 │ magic
//! ```
//!
//! Numbers are little-endian; checksums are XXH3 with 64 bits. The footer is verified before it is parsed,
//! and a row group before it is decoded, so damaged bytes never reach the decoder. A few rows of a large
//! table can be read and verified without reading the whole table.

use crate::store::StoreError;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

const MAGIC: &[u8; 8] = b"\r\nhippo\0";
/// The first and last bytes of a Parquet file.
pub(super) const PARQUET: &[u8; 4] = b"PAR1";
/// Size in bytes of the end of the file: the length of the footer and the magic.
const TAIL: u64 = 8;
/// Size in bytes of the fixed fields of the seal: the number of groups, the checksum and the magic.
const FIXED: u64 = 24;

/// A writer that either passes bytes on or holds them back.
pub(super) struct HeldBack<W> {
    pub(super) out: W,
    pub(super) held: Option<Vec<u8>>,
}

impl<W: Write> Write for HeldBack<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) => held.write(bytes),
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Makes the seal for row groups with these checksums and for the bytes that will follow the seal.
pub(super) fn seal(groups: &[u64], end: &[u8]) -> Vec<u8> {
    let mut seal: Vec<u8> = groups.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    seal.extend((groups.len() as u64).to_le_bytes());
    let mut hash = Xxh3::new();
    hash.update(&seal);
    hash.update(end);
    seal.extend(hash.digest().to_le_bytes());
    seal.extend(MAGIC);
    seal
}

/// The seal of a file, with everything after the rows verified.
pub(super) struct Seal {
    /// Checksums of the row groups.
    pub(super) groups: Vec<u64>,
    /// Offset of the seal in the file, where the rows end.
    pub(super) offset: u64,
}

impl Seal {
    /// Reads the seal of a file and verifies everything after it.
    pub(super) fn read(file: &mut File, path: &Path) -> Result<Seal, StoreError> {
        let failed = || StoreError::io("read", path);
        let damaged = |what: &str| super::unread(&what, path);
        let length = file.metadata().map_err(failed())?.len();
        let mut bytes_at = |at: u64, bytes: &mut [u8]| {
            let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes));
            read.map_err(failed())
        };
        let mut head = [0; PARQUET.len()];
        let short = length.min(PARQUET.len() as u64) as usize;
        bytes_at(0, &mut head[..short])?;
        if length < head.len() as u64 + TAIL {
            return Err(match short > 0 && head[..short] == PARQUET[..short] {
                true => damaged("it is truncated"),
                false => StoreError::NotTours(path.display().to_string()),
            });
        }
        let mut tail = [0; TAIL as usize];
        bytes_at(length - TAIL, &mut tail)?;
        match (&head == PARQUET, &tail[4..] == PARQUET) {
            (true, true) => {}
            (false, false) => return Err(StoreError::NotTours(path.display().to_string())),
            (true, false) => return Err(damaged("it is truncated, or its last bytes are altered")),
            (false, true) => return Err(damaged("its first bytes are altered")),
        }
        let described = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        let unsealed = || damaged("it has no Hippodrome seal");
        let end = length.checked_sub(TAIL + described).ok_or_else(unsealed)?;
        let fixed_at = end.checked_sub(FIXED).ok_or_else(unsealed)?;
        let mut fixed = [0; FIXED as usize];
        bytes_at(fixed_at, &mut fixed)?;
        if &fixed[16..] != MAGIC {
            return Err(unsealed());
        }
        let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        let offset = number(&fixed[..8]).checked_mul(8).and_then(|sums| fixed_at.checked_sub(sums));
        let wrong = || damaged("the checksum of its end is wrong");
        let offset = offset.ok_or_else(wrong)?;
        let mut bytes = vec![0; (length - offset) as usize];
        bytes_at(offset, &mut bytes)?;
        let sums = (fixed_at - offset) as usize;
        let groups: Vec<u64> = bytes[..sums].chunks_exact(8).map(number).collect();
        if seal(&groups, &bytes[sums + FIXED as usize..]) != bytes[..sums + FIXED as usize] {
            return Err(wrong());
        }
        Ok(Seal { groups, offset })
    }
}

/// Returns the checksum of consecutive pieces of bytes.
pub(super) fn sum<'b>(pieces: impl Iterator<Item = &'b [u8]>) -> u64 {
    let mut hash = Xxh3::new();
    pieces.for_each(|piece| hash.update(piece));
    hash.digest()
}

/// Returns the checksum of a range of a file.
pub(in crate::store) fn sum_of(mut file: &File, (from, length): (u64, u64)) -> io::Result<u64> {
    file.seek(SeekFrom::Start(from))?;
    let mut hash = Xxh3::new();
    let mut piece = vec![0; (1 << 20).min(length as usize)];
    let mut left = length;
    while left > 0 {
        let now = left.min(piece.len() as u64) as usize;
        file.read_exact(&mut piece[..now])?;
        hash.update(&piece[..now]);
        left -= now as u64;
    }
    Ok(hash.digest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn a_seal_detects_every_altered_byte() {
        let end = b"what a file ends with";
        let good = seal(&[7, xxh3_64(b"rows")], end);
        assert_eq!(good.len(), 2 * 8 + FIXED as usize);
        assert_ne!(good, seal(&[7, xxh3_64(b"rows")], b"What a file ends with"));
        assert_ne!(good, seal(&[6, xxh3_64(b"rows")], end));
        assert_eq!(sum([&b"ro"[..], b"ws"].into_iter()), xxh3_64(b"rows"));
    }
}
