//! Rust's memory as numpy arrays, without a copy.

use arrow_buffer::Buffer;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::buffer::PyArrowBuffer;

/// A read-only numpy array over a buffer, which lives as long as the array.
pub fn array<'py>(
    py: Python<'py>,
    buffer: &Buffer,
    dtype: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    if buffer.is_empty() {
        return numpy.call_method1("empty", (shape, dtype));
    }
    let owner = Bound::new(py, PyArrowBuffer::new(buffer.clone()))?;
    let keywords = PyDict::new(py);
    keywords.set_item("dtype", dtype)?;
    numpy.call_method("frombuffer", (owner,), Some(&keywords))?.call_method1("reshape", (shape,))
}

/// Numbers of squares, as narrow as the board allows.
#[derive(Clone)]
pub enum Cells {
    /// Boards of at most 255 squares.
    Bytes(Vec<u8>),
    /// All others.
    Words(Vec<u32>),
}

impl Cells {
    /// None yet, of a board with so many squares.
    pub fn new(squares: usize) -> Cells {
        if squares <= usize::from(u8::MAX) {
            Cells::Bytes(Vec::new())
        } else {
            Cells::Words(Vec::new())
        }
    }

    /// Adds the squares of a tour.
    #[inline]
    pub fn extend(&mut self, squares: &[u32]) {
        match self {
            Cells::Bytes(cells) => cells.extend(squares.iter().map(|&s| s as u8)),
            Cells::Words(cells) => cells.extend_from_slice(squares),
        }
    }

    /// The memory, and numpy's word for what is in it.
    pub fn into_buffer(self) -> (Buffer, &'static str) {
        match self {
            Cells::Bytes(cells) => (Buffer::from_vec(cells), "uint8"),
            Cells::Words(cells) => (Buffer::from_vec(cells), "uint32"),
        }
    }
}
