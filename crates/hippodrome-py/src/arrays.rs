//! Creates numpy arrays over Rust memory, without copying it.

use arrow_buffer::Buffer;
use hippodrome::board::Square;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Read-only memory with numpy's array interface. Arrays that use it keep it alive.
#[pyclass(frozen)]
struct Memory {
    /// Keeps the memory alive.
    #[expect(dead_code, reason = "numpy reads it by address")]
    buffer: Buffer,
    interface: Py<PyDict>,
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> &Bound<'py, PyDict> {
        self.interface.bind(py)
    }
}

/// Creates a read-only numpy array over a buffer.
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
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("typestr", numpy.call_method1("dtype", (dtype,))?.getattr("str")?)?;
    interface.set_item("data", (buffer.as_ptr().addr(), true))?;
    let memory = Memory { buffer: buffer.clone(), interface: interface.unbind() };
    numpy.call_method1("asarray", (Bound::new(py, memory)?,))
}

/// Square numbers, stored in the narrowest type that is wide enough for the board.
#[derive(Clone)]
pub enum Cells {
    /// For boards of at most 255 squares.
    Bytes(Vec<u8>),
    /// For all larger boards.
    Words(Vec<u32>),
}

impl Cells {
    /// Returns an empty list for a board with this number of squares.
    pub fn new(squares: usize) -> Cells {
        if squares <= usize::from(u8::MAX) {
            Cells::Bytes(Vec::new())
        } else {
            Cells::Words(Vec::new())
        }
    }

    /// Returns the number of bytes per square number.
    pub fn width(&self) -> usize {
        match self {
            Cells::Bytes(_) => 1,
            Cells::Words(_) => 4,
        }
    }

    /// Reserves room for more numbers. Returns false if there is not enough memory.
    pub fn reserve(&mut self, more: usize) -> bool {
        match self {
            Cells::Bytes(cells) => cells.try_reserve_exact(more).is_ok(),
            Cells::Words(cells) => cells.try_reserve_exact(more).is_ok(),
        }
    }

    /// Appends numbers, all of which must be valid for the board.
    #[inline]
    pub fn extend(&mut self, numbers: impl Iterator<Item = u32>) {
        match self {
            Cells::Bytes(cells) => cells.extend(numbers.map(|n| n as u8)),
            Cells::Words(cells) => cells.extend(numbers),
        }
    }

    /// Appends the squares of a tour.
    #[inline]
    pub fn extend_squares(&mut self, squares: &[Square]) {
        self.extend(squares.iter().map(|square| square.number()));
    }

    /// Returns the buffer and its numpy dtype.
    pub fn into_buffer(self) -> (Buffer, &'static str) {
        match self {
            Cells::Bytes(cells) => (Buffer::from_vec(cells), "uint8"),
            Cells::Words(cells) => (Buffer::from_vec(cells), "uint32"),
        }
    }
}
