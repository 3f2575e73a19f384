//! The cache of tables on disk, which saves later runs from making the table again.
//!
//! The name of a file is a hash of its sweep. The file contains a header with the version of the format, the
//! sweep's signature, the layers, and a checksum (XXH3, 64 bits) of all preceding bytes. It is written by the
//! module [`durable`](crate::durable). A file that is for another sweep, is truncated or has a wrong checksum
//! is ignored.

use super::arc::PackedArc;
use super::sweep::{Sweep, SweepStep};
use super::table::{CoverLayer, CoverTable};
use crate::durable::{DurableFile, is_unfinished};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// The first bytes of a file. They must change when the format, the packing of arcs or the sweep changes.
const MARK: &[u8; 16] = b"hippodrome-tab-1";
/// Number of words converted at a time; they take 64 KiB. Chosen by hand, not tuned.
const WORDS: usize = 1 << 13;

/// Returns Hippodrome's folder in the system's cache folder: `XDG_CACHE_HOME` or `~/.cache`,
/// `~/Library/Caches` on macOS, `LOCALAPPDATA` on Windows. Returns `None` if the system has no cache folder.
pub fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let home = || variable("HOME").filter(|home| home.is_absolute());
    let caches = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Caches"))
    } else {
        // By the XDG convention, ignore a path that is not absolute.
        let set = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        set.or_else(|| home().map(|home| home.join(".cache")))
    };
    caches.map(|caches| caches.join("hippodrome"))
}

/// Returns the cache file of a sweep.
pub(super) fn path(folder: &Path, sweep: &Sweep) -> PathBuf {
    folder.join(format!("{:032x}.table", xxh3_128(&sweep.signature)))
}

/// Why a table could not be read from the cache.
#[derive(Debug)]
pub(super) enum CacheMiss {
    /// The file does not exist.
    None,
    /// The file exists, but it is damaged.
    Damaged(String),
}

impl From<io::Error> for CacheMiss {
    fn from(error: io::Error) -> CacheMiss {
        match error.kind() {
            io::ErrorKind::NotFound => CacheMiss::None,
            io::ErrorKind::UnexpectedEof => CacheMiss::Damaged("it is truncated".into()),
            _ => CacheMiss::Damaged(error.to_string()),
        }
    }
}

/// Reads the table of a sweep.
pub(super) fn read(path: &Path, sweep: &Sweep) -> Result<CoverTable, CacheMiss> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut from =
        Hashed { inner: BufReader::with_capacity(1 << 20, file), hash: Xxh3::new(), left: size };
    let mut mark = [0; 16];
    from.bytes(&mut mark)?;
    if mark != *MARK {
        return Err(CacheMiss::Damaged("it has another version".into()));
    }
    let mut signature = vec![0; from.length(1)?];
    from.bytes(&mut signature)?;
    if signature != sweep.signature || from.length(0)? != sweep.steps.len() + 1 {
        return Err(CacheMiss::Damaged("it is for another board".into()));
    }
    let mut layers = Vec::new();
    for _ in 0..=sweep.steps.len() {
        let (arcs, low, high) = (from.words()?, from.words()?, from.words()?);
        let mut layer = CoverLayer { arcs, low, high, first: Vec::new() };
        let mut next = 0;
        // The last arc of each state is marked, so the indices of the first arcs need not be stored.
        for state in 0..layer.low.len() {
            layer.first.push(next);
            let ending = |&arc: &u64| PackedArc(arc).is_last();
            let rest = layer.arcs.get(next as usize..).unwrap_or(&[]);
            next += rest.iter().position(ending).map_or(0, |at| at as u32 + 1);
            if next == layer.first[state] && !layer.arcs.is_empty() {
                return Err(CacheMiss::Damaged("its states do not match its arcs".into()));
            }
        }
        layers.push(layer);
    }
    let sound = |(index, step): (usize, &SweepStep)| {
        let after = &layers[index + 1];
        let room = after.arcs.len().max(1);
        let fits = |&arc: &u64| {
            let arc = PackedArc(arc);
            (arc.link() as usize) < room && arc.code() < step.codes()
        };
        layers[index].arcs.iter().all(fits)
    };
    if !sweep.steps.iter().enumerate().all(sound) {
        return Err(CacheMiss::Damaged("its arcs are invalid".into()));
    }
    let hash = from.hash.digest();
    let mut sum = [0; 8];
    if from.left > sum.len() as u64 {
        return Err(CacheMiss::Damaged("it has extra bytes at the end".into()));
    }
    from.inner.read_exact(&mut sum)?;
    if u64::from_le_bytes(sum) != hash {
        return Err(CacheMiss::Damaged("its checksum is wrong".into()));
    }
    Ok(CoverTable::of(layers))
}

