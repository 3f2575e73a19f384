//! `hippo cache` lists or removes the tables that exact sampling keeps on disk.

use crate::OutputMode;
use crate::fail::{DONE, Fail};
use clap::{Args, Subcommand};
use hippodrome::numerals::{counted, in_bytes};
use hippodrome::uniform::{CachedTable, cache_folder, cached_tables, clear_cache};
use serde_json::{Value, json};
use std::path::Path;

/// List or remove the tables that sample and uniform keep on disk
#[derive(Args)]
#[command(after_help = "Example:\n  hippo cache list")]
pub struct Cache {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the tables with their sizes
    #[command(after_help = "Example:\n  hippo cache list")]
    List,
    /// Remove all tables; they are built again when needed
    #[command(after_help = "Example:\n  hippo cache clear")]
    Clear,
}

impl Cache {
    /// Lists or clears the cache.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let Some(folder) = cache_folder() else {
            return Err(Fail::run_time(
                "this system has no cache folder; set XDG_CACHE_HOME to an absolute path",
            ));
        };
        let name = folder.display().to_string();
        let failed = |doing| move |error| Fail::file(doing, &name, &error);
        match self.action {
            Action::List => {
                let tables = cached_tables(&folder).map_err(failed("read"))?;
                let bytes: u64 = tables.iter().map(|table| table.bytes).sum();
                mode.print(
                    || {
                        let tables: Vec<Value> = tables.iter().map(describe).collect();
                        json!({ "folder": folder, "tables": tables, "bytes": bytes })
                    },
                    || in_words(&folder, &tables, bytes),
                )?;
            }
            Action::Clear => {
                let (tables, bytes) = clear_cache(&folder).map_err(failed("clear"))?;
                mode.print(
                    || json!({ "folder": folder, "removed": tables, "bytes": bytes }),
                    || {
                        let (tables, size) = (counted(tables, "table"), in_bytes(bytes.into()));
                        format!("removed {tables}, {size}, from {}", folder.display())
                    },
                )?;
            }
        }
        Ok(DONE)
    }
}

fn describe(table: &CachedTable) -> Value {
    json!({
        "file": table.path.file_name().map(|name| name.to_string_lossy()),
        "bytes": table.bytes,
        "squares": table.content.map(|content| content.squares),
        "free_end": table.content.map(|content| content.open),
    })
}

fn in_words(folder: &Path, tables: &[CachedTable], bytes: u64) -> String {
    let mut text = String::new();
    for table in tables {
        let content = match table.content {
            Some(content) => {
                let squares = counted(content.squares, "square");
                match content.open {
                    true => format!("open tours of {squares}"),
                    false => format!("closed tours of {squares}, or tours with both ends fixed"),
                }
            }
            None => "damaged, or of another version".into(),
        };
        let file = table.path.file_name().unwrap_or_default().to_string_lossy();
        text += &format!("{file}  {:>9}  {content}\n", in_bytes(table.bytes.into()));
    }
    let (tables, size) = (counted(tables.len() as u64, "table"), in_bytes(bytes.into()));
    text + &format!("{tables} in {}, {size}", folder.display())
}
