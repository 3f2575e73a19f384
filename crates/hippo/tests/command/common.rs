//! Runs the command and returns its output.

use assert_cmd::Command;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// The exit code and output of a finished command.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Returns the command with the given arguments, which are separated by spaces.
pub fn hippo(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("hippo").expect("the command is built");
    command.args(arguments.split_whitespace()).timeout(Duration::from_secs(60));
    command
}

/// Runs a command and waits for it to end.
pub fn finish(mut command: Command) -> Ran {
    let output = command.output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let code = output.status.code().expect("the command ends without a signal");
    Ran { code, out: text(output.stdout), err: text(output.stderr) }
}

/// Runs `hippo` with the given arguments.
pub fn run(arguments: &str) -> Ran {
    finish(hippo(arguments))
}

/// Runs `hippo` with the given arguments and a text on standard input.
pub fn feed(arguments: &str, input: &str) -> Ran {
    let mut command = hippo(arguments);
    command.write_stdin(input);
    finish(command)
}

/// Runs `hippo` with the given arguments, and parses the JSON object that it prints.
pub fn json(arguments: &str) -> Value {
    let ran = run(arguments);
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{arguments}: {e}: {}", ran.out))
}

/// Runs `hippo` with the given arguments, and parses the first line of JSON that it prints.
pub fn first_json(arguments: &str) -> Value {
    let ran = run(arguments);
    let line = ran.out.lines().next().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|e| panic!("{arguments}: {e}: {}", ran.out))
}

/// Creates a file for one test, and returns its path.
pub fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder(name).join(name);
    std::fs::write(&path, text).expect("the temporary folder can be written");
    path.display().to_string()
}

/// Creates an empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("folder-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the temporary folder can be written");
    path
}
