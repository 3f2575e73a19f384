//! Sealed files: sections of bytes and a note, protected by checksums. A sealed file is either complete or
//! absent.
//!
//! ```text
//! magic │ section … section │ table: length and checksum of each │ note (JSON)
//!       │ number of sections: u64 │ length of note: u64 │ checksum of table and note: u64 │ magic
//! ```
//!
//! Numbers are little-endian; checksums are XXH3 with 64 bits. They miss an accidental change with
//! probability 2^-64, and they do not detect forgery. Every byte is covered by a checksum or compared with
//! its expected value.

use super::StoreError;
use super::monitor::JobMonitor;
use crate::durable::DurableFile;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const MAGIC: &[u8; 8] = b"hippo\0\r\n";
/// Size in bytes of the fixed tail: number of sections, length of the note, checksum and magic.
const TAIL: u64 = 32;

/// The position and checksum of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Offset of the section's first byte in the file.
    pub offset: u64,
    /// Length of the section in bytes.
    pub length: u64,
    /// XXH3 checksum of the section.
    pub checksum: u64,
}

/// A writer of a sealed file, which writes the sections one by one and then the note.
pub struct SealedWriter<'w> {
    out: DurableFile,
    watch: JobMonitor<'w>,
    hash: Xxh3,
    length: u64,
    table: Vec<u8>,
}

impl<'w> SealedWriter<'w> {
    pub(super) fn new(path: &Path, watch: JobMonitor<'w>) -> Result<SealedWriter<'w>, StoreError> {
        let mut out = DurableFile::create(path)?;
        out.write_all(MAGIC).map_err(StoreError::io("write", path))?;
        Ok(SealedWriter { out, watch, hash: Xxh3::new(), length: 0, table: Vec::new() })
    }

    /// Returns the final name of the file.
    pub fn path(&self) -> &Path {
        self.out.path()
    }

    /// Appends bytes to the current section.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        self.out.write_all(bytes).map_err(StoreError::io("write", self.out.path()))
    }

    /// Syncs the bytes written so far.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.out.sync().map_err(StoreError::io("sync", self.out.path()))
    }

    /// Ends the current section and begins the next.
    pub fn end_section(&mut self) {
        self.table.extend(self.length.to_le_bytes());
        self.table.extend(self.hash.digest().to_le_bytes());
        (self.hash, self.length) = (Xxh3::new(), 0);
    }

    /// Opens the sections written so far for reading, before the file is complete.
    pub(super) fn so_far(&mut self) -> Result<Sealed, StoreError> {
        self.out.flush().map_err(StoreError::io("write", self.out.path()))?;
        let path = self.out.temporary_path().to_path_buf();
        let (sections, _) = sections(&self.table).ok_or_else(|| StoreError::damaged(&path, CUT))?;
        Ok(Sealed { path, note: Value::Null, sections })
    }

    /// Makes another writer for the same file, to replace this one.
    pub(super) fn replacement(&self) -> Result<SealedWriter<'w>, StoreError> {
        SealedWriter::new(self.out.path(), self.watch)
    }

    /// Ends the last section if it is not empty, writes the note, and syncs and renames the file.
    pub(super) fn seal(mut self, note: &Value) -> Result<(), StoreError> {
        if self.length > 0 {
            self.end_section();
        }
        let sections = self.table.len() as u64 / 16;
        let mut end = std::mem::take(&mut self.table);
        let note = note.to_string();
        end.extend(note.as_bytes());
        let checksum = xxh3_64(&end);
        for number in [sections, note.len() as u64, checksum] {
            end.extend(number.to_le_bytes());
        }
        end.extend(MAGIC);
        self.out.write_all(&end).map_err(StoreError::io("write", self.out.path()))?;
        Ok(self.watch.finish(self.out)?)
    }
}

/// A sealed file whose section table and note have been verified.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// Path of the file.
    pub path: PathBuf,
    /// The note, in JSON.
    pub note: Value,
    /// The sections; reading one verifies its checksum.
    pub sections: Vec<Section>,
}

const CUT: &str = "it is truncated";

