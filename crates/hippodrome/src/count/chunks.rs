//! Lists of states, one per part, in chunks of equal size.
//!
//! Growing a list never moves its entries, and an emptied chunk can be reused by any list of any thread.

/// Number of entries per chunk; a chunk of two-word states takes 16 KiB. Chosen by hand, not tuned: a thread
/// with 2^12 parts has at most 64 MiB in partly filled chunks.
const CHUNK: usize = 1 << 10;

/// The lists of one thread.
pub(super) struct Chunks<T> {
    open: Vec<Vec<T>>,
    full: Vec<Vec<Vec<T>>>,
    spare: Vec<Vec<T>>,
}

/// The chunks of each part.
pub(super) type Lists<T> = Vec<Vec<Vec<T>>>;

impl<T> Chunks<T> {
    /// Makes one empty list per part; the empty chunks in `spare` are filled first.
    pub fn new(parts: usize, spare: Vec<Vec<T>>) -> Chunks<T> {
        Chunks { open: (0..parts).map(|_| Vec::new()).collect(), full: lists(parts), spare }
    }

    /// Appends an entry to the list of a part.
    #[inline(always)]
    pub fn push(&mut self, part: usize, entry: T) {
        if self.open[part].len() == self.open[part].capacity() {
            self.open_next(part);
        }
        self.open[part].push(entry);
    }

    #[cold]
    fn open_next(&mut self, part: usize) {
        let next = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
        let full = std::mem::replace(&mut self.open[part], next);
        if !full.is_empty() {
            self.full[part].push(full);
        }
    }

    /// Appends the chunks to `lists`; returns the number of entries that they have room for.
    pub fn append_to(self, lists: &mut Lists<T>) -> usize {
        let mut room = 0;
        for ((open, full), list) in self.open.into_iter().zip(self.full).zip(lists) {
            let chunks = full.into_iter().chain((!open.is_empty()).then_some(open));
            list.extend(chunks.inspect(|chunk| room += chunk.capacity()));
        }
        room
    }
}

/// Makes one empty list per part.
pub(super) fn lists<T>(parts: usize) -> Lists<T> {
    (0..parts).map(|_| Vec::new()).collect()
}
