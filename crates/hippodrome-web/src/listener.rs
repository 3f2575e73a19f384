//! Connections: so many at a time, and none that takes nothing of what is sent to it for long, or takes
//! long over the head of a request.

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

/// Connections that neither send nor take anything are closed after so many times the stall limit.
const IDLE: u32 = 4;
/// Wait after a failed accept, which is for want of something that others give back.
const AGAIN: Duration = Duration::from_millis(50);

/// Bytes that may be on their way to somebody who does not take them.
const UNDERWAY: usize = 128 << 10;

/// Lets connections in while there is room.
pub(crate) struct Door {
    listener: TcpListener,
    room: Arc<Semaphore>,
    stall: Duration,
}

impl Door {
    pub(crate) fn new(listener: TcpListener, limits: &Limits) -> Door {
        let room = Arc::new(Semaphore::new(limits.connections));
        Door { listener, room, stall: limits.stall }
    }
}

impl Listener for Door {
    type Io = Guest;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guest, SocketAddr) {
        loop {
            let Ok(place) = Arc::clone(&self.room).acquire_owned().await else {
                std::future::pending::<()>().await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let _ = stream.set_nodelay(true);
                    let _ = SockRef::from(&stream).set_send_buffer_size(UNDERWAY);
                    return (Guest::new(stream, place, self.stall), address);
                }
                Err(_) => sleep(AGAIN).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection with its place.
pub(crate) struct Guest {
    stream: TcpStream,
    stall: Duration,
    /// Runs while something waits to be written.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Runs while nothing is written or read.
    idle: Option<Pin<Box<Sleep>>>,
    /// Runs while the head of a request comes in.
    slow: Option<Pin<Box<Sleep>>>,
    head: Head,
    _place: OwnedSemaphorePermit,
}

impl Guest {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit, stall: Duration) -> Guest {
        let clock = Some(Box::pin(sleep(stall)));
        Guest {
            stream,
            stall,
            stalled: None,
            idle: None,
            slow: clock,
            head: Head(0),
            _place: place,
        }
    }

    /// After a write that was tried.
    fn wrote<T>(
        &mut self,
        cx: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            (self.stalled, self.idle, self.slow) = (None, None, None);
            // After an answer, what comes is the head of the next request.
            self.head = Head(0);
            return result;
        }
        overdue(&mut self.stalled, self.stall, cx)
    }
}

/// How much of the empty line that ends a head was seen: 4 is all of it.
#[derive(Clone, Copy)]
struct Head(usize);

impl Head {
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

/// Waits for a clock that is set when there is none; an error when it has run down.
fn overdue<T>(
    clock: &mut Option<Pin<Box<Sleep>>>,
    time: Duration,
    cx: &mut Context<'_>,
) -> Poll<io::Result<T>> {
    let clock = clock.get_or_insert_with(|| Box::pin(sleep(time)));
    clock.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
}

impl AsyncRead for Guest {
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
                self.slow = None;
            } else if begins && self.slow.is_none() {
                self.slow = Some(Box::pin(sleep(self.stall)));
            }
            return read;
        }
        if let Some(clock) = &mut self.slow
            && clock.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let time = self.stall * IDLE;
        overdue(&mut self.idle, time, cx)
    }
}

impl AsyncWrite for Guest {
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
    fn a_head_ends_with_an_empty_line_however_it_is_cut() {
        let text = b"GET / HTTP/1.1\r\nhost: a\r\r\n\r\nbody";
        let end = text.len() - 4;
        for cut in 0..text.len() {
            let mut head = Head(0);
            head.read(&text[..cut]);
            assert_eq!(head.is_whole(), cut >= end, "{cut}");
            head.read(&text[cut..]);
            assert!(head.is_whole());
        }
    }
}
