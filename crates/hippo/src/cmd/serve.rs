//! `hippo serve` serves the web page on this machine.

use crate::OutputMode;
use crate::args::{bytes, within};
use crate::fail::Fail;
use crate::interrupt::Signals;
use clap::Args;
use hippodrome_web::Server;
use hippodrome_web::limits::Limits;
use serde_json::json;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Serve the web page: paint boards, watch solvers, race them, export tours
#[derive(Args)]
#[command(
    after_help = "The server accepts connections from this machine only. Ctrl-C stops it and all its searches.\n\nExample:\n  hippo serve --open"
)]
pub struct Serve {
    /// Port; 0 takes any free one
    #[arg(long, value_name = "N", default_value = "4747", value_parser = port)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Address; one other than loopback exposes the server
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Memory for tables of uniform tours, as in 512M or 4G
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
}

fn port(text: &str) -> Result<u16, String> {
    within(text, 0, u16::MAX.into()).map(|port| port as u16)
}

impl Serve {
    /// Serves the page until the command is interrupted.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let limits = Limits::default();
        let limits = Limits { memory: self.memory.unwrap_or(limits.memory), ..limits };
        let server = Server::bind(self.host, self.port, limits).map_err(|e| self.explain(&e))?;
        let address = server.address()?;
        let url = format!("http://{}/", shown(address));
        if !self.host.is_loopback() {
            // This line is printed with --quiet too.
            writeln!(
                io::stderr(),
                "warning: every machine that reaches {address} can use the cores and memory of this one; leave out --host unless you trust the network"
            )?;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let signals = Signals::set(&interrupt);
        mode.print(|| json!({ "url": url }), || format!("Hippodrome is at {url}"))?;
        io::stdout().flush()?;
        mode.remark("Ctrl-C stops it.");
        if self.open && !open(&url) {
            mode.remark(&format!("cannot start a browser; open {url} yourself"));
        }
        server.run(&interrupt).map_err(|e| Fail::run_time(format!("the server failed: {e}")))?;
        Ok(signals.code())
    }

    fn explain(&self, error: &io::Error) -> Fail {
        let (host, port) = (self.host, self.port);
        match error.kind() {
            io::ErrorKind::AddrInUse => Fail::run_time(format!(
                "port {port} is taken, perhaps by another 'hippo serve'; give another --port, or --port 0 for any"
            )),
            io::ErrorKind::PermissionDenied => Fail::run_time(format!(
                "port {port} needs administrator rights; give a --port from 1024, or 0 for any"
            )),
            io::ErrorKind::AddrNotAvailable => {
                Fail::usage(format!("{host} is not an address of this machine; leave out --host"))
            }
            _ => Fail::run_time(format!("cannot listen on {host}, port {port}: {error}")),
        }
    }
}

/// Returns the address in a form that a browser on this machine can open.
fn shown(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => format!("127.0.0.1:{}", address.port()),
        _ => address.to_string(),
    }
}

/// Opens the address in the system's browser. Returns whether the browser started.
fn open(url: &str) -> bool {
    let (program, first): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