fn number(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

/// Parses the table of sections; also returns the end of the last section.
fn sections(table: &[u8]) -> Option<(Vec<Section>, u64)> {
    let mut offset = MAGIC.len() as u64;
    let mut sections = Vec::with_capacity(table.len() / 16);
    for entry in table.chunks_exact(16) {
        let (length, checksum) = (number(&entry[..8]), number(&entry[8..]));
        sections.push(Section { offset, length, checksum });
        offset = offset.checked_add(length)?;
    }
    Some((sections, offset))
}

impl Sealed {
    /// Opens a file; returns `None` if it does not exist.
    pub fn open(path: &Path) -> Result<Option<Sealed>, StoreError> {
        let failed = || StoreError::io("read", path);
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(failed()(e)),
        };
        let length = file.metadata().map_err(failed())?.len();
        let short = || StoreError::damaged(path, CUT);
        let magic = MAGIC.len() as u64;
        let body = length.checked_sub(magic + TAIL).ok_or_else(short)?;
        let mut read = |from: u64, bytes: &mut [u8]| {
            file.seek(SeekFrom::Start(from))
                .and_then(|_| file.read_exact(bytes))
                .map_err(StoreError::io("read", path))
        };
        let (mut head, mut tail) = ([0; 8], [0; TAIL as usize]);
        read(0, &mut head)?;
        read(length - TAIL, &mut tail)?;
        if &head != MAGIC || &tail[24..] != MAGIC {
            return Err(StoreError::damaged(path, "its first or last bytes are wrong"));
        }
        let [count, note, checksum] = [0, 8, 16].map(|at| number(&tail[at..at + 8]));
        let table = count.checked_mul(16).filter(|&t| t <= body).ok_or_else(short)?;
        let end = table.checked_add(note).filter(|&e| e <= body).ok_or_else(short)?;
        let mut bytes = vec![0; end as usize];
        read(length - TAIL - end, &mut bytes)?;
        if xxh3_64(&bytes) != checksum {
            return Err(StoreError::damaged(path, "the checksum of its table is wrong"));
        }
        let (sections, offset) = sections(&bytes[..table as usize]).ok_or_else(short)?;
        if offset != length - TAIL - end {
            return Err(StoreError::damaged(path, "its sections do not add up to its length"));
        }
        let note = serde_json::from_slice(&bytes[table as usize..])
            .map_err(|_| StoreError::damaged(path, "its note is not JSON"))?;
        Ok(Some(Sealed { path: path.to_path_buf(), note, sections }))
    }

    /// Makes a reader of one section. The reader opens the file again for every piece of `piece` bytes, so
    /// any number of files can be read at the same time.
    pub fn section(&self, index: usize, piece: usize) -> SectionReader {
        let section = self.sections[index];
        SectionReader { path: self.path.clone(), section, read: 0, piece, hash: Xxh3::new() }
    }

    /// Reads all bytes of one section.
    pub fn bytes(&self, index: usize) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.section(index, usize::MAX).next_piece(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads the whole file and verifies its checksums.
    pub fn verify(&self) -> Result<(), StoreError> {
        let mut piece = Vec::new();
        for index in 0..self.sections.len() {
            let mut reader = self.section(index, 1 << 20);
            while reader.next_piece(&mut piece)? {}
        }
        Ok(())
    }
}

/// A reader of a section, piece by piece; the last piece is returned only if the checksum of the section is
/// correct.
pub struct SectionReader {
    path: PathBuf,
    section: Section,
    read: u64,
    piece: usize,
    hash: Xxh3,
}

impl SectionReader {
    /// Replaces `bytes` with the next piece; returns false if there is none.
    pub fn next_piece(&mut self, bytes: &mut Vec<u8>) -> Result<bool, StoreError> {
        let left = self.section.length - self.read;
        if left == 0 {
            bytes.clear();
            return Ok(false);
        }
        bytes.resize(left.min(self.piece as u64) as usize, 0);
        let at = SeekFrom::Start(self.section.offset + self.read);
        let read = File::open(&self.path)
            .and_then(|mut file| file.seek(at).and_then(|_| file.read_exact(bytes)));
        read.map_err(StoreError::io("read", &self.path))?;
        self.hash.update(bytes);
        self.read += bytes.len() as u64;
        if self.read == self.section.length && self.hash.digest() != self.section.checksum {
            return Err(StoreError::damaged(&self.path, "the checksum of a section is wrong"));
        }
        Ok(true)
    }
}
