//! Rust's memory as numpy arrays, without a copy.

use arrow_buffer::Buffer;
use hippodrome::board::Square;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Memory as numpy asks for it: where it is, and that it is not to be written to.
/// Arrays over it keep it alive.
#[pyclass(frozen)]
struct Memory {
    /// Held for as long as the address is known.
    #[expect(dead_code, reason = "it is read through its address")]
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
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("typestr", numpy.call_method1("dtype", (dtype,))?.getattr("str")?)?;
    interface.set_item("data", (buffer.as_ptr().addr(), true))?;
    let memory = Memory { buffer: buffer.clone(), interface: interface.unbind() };
    numpy.call_method1("asarray", (Bound::new(py, memory)?,))
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

    /// Bytes of a number.
    pub fn width(&self) -> usize {
        match self {
            Cells::Bytes(_) => 1,
            Cells::Words(_) => 4,
        }
    }

    /// Makes room for so many numbers more; false if there is none.
    pub fn reserve(&mut self, more: usize) -> bool {
        match self {
            Cells::Bytes(cells) => cells.try_reserve_exact(more).is_ok(),
            Cells::Words(cells) => cells.try_reserve_exact(more).is_ok(),
        }
    }

    /// Appends numbers, each at most the number of squares.
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

    /// The memory, and numpy's word for what is in it.
    pub fn into_buffer(self) -> (Buffer, &'static str) {
        match self {
            Cells::Bytes(cells) => (Buffer::from_vec(cells), "uint8"),
            Cells::Words(cells) => (Buffer::from_vec(cells), "uint32"),
        }
    }
}
