//! Files that are written atomically and durably.
//!
//! A file is written under a temporary name in the same folder, synced and renamed; then the folder is
//! synced. A crash at any point leaves either the old file or the new one, and possibly a temporary file,
//! which [`is_unfinished`] recognizes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// Number of bytes written at a time.
const PIECE: usize = 1 << 16;

/// An error: one step of writing a file failed.
#[derive(Debug, Error)]
#[error("cannot {doing} {}: {error}", path.display())]
pub struct DurableError {
    /// The step that failed: write, sync or rename.
    pub doing: &'static str,
    /// The final path of the file, or the path of its folder.
    pub path: PathBuf,
    /// The system's error.
    pub error: io::Error,
}

impl DurableError {
    fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DurableError {
        let path = path.to_path_buf();
        move |error| DurableError { doing, path, error }
    }
}

impl From<DurableError> for io::Error {
    fn from(error: DurableError) -> io::Error {
        error.error
    }
}

/// A file that gets its final name when it is finished. If it is dropped before that, the temporary file is
/// removed.
#[derive(Debug)]
pub struct DurableFile {
    file: BufWriter<File>,
    part: Option<PathBuf>,
    path: PathBuf,
    /// Whether the folder is allowed to be unreadable.
    lenient: bool,
}

impl DurableFile {
    /// Opens a file for writing under a temporary name. [`DurableFile::finish`] fails if the folder cannot be
    /// read, because then it cannot be synced.
    pub fn create(path: &Path) -> Result<DurableFile, DurableError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Processes on machines that share a folder may have the same number, but hardly the same time.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanos = now.map_or(0, |d| d.as_nanos());
        let (pid, next) = (std::process::id(), NEXT.fetch_add(1, Relaxed));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let part = path.with_file_name(format!(".{name}.{pid}-{nanos:x}-{next}.part"));
        let file = File::create_new(&part).map_err(DurableError::at("write", path))?;
        let file = BufWriter::with_capacity(PIECE, file);
        Ok(DurableFile { file, part: Some(part), path: path.to_path_buf(), lenient: false })
    }

    /// Opens a file like [`DurableFile::create`], in a folder that may be writable but not readable. An
    /// unreadable folder is not synced.
    pub fn lenient(path: &Path) -> Result<DurableFile, DurableError> {
        let mut file = DurableFile::create(path)?;
        file.lenient = true;
        Ok(file)
    }

    /// Returns the final path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the temporary path of the file.
    pub fn temporary_path(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.path)
    }

    /// Syncs the bytes written so far.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }

    /// Syncs the file, renames it and syncs its folder. `at_rename` is called just before and just after the
    /// rename.
    pub fn finish(mut self, at_rename: &dyn Fn()) -> Result<(), DurableError> {
        self.file.flush().map_err(DurableError::at("write", &self.path))?;
        self.file.get_ref().sync_all().map_err(DurableError::at("sync", &self.path))?;
        at_rename();
        if let Some(part) = &self.part {
            fs::rename(part, &self.path).map_err(DurableError::at("rename", &self.path))?;
            self.part = None;
        }
        at_rename();
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match sync_folder(folder.unwrap_or(Path::new("."))) {
            Err(DurableError { error, .. })
                if self.lenient && error.kind() == io::ErrorKind::PermissionDenied =>
            {
                Ok(())
            }
            synced => synced,
        }
    }
}

impl Write for DurableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for DurableFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = fs::remove_file(part);
        }
    }
}

/// Fsyncs a folder, so that renames in it survive a crash.
pub fn sync_folder(folder: &Path) -> Result<(), DurableError> {
    // Other systems cannot open folders, and make renames durable themselves.
    if !cfg!(unix) {
        return Ok(());
    }
    let opened = File::open(folder).map_err(DurableError::at("sync", folder))?;
    match opened.sync_all() {
        // Some file systems cannot sync a folder.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) =>
        {
            Ok(())
        }
        synced => synced.map_err(DurableError::at("sync", folder)),
    }
}

/// Returns whether a file name is the temporary name of an unfinished file.
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_file_appears_only_when_finished() {
        let folder =
            std::env::temp_dir().join(format!("hippodrome-durable-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("result");
        fs::write(&path, "old").unwrap();
        let names = || -> Vec<String> {
            let entries = fs::read_dir(&folder).unwrap();
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
        };
        let mut dropped = DurableFile::create(&path).unwrap();
        dropped.write_all(b"half").unwrap();
        dropped.sync().unwrap();
        assert_eq!(names().iter().filter(|name| is_unfinished(name)).count(), 1);
        drop(dropped);
        assert_eq!((names(), fs::read(&path).unwrap()), (vec!["result".into()], b"old".to_vec()));
        let (mut file, seen) = (DurableFile::create(&path).unwrap(), Cell::new(Vec::new()));
        file.write_all(b"new").unwrap();
        let look = || {
            let mut all = seen.take();
            all.push(fs::read(&path).unwrap());
            seen.set(all);
        };
        file.finish(&look).unwrap();
        assert_eq!(seen.take(), [b"old".to_vec(), b"new".to_vec()]);
        assert_eq!(names(), ["result"]);
        fs::remove_dir_all(&folder).unwrap();
        let error = DurableFile::create(&path).unwrap_err();
        assert_eq!((error.doing, error.path), ("write", path));
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_cannot_be_read_is_an_error_unless_lenient() {
        use std::os::unix::fs::PermissionsExt;
        let name = format!("hippodrome-unreadable-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o300)).unwrap();
        // The superuser can read every folder.
        let readable = File::open(&folder).is_ok();
        let path = folder.join("result");
        let strict = DurableFile::create(&path).unwrap().finish(&|| ());
        let lenient = DurableFile::lenient(&path).unwrap().finish(&|| ());
        let written = path.exists();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((strict.is_ok(), lenient.is_ok(), written), (readable, true, true));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_system_without_folder_sync_is_not_an_error() {
        let refused = File::open("/proc/self").and_then(|folder| folder.sync_all()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
        sync_folder(Path::new("/proc/self")).unwrap();
    }
}
