//! The web page of Hippodrome: set up a board, watch a method, let methods race, draw uniform tours.
//!
//! ```text
//!   browser ──▶ door (connections) ──▶ guard (host, origin, token) ──▶ routes ──▶ jobs ──▶ library
//!           ◀── stream (the latest news, shared by all who watch) ◀── news ◀──────┘
//! ```
//!
//! A search runs on a thread of its own and leaves its latest state in a few slots (`news`); whoever
//! watches takes what is there when the connection has room. So a slow viewer misses states, and
//! neither holds a search up nor makes anything grow.
//!
//! | module | holds |
//! |---|---|
//! | [`limits`] | how much the server lets others take |
//! | `door`, `guard`, `routes`, `page` | connections; who may ask; what can be asked; the files of the page |
//! | `setup`, `registry`, `tours`, `find` | problems from JSON; solvers; reading and drawing; one tour at once |
//! | `jobs`, `news`, `pace`, `stream` | running work; its latest state; pause, step, speed; who watches |

mod door;
mod find;
mod guard;
mod jobs;
pub mod limits;
mod news;
mod pace;
mod page;
mod refusal;
mod registry;
mod remedy;
mod routes;
mod setup;
mod stream;
mod tours;

pub use guard::Token;

use door::Door;
use guard::Names;
use jobs::Jobs;
use limits::Limits;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long open connections may take to end when the server is told to stop.
const FAREWELL: Duration = Duration::from_secs(2);
/// How often the server looks whether it is told to stop, and for jobs that nobody watches.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) names: Names,
    pub(crate) token: Token,
    pub(crate) limits: Limits,
    pub(crate) jobs: Arc<Jobs>,
    /// Streams there are.
    pub(crate) streams: AtomicUsize,
    /// Places for those who draw or find something at once, and for those who wait for one.
    pub(crate) desks: Semaphore,
    pub(crate) chairs: Semaphore,
}

/// A server that has its address and does not run yet.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Takes an address; port 0 means any that is free.
    pub fn bind(host: IpAddr, port: u16, limits: Limits) -> io::Result<Server> {
        let listener = TcpListener::bind((host, port))?;
        listener.set_nonblocking(true)?;
        let names = Names::new(listener.local_addr()?);
        let shared = Shared {
            names,
            token: Token::new()?,
            jobs: Jobs::new(limits),
            streams: AtomicUsize::new(0),
            desks: Semaphore::new(limits.drawings),
            chairs: Semaphore::new(limits.drawings + limits.waiting),
            limits,
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// Where it is.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What state-changing requests must carry.
    pub fn token(&self) -> &Token {
        &self.shared.token
    }

    /// Serves until `stop` is set; then every job is ended, and connections are given a moment.
    pub fn run(self, stop: &Arc<AtomicBool>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(self.shared.limits.drawings)
            .enable_all()
            .build()?;
        let jobs = Arc::clone(&self.shared.jobs);
        let outcome = runtime.block_on(self.serve(Arc::clone(stop)));
        jobs.end_all();
        runtime.shutdown_timeout(FAREWELL);
        jobs.join();
        outcome
    }

    async fn serve(self, stop: Arc<AtomicBool>) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let door = Door::new(listener, &self.shared.limits);
        let jobs = Arc::clone(&self.shared.jobs);
        let told = async move {
            let mut tick = tokio::time::interval(LOOK_EVERY);
            while !stop.load(Relaxed) {
                tick.tick().await;
                jobs.tidy();
            }
            jobs.end_all();
        };
        let (over, ended) = tokio::sync::oneshot::channel();
        let told = async {
            told.await;
            let _ = over.send(());
        };
        let serving = axum::serve(door, routes::router(self.shared)).with_graceful_shutdown(told);
        let late = async {
            let _ = ended.await;
            tokio::time::sleep(FAREWELL).await;
        };
        // Whoever does not take leave in time is left standing.
        match futures_util::future::select(Box::pin(serving.into_future()), Box::pin(late)).await {
            futures_util::future::Either::Left((served, _)) => served,
            futures_util::future::Either::Right(_) => Ok(()),
        }
    }
}
