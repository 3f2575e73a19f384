//! A listener that limits the number of connections. A connection times out when it blocks writes, is
//! idle, or takes too long to send the head of a request.

use crate::limits::Limits;
use axum::serve::Listener;
use socket2::SockRef;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// Factor by which the timeout of an idle connection exceeds the stall limit. It is larger because browsers
/// keep connections open for later requests.
const IDLE_FACTOR: u32 = 4;
/// Time to wait after a failed accept. The usual cause is a lack of file descriptors, and these become free
/// when other connections close.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// Size of the send buffer in bytes. It bounds the kernel memory used for clients that do not read.
const SEND_BUFFER: usize = 128 << 10;

/// A listener that accepts connections up to a limit.
pub(crate) struct LimitedListener {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    stall: Duration,
}

impl LimitedListener {
    pub(crate) fn new(listener: TcpListener, limits: &Limits) -> LimitedListener {
        let permits = Arc::new(Semaphore::new(limits.connections));
        LimitedListener { listener, permits, stall: limits.stall }
    }
}

impl Listener for LimitedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.permits).acquire_owned().await else {
                std::future::pending::<()>().await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let _ = stream.set_nodelay(true);
                    let _ = SockRef::from(&stream).set_send_buffer_size(SEND_BUFFER);
                    return (Connection::new(stream, permit, self.stall), address);
                }
                Err(_) => sleep(ACCEPT_RETRY).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that counts towards the limit until it is dropped.
pub(crate) struct Connection {
    stream: TcpStream,
    stall: Duration,
    /// Timer that runs while a write is blocked.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Timer that runs while nothing is read or written.
    idle: Option<Pin<Box<Sleep>>>,
    /// Timer that runs while the head of a request is incomplete.
    slow_head: Option<Pin<Box<Sleep>>>,
    head: HeadScanner,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    fn new(stream: TcpStream, permit: OwnedSemaphorePermit, stall: Duration) -> Connection {
        let clock = Some(Box::pin(sleep(stall)));
        Connection {
            stream,
            stall,
            stalled: None,
            idle: None,
            slow_head: clock,
            head: HeadScanner(0),
            _permit: permit,
        }
    }

    /// Updates the timers after an attempt to write.
    fn wrote<T>(
        &mut self,
        cx: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            (self.stalled, self.idle, self.slow_head) = (None, None, None);
            // After a response, the next bytes are the head of the next request.
            self.head = HeadScanner(0);
            return result;
        }
        poll_timeout(&mut self.stalled, self.stall, cx)
    }
}

/// A scanner that finds the empty line at the end of the head of a request. The number is how many of the 4
/// bytes `\r\n\r\n` it has seen.
#[derive(Clone, Copy)]
struct HeadScanner(usize);

impl HeadScanner {
    fn is_whole(self) -> bool {
        self.0 == 4
    }

    fn read(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.is_whole() {
                return;
            }
            self.0 = match (self.0, byte) {
                (0 | 2, b'\r') | (1 | 3, b'\n') => self.0 + 1,
                (_, b'\r') => 1,
                _ => 0,
            };
        }
    }
}

/// Polls a timer, starting it if necessary. Returns an error when the timer has expired.
fn poll_timeout<T>(
    clock: &mut Option<Pin<Box<Sleep>>>,
    time: Duration,
    cx: &mut Context<'_>,
) -> Poll<io::Result<T>> {
    let clock = clock.get_or_insert_with(|| Box::pin(sleep(time)));
    clock.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let fresh = &buffer.filled()[before..];
        if read.is_ready() {
            self.idle = None;
            let begins = !fresh.is_empty() && !self.head.is_whole();
            self.head.read(fresh);
            if self.head.is_whole() {
                self.slow_head = None;
            } else if begins && self.slow_head.is_none() {
                self.slow_head = Some(Box::pin(sleep(self.stall)));
            }
            return read;
        }
        if let Some(clock) = &mut self.slow_head
            && clock.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let time = self.stall * IDLE_FACTOR;
        poll_timeout(&mut self.idle, time, cx)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(cx, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.wrote(cx, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_with_an_empty_line_wherever_it_is_split() {
        let text = b"GET / HTTP/1.1\r\nhost: a\r\r\n\r\nbody";
        let end = text.len() - 4;
        for cut in 0..text.len() {
            let mut head = HeadScanner(0);
            head.read(&text[..cut]);
            assert_eq!(head.is_whole(), cut >= end, "{cut}");
            head.read(&text[cut..]);
            assert!(head.is_whole());
        }
    }
}
