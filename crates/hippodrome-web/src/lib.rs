//! The web page of Hippodrome, on which to set up a board, watch a method, race methods and draw uniform
//! tours.
//!
//! ```text
//!   browser ──▶ listener (connections) ──▶ guard (host, origin, token) ──▶ routes ──▶ jobs ──▶ library
//!           ◀── stream (server-sent events, shared by all viewers) ◀── snapshot ◀──────┘
//! ```
//!
//! A search runs on its own thread and writes its latest state to a few slots (`snapshot`). Each viewer reads
//! the slots when its connection has room. A slow viewer misses some states, but it neither delays the search
//! nor uses more and more memory.
//!
//! | module | holds |
//! |---|---|
//! | [`limits`] | limits of what clients can use |
//! | `listener`, `guard`, `routes`, `page` | connections; checks of requests; routes; the files of the page |
//! | `spec`, `registry`, `tours`, `sheet`, `find` | problems from JSON; solvers; reading and drawing; one tour |
//! | `historic` | the tours that ship with the program |
//! | `jobs`, `snapshot`, `pace`, `stream` | running work; its latest state; pause, step, speed; viewers |
//! | `pulse` | the sign of life by which a page notices a server that is gone or new |

mod api_error;
mod find;
mod guard;
mod historic;
mod jobs;
pub mod limits;
mod listener;
mod pace;
mod page;
mod pulse;
mod registry;
mod remedy;
mod routes;
mod sheet;
mod snapshot;
mod spec;
mod stream;
mod tours;

pub use guard::Token;

use futures_util::future::{Either, select};
use guard::AllowedHosts;
use jobs::Jobs;
use limits::Limits;
use listener::LimitedListener;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a shutdown waits for open connections. A response takes less time, and streams are closed
/// immediately.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
/// Time between two checks of the stop flag and of jobs without viewers. It is so short that an interrupt
/// feels instant.
const TICK: Duration = Duration::from_millis(100);

/// The state that all requests share.
pub(crate) struct AppState {
    pub(crate) hosts: AllowedHosts,
    pub(crate) token: Token,
    /// A random name of this process. A page that sees another name takes up the new server.
    pub(crate) id: String,
    pub(crate) limits: Limits,
    pub(crate) jobs: Arc<Jobs>,
    /// Number of event streams that are open.
    pub(crate) streams: AtomicUsize,
    /// Number of pages that receive pulses.
    pub(crate) pulses: AtomicUsize,
    /// Permits to run a request that draws an image or finds a tour.
    pub(crate) blocking_slots: Semaphore,
    /// Permits to accept such a request, whether it runs or waits for a slot.
    pub(crate) blocking_queue: Semaphore,
}

/// A server that is bound to its address but is not running yet.
pub struct Server {
    listener: TcpListener,
    app: Arc<AppState>,
}

impl Server {
    /// Binds the server to an address. Port 0 means any free port.
    pub fn bind(host: IpAddr, port: u16, limits: Limits) -> io::Result<Server> {
        let listener = TcpListener::bind((host, port))?;
        listener.set_nonblocking(true)?;
        let app = AppState {
            hosts: AllowedHosts::new(listener.local_addr()?),
            token: Token::new()?,
            id: guard::random()?,
            jobs: Jobs::new(limits),
            streams: AtomicUsize::new(0),
            pulses: AtomicUsize::new(0),
            blocking_slots: Semaphore::new(limits.drawings),
            blocking_queue: Semaphore::new(limits.drawings + limits.waiting),
            limits,
        };
        Ok(Server { listener, app: Arc::new(app) })
    }

    /// Returns the address of the server.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Returns the token that state-changing requests must carry.
    pub fn token(&self) -> &Token {
        &self.app.token
    }

    /// Serves requests until `stop` is set. Then stops every job, and waits a moment for connections to end.
    pub fn run(self, stop: &Arc<AtomicBool>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(self.app.limits.drawings)
            .enable_all()
            .build()?;
        let jobs = Arc::clone(&self.app.jobs);
        let outcome = runtime.block_on(self.serve(Arc::clone(stop)));
        jobs.stop_all();
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        jobs.join();
        outcome
    }

    async fn serve(self, stop: Arc<AtomicBool>) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let listener = LimitedListener::new(listener, &self.app.limits);
        let jobs = Arc::clone(&self.app.jobs);
        let (stopped, after_stop) = tokio::sync::oneshot::channel();
        let shutdown = async move {
            let mut tick = tokio::time::interval(TICK);
            while !stop.load(Relaxed) {
                tick.tick().await;
                jobs.tidy();
            }
            jobs.stop_all();
            let _ = stopped.send(());
        };
        let serving =
            axum::serve(listener, routes::router(self.app)).with_graceful_shutdown(shutdown);
        let late = async {
            let _ = after_stop.await;
            tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
        };
        // Connections that are still open after the timeout are dropped.
        match select(pin!(serving.into_future()), pin!(late)).await {
            Either::Left((served, _)) => served,
            Either::Right(_) => Ok(()),
        }
    }
}
