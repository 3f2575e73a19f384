//! Compresses the files of the page, which are then embedded in the program.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::{Result, Write as _};
use std::path::Path;
use std::{env, fs};

fn main() -> Result<()> {
    let folder = Path::new("page");
    println!("cargo:rerun-if-changed=page");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let mut names: Vec<String> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.retain(|name| [".js", ".css", ".svg"].iter().any(|end| name.ends_with(end)));
    names.sort_unstable();
    let mut list = String::from("&[");
    for name in &names {
        println!("cargo:rerun-if-changed=page/{name}");
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&fs::read(folder.join(name))?)?;
        let file = Path::new(&out).join(format!("{name}.gz"));
        fs::write(&file, packed.finish()?)?;
        let _ = write!(list, "({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    fs::write(Path::new(&out).join("files.rs"), list + "]")
}
