//! Output of results: standard output, or a file that appears only when it is complete.

use crate::fail::{Fail, IMPOSSIBLE, complain};
use hippodrome::board::Graph;
use hippodrome::durable::DurableFile;
use serde_json::{Value, json};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The options, shared by all commands, that change what is printed.
#[derive(Clone, Copy)]
pub struct OutputMode {
    /// Whether to print results as JSON on standard output.
    pub json: bool,
    /// Whether to leave out progress and remarks.
    pub quiet: bool,
}

impl OutputMode {
    /// The mode in which only results are printed.
    pub const QUIET: OutputMode = OutputMode { json: false, quiet: true };

    /// Prints a remark on standard error.
    pub fn remark(self, text: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Prints a remark, but only if standard error is a terminal.
    pub fn hint(self, text: &str) {
        if io::stderr().is_terminal() {
            self.remark(text);
        }
    }

    /// Prints a result on standard output: a JSON object with `--json`, otherwise text.
    pub fn print(
        self,
        object: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Fail> {
        let text = if self.json { with_schema(object()).to_string() } else { text() };
        Ok(writeln!(io::stdout().lock(), "{}", text.trim_end_matches('\n'))?)
    }
}

/// Adds the version of the output format, which every JSON object contains.
pub fn with_schema(mut object: Value) -> Value {
    if object.is_object() {
        object["schema"] = json!(1);
    }
    object
}

/// Adds the board to an object, with its holes, if any, and with the leaper, if it is not the knight.
pub fn with_board(mut object: Value, graph: &Graph) -> Value {
    object["board"] = Value::Null;
    graph.describe_in(&mut object);
    object
}

/// Reports that no tour exists: with `--json` by an object on `out`, otherwise by a message.
pub fn impossible(
    reason: impl Display,
    mode: OutputMode,
    object: Value,
    mut out: Output,
) -> Result<u8, Fail> {
    if mode.json {
        writeln!(out, "{object}")?;
        out.finish(mode)?;
    } else {
        complain(&format!("impossible: {reason}"));
    }
    Ok(IMPOSSIBLE)
}

/// Standard output, a device, or a file that appears only when it is complete.
pub struct Output {
    path: Option<String>,
    target: Target,
    stop: Option<Arc<AtomicBool>>,
}

enum Target {
    Stream(BufWriter<Box<dyn Write>>),
    File(DurableFile),
}

impl Target {
    fn stream(writer: impl Write + 'static) -> Target {
        Target::Stream(BufWriter::with_capacity(1 << 16, Box::new(writer)))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Target::Stream(writer) => writer,
            Target::File(file) => file,
        }
    }
}

/// A failed write, with the name of the file as given on the command line.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct Unwritten {
    /// Name of the file.
    pub path: String,
    /// Reason for the failure.
    pub error: io::Error,
}

impl Output {
    /// Opens the output. Refuses to write binary data to a terminal.
    pub fn open(path: Option<&str>, binary: bool) -> Result<Output, Fail> {
        let Some(path) = path.filter(|&p| p != "-") else {
            if binary && io::stdout().is_terminal() {
                return Err(Fail::usage(
                    "a terminal cannot show this format; write it to a file with -o FILE",
                ));
            }
            return Ok(Output::new(None, Target::stream(io::stdout().lock())));
        };
        // Replace the target of a link, not the link itself. Write to devices and pipes directly.
        let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        if target.file_name().is_none() || target.is_dir() || path.ends_with('/') {
            return Err(Fail::usage(format!(
                "'{path}' is not the name of a file; give one, as in tour.svg"
            )));
        }
        let opened = if is_device(&target) {
            File::options().write(true).open(&target).map(Target::stream)
        } else {
            DurableFile::lenient(&target).map(Target::File).map_err(io::Error::from)
        };
        let target = opened.map_err(|e| Fail::file("write", path, &e))?;
        Ok(Output::new(Some(path), target))
    }

    /// Opens the file, if one is given, for data other than the results, which go to standard output.
    pub fn beside(path: Option<&str>, option: &str) -> Result<Option<Output>, Fail> {
        match path {
            Some("-") => Err(Fail::usage(format!(
                "standard output is for the results; give {option} a file, as in curve.csv"
            ))),
            path => path.map(|path| Output::open(Some(path), false)).transpose(),
        }
    }

    fn new(path: Option<&str>, target: Target) -> Output {
        Output { path: path.map(String::from), target, stop: None }
    }

    /// Makes writes fail once `stop` is set, so that an interrupt ends a long write.
    pub fn stop_at(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Some(Arc::clone(stop));
    }

    /// Renames the temporary file to its final name and prints a remark. Without this call, the temporary
    /// file is removed.
    pub fn finish(self, mode: OutputMode) -> Result<(), Fail> {
        if let Some(path) = self.close()? {
            mode.remark(&format!("wrote {path}"));
        }
        Ok(())
    }

    /// Renames the temporary file to its final name and prints `about`. If the output is standard output,
    /// `about` appears only on a terminal.
    pub fn finish_with(self, about: &str, mode: OutputMode) -> Result<(), Fail> {
        match self.close()? {
            Some(path) => mode.remark(&format!("{path}: {about}")),
            None => mode.hint(about),
        }
        Ok(())
    }

    /// Writes buffered data and renames the temporary file. Returns its final name, or `None` for standard
    /// output or a device.
    fn close(mut self) -> Result<Option<String>, Fail> {
        self.flush()?;
        let Output { path, target, .. } = self;
        match target {
            Target::File(file) => {
                file.finish(&|| {}).map_err(|e| named(path.as_deref(), e.into()))?;
                Ok(path)
            }
            Target::Stream(_) => Ok(None),
        }
    }
}

/// Adds the file name, if there is one, to an error.
fn named(path: Option<&str>, error: io::Error) -> io::Error {
    match path {
        Some(path) => io::Error::new(error.kind(), Unwritten { path: path.into(), error }),
        None => error,
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
        self.target.writer().write(buffer).map_err(|e| named(self.path.as_deref(), e))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.writer().flush().map_err(|e| named(self.path.as_deref(), e))
    }
}
