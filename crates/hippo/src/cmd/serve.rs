//! `hippo serve`: the web page, on this machine.

use crate::OutputMode;
use crate::args::bytes;
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

/// Open a page on this machine: paint boards, watch methods, let them race, take tours home
#[derive(Args)]
#[command(
    after_help = "The page listens to this machine only. Ctrl-C ends it, with all that runs on it.\n\nExample:\n  hippo serve --open"
)]
pub struct Serve {
    /// Port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 4747)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Address to listen on; any but this machine's own lets others use this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Memory for the tables of uniform tours, as in 512M or 4G
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
}

impl Serve {
    /// Serves until it is told to end.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let limits = Limits::default();
        let limits = Limits { memory: self.memory.unwrap_or(limits.memory), ..limits };
        let server = Server::bind(self.host, self.port, limits).map_err(|e| self.explain(&e))?;
        let address = server.address()?;
        let url = format!("http://{}/", shown(address));
        if !self.host.is_loopback() {
            // Nobody is to miss this, however quiet it is to be.
            writeln!(
                io::stderr(),
                "warning: whoever reaches {address} can use the page and with it this machine's cores and memory; leave out --host unless you trust everybody there"
            )?;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let signals = Signals::set(&interrupt);
        mode.print(|| json!({ "url": url }), || format!("Hippodrome is at {url}"))?;
        io::stdout().flush()?;
        mode.remark("Ctrl-C ends it.");
        if self.open && !open(&url) {
            mode.remark(&format!("no browser could be started; open {url} yourself"));
        }
        server.run(&interrupt).map_err(|e| Fail::run_time(format!("the page has failed: {e}")))?;
        Ok(signals.code())
    }

    fn explain(&self, error: &io::Error) -> Fail {
        let (host, port) = (self.host, self.port);
        match error.kind() {
            io::ErrorKind::AddrInUse => Fail::run_time(format!(
                "port {port} is taken, perhaps by another 'hippo serve'; give another --port, or --port 0 for any"
            )),
            io::ErrorKind::PermissionDenied => Fail::run_time(format!(
                "port {port} is not for everybody; give a --port from 1024, or 0 for any"
            )),
            io::ErrorKind::AddrNotAvailable => {
                Fail::usage(format!("{host} is not an address of this machine; leave out --host"))
            }
            _ => Fail::run_time(format!("cannot listen on {host}, port {port}: {error}")),
        }
    }
}

/// An address that a browser on this machine can open.
fn shown(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => format!("127.0.0.1:{}", address.port()),
        _ => address.to_string(),
    }
}

/// Starts the browser of the system; whether that could be done.
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