/// Writes the table of a sweep; returns the size of the file.
pub(super) fn write(path: &Path, sweep: &Sweep, table: &CoverTable) -> io::Result<u64> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut to = Hashing { inner: DurableFile::lenient(path)?, hash: Xxh3::new() };
    to.bytes(MARK)?;
    to.bytes(&(sweep.signature.len() as u64).to_le_bytes())?;
    to.bytes(&sweep.signature)?;
    to.bytes(&(table.layers.len() as u64).to_le_bytes())?;
    for layer in &table.layers {
        to.words(&layer.arcs)?;
        to.words(&layer.low)?;
        to.words(&layer.high)?;
    }
    let sum = to.hash.digest();
    to.inner.write_all(&sum.to_le_bytes())?;
    to.inner.finish(&|| {})?;
    Ok(fs::metadata(path)?.len())
}

/// A table in the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedTable {
    /// Path of the file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// What the table is for; `None` if the file is damaged or has another version.
    pub content: Option<TableContent>,
}

/// What a table in the cache is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableContent {
    /// Number of squares on its board.
    pub squares: u64,
    /// Whether its tours are open and have at least one free end.
    pub open: bool,
}

/// Lists the tables in a cache folder, sorted by name. A folder that does not exist has no tables.
pub fn list(folder: &Path) -> io::Result<Vec<CachedTable>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut tables = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "table") {
            let bytes = fs::metadata(&path)?.len();
            tables.push(CachedTable { content: content(&path).ok(), path, bytes });
        }
    }
    tables.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(tables)
}

/// Removes the tables of a cache folder, and the temporary files of writers that were killed.
///
/// Returns the number of tables removed and their total size in bytes. Other processes keep the tables that
/// they have in memory. If a process is writing a table at this moment, that table is not kept on disk.
pub fn clear(folder: &Path) -> io::Result<(u64, u64)> {
    let tables = list(folder)?;
    for table in &tables {
        fs::remove_file(&table.path)?;
    }
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry?;
        if is_unfinished(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok((tables.len() as u64, tables.iter().map(|table| table.bytes).sum()))
}

/// Reads from the first words of a table's signature what the table is for.
fn content(path: &Path) -> Result<TableContent, CacheMiss> {
    let mut head = [0; 16 + 8 + 2 * 8];
    File::open(path)?.read_exact(&mut head)?;
    let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap_or_default());
    match head.starts_with(MARK) {
        true => Ok(TableContent { squares: word(24), open: word(32) > 0 }),
        false => Err(CacheMiss::Damaged("it has another version".into())),
    }
}

/// A file being read, with its running hash.
struct Hashed {
    inner: BufReader<File>,
    hash: Xxh3,
    /// Number of bytes not yet read. A length stored in the file is invalid if it exceeds this number.
    left: u64,
}

impl Hashed {
    fn bytes(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.hash.update(bytes);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok(())
    }

    /// Reads the length of a list whose items take `each` bytes.
    fn length(&mut self, each: u64) -> Result<usize, CacheMiss> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        let length = u64::from_le_bytes(bytes);
        match length.checked_mul(each) {
            Some(bytes) if bytes <= self.left => Ok(length as usize),
            _ => Err(CacheMiss::Damaged("it is truncated".into())),
        }
    }

    fn words(&mut self) -> Result<Vec<u64>, CacheMiss> {
        let length = self.length(8)?;
        let mut words = Vec::with_capacity(length);
        let mut bytes = vec![0; 8 * WORDS.min(length)];
        while words.len() < length {
            let take = 8 * WORDS.min(length - words.len());
            self.bytes(&mut bytes[..take])?;
            let chunks = bytes[..take].as_chunks::<8>().0;
            words.extend(chunks.iter().map(|&word| u64::from_le_bytes(word)));
        }
        Ok(words)
    }
}

/// A file being written, with its running hash.
struct Hashing {
    inner: DurableFile,
    hash: Xxh3,
}

impl Hashing {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.inner.write_all(bytes)
    }

    fn words(&mut self, words: &[u64]) -> io::Result<()> {
        self.bytes(&(words.len() as u64).to_le_bytes())?;
        let mut bytes = Vec::with_capacity(8 * WORDS.min(words.len()));
        for chunk in words.chunks(WORDS) {
            bytes.clear();
            chunk.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            self.bytes(&bytes)?;
        }
        Ok(())
    }
}
