//! Where results go: standard output, or a file that appears whole or not at all.

use crate::fail::Fail;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{error, fmt};

/// Standard output, a device, or a file that appears only when it is complete.
pub struct Output {
    path: Option<String>,
    unfinished: Option<(PathBuf, PathBuf)>,
    writer: BufWriter<Box<dyn Write>>,
    stop: Option<Arc<AtomicBool>>,
}

/// A failed write, with the name of the file that was asked for.
#[derive(Debug)]
pub struct Unwritten {
    /// The file.
    pub path: String,
    /// What went wrong.
    pub error: io::Error,
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.error)
    }
}

impl error::Error for Unwritten {}

impl Output {
    /// Opens the output; binary data is not sent to a terminal.
    pub fn open(path: Option<&str>, binary: bool) -> Result<Output, Fail> {
        let Some(path) = path.filter(|&p| p != "-") else {
            if binary && io::stdout().is_terminal() {
                return Err(Fail::usage(
                    "this format is not for a terminal; write it to a file with -o FILE",
                ));
            }
            return Ok(Output::new(None, None, Box::new(io::stdout().lock())));
        };
        // What a link points to is replaced, not the link; devices and pipes are written to.
        let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        let name = target.file_name().filter(|_| !target.is_dir() && !path.ends_with('/'));
        let Some(name) = name.map(|name| name.to_string_lossy().into_owned()) else {
            return Err(Fail::usage(format!(
                "'{path}' is not the name of a file; give one, as in tour.svg"
            )));
        };
        let (file, unfinished) = if is_device(&target) {
            (File::options().write(true).open(&target), None)
        } else {
            let part = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
            (File::create(&part), Some((part, target)))
        };
        let file = file.map_err(|e| Fail::file("write", path, &e))?;
        Ok(Output::new(Some(path), unfinished, Box::new(file)))
    }

    /// Opens a file for a table that is written beside the results, which standard output takes.
    pub fn beside(path: &str, option: &str) -> Result<Output, Fail> {
        match path {
            "-" => Err(Fail::usage(format!(
                "standard output takes the results; give {option} a file, as in curve.csv"
            ))),
            path => Output::open(Some(path), false),
        }
    }

    fn new(
        path: Option<&str>,
        unfinished: Option<(PathBuf, PathBuf)>,
        writer: Box<dyn Write>,
    ) -> Output {
        let writer = BufWriter::with_capacity(1 << 16, writer);
        Output { path: path.map(String::from), unfinished, writer, stop: None }
    }

    /// From now on writing fails once `stop` is set, so that an interrupt is not kept waiting.
    pub fn stop_at(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Some(Arc::clone(stop));
    }

    /// Makes the file appear under its name; without this nothing is left of it.
    pub fn finish(mut self) -> Result<(), Fail> {
        self.flush()?;
        let Some((part, target)) = &self.unfinished else { return Ok(()) };
        let renamed = File::open(part)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(part, target));
        renamed.map_err(|e| self.named(e))?;
        self.unfinished = None;
        Ok(())
    }

    fn named(&self, error: io::Error) -> io::Error {
        match &self.path {
            Some(path) => io::Error::new(error.kind(), Unwritten { path: path.clone(), error }),
            None => error,
        }
    }
}

fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir())
}

impl Write for Output {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed)) {
            return Err(io::Error::other("interrupted"));
        }
        self.writer.write(buffer).map_err(|e| self.named(e))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|e| self.named(e))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.unfinished {
            let _ = fs::remove_file(part);
        }
    }
}
