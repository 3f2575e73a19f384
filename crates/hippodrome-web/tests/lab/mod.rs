//! A server for tests, with functions that send it raw and possibly malformed requests.
#![allow(dead_code, reason = "each test file uses some of it")]

use hippodrome_web::Server;
use hippodrome_web::limits::Limits;
use serde_json::Value;
use socket2::{Domain, Socket, Type};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Maximum time that a test waits for anything.
pub const TIMEOUT: Duration = Duration::from_secs(180);

/// A running server.
pub struct Lab {
    pub address: SocketAddr,
    pub token: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A response from the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Returns the message of an error response.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_string()
    }
}

impl Lab {
    pub fn new(limits: Limits) -> Lab {
        let server = Server::bind(IpAddr::V4(Ipv4Addr::LOCALHOST), 0, limits).unwrap();
        let (address, token) = (server.address().unwrap(), server.token().as_str().to_string());
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || server.run(&flag).unwrap());
        Lab { address, token, stop, thread: Some(thread) }
    }

    /// Sends raw bytes, and returns the response.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.open(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let end = all.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(all.len());
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Answer { status, head, body: all.get(end + 4..).unwrap_or_default().to_vec() }
    }

    /// Sends raw bytes, and leaves the connection open.
    pub fn open(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let _ = stream.write_all(bytes);
        stream
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    }

    /// Returns the headers that the page sends with its own requests.
    pub fn own(&self) -> String {
        format!(
            "host: {0}\r\norigin: http://{0}\r\nx-hippodrome-token: {1}\r\ncontent-type: application/json\r\n",
            self.address, self.token
        )
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        self.raw(&self.request(method, path, headers, body))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &self.own(), b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &self.own(), body.to_string().as_bytes())
    }

    /// Starts a job, and returns its id.
    pub fn job(&self, body: &Value) -> String {
        let answer = self.post("/api/jobs", body);
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["id"].as_str().unwrap().to_string()
    }

    /// Opens the event stream of a job.
    pub fn watch(&self, id: &str) -> Events {
        self.events(&format!("/api/jobs/{id}/events"))
    }

    /// Opens an event stream.
    pub fn events(&self, path: &str) -> Events {
        let stream = self.open(&self.request("GET", path, &self.own(), b""));
        Events { stream, text: String::new() }
    }

    /// Opens the event stream of a job but never reads from it. The receive buffer is small, so that it fills
    /// quickly.
    pub fn stall(&self, id: &str) -> TcpStream {
        let path = format!("/api/jobs/{id}/events");
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(16 << 10).unwrap();
        socket.connect(&self.address.into()).unwrap();
        let mut stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let _ = stream.write_all(&self.request("GET", &path, &self.own(), b""));
        stream
    }

    /// Returns the list of jobs, with the numbers of running and waiting jobs.
    pub fn load(&self) -> Value {
        self.get("/api/jobs").json()
    }

    /// Shuts down the server, and returns how long that took.
    pub fn end(mut self) -> Duration {
        let begun = Instant::now();
        self.stop.store(true, SeqCst);
        self.thread.take().unwrap().join().unwrap();
        begun.elapsed()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.stop.store(true, SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The events read from a stream.
pub struct Events {
    stream: TcpStream,
    text: String,
}

impl Events {
    /// Returns the name and value of the next event, or `None` when the stream has ended.
    pub fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                let part = |name: &str| {
                    event.lines().find_map(|line| line.strip_prefix(name)).map(str::to_string)
                };
                if let (Some(name), Some(data)) = (part("event: "), part("data: ")) {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let mut buffer = [0; 1 << 14];
            match self.stream.read(&mut buffer) {
                Ok(0) | Err(_) => return None,
                // Chunk sizes are on lines of their own, which have no event prefix and are skipped.
                Ok(n) => {
                    self.text.push_str(&String::from_utf8_lossy(&buffer[..n]).replace('\r', ""))
                }
            }
        }
    }

    /// Returns the value of the next event that has this name and satisfies the condition.
    pub fn until(&mut self, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < TIMEOUT, "timed out waiting for {name}");
            let (kind, value) =
                self.next().unwrap_or_else(|| panic!("the stream ends without {name}"));
            if kind == name && wanted(&value) {
                return value;
            }
        }
    }
}

/// Waits until a condition holds.
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < TIMEOUT, "timed out waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the resident memory of this process in bytes.
pub fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
