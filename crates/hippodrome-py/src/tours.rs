//! The class `Tours`, which holds many tours in one buffer and shares it with numpy and Arrow.

use crate::arguments::{Given, whole};
use crate::arrays::{Cells, array};
use crate::errors::{failed, not_a_tour, storing, usage};
use crate::gathered::{Gathered, MemoryLimit};
use crate::ground::{PyGraph, same, wrapped};
use crate::interruptible;
use crate::pickling::reduced;
use crate::summary::Summary;
use crate::tour::{PyTour, shape, times};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeListArray, RecordBatch, RecordBatchIterator, UInt8Array,
    UInt32Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use hippodrome::board::{Graph, Square};
use hippodrome::store::TourSet;
use hippodrome::tour::{TourFault, Verifier};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PySlice, PyTuple};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl Gathered {
    /// Converts the collected tours to the Python object.
    pub fn into_tours(self, summary: Option<Py<Summary>>) -> PyTours {
        let count = self.closed.len();
        let (cells, dtype) = self.cells.into_buffer();
        PyTours {
            graph: self.graph,
            cells,
            dtype,
            closed: Buffer::from_vec(self.closed),
            count,
            summary,
        }
    }
}

/// Many tours in one buffer, which numpy and Arrow read without copying it.
///
/// The class has the methods of a sequence, but it is not registered with ``collections.abc``, because
/// polars would then read it tour by tour.
///
/// >>> import hippodrome, numpy
/// >>> tours = hippodrome.enumerate_tours("5x5", all=True)
/// >>> tours
/// Tours(1728 of 5x5, 0 closed)
/// >>> numpy.bincount(tours.squares[:, 0], minlength=25)[:5].tolist()
/// [304, 0, 56, 0, 304]
/// >>> import polars
/// >>> polars.DataFrame(tours).columns
/// ['squares', 'start', 'closed']
#[pyclass(name = "Tours", module = "hippodrome", frozen)]
pub struct PyTours {
    graph: Graph,
    /// The square numbers of all tours.
    cells: Buffer,
    dtype: &'static str,
    /// One byte per tour: 1 if it is closed.
    closed: Buffer,
    count: usize,
    summary: Option<Py<Summary>>,
}

impl PyTours {
    fn width(&self) -> usize {
        if self.dtype == "uint8" { 1 } else { 4 }
    }

    /// Returns the number of bytes per tour.
    fn stride(&self) -> usize {
        self.graph.order() * self.width()
    }

    fn squares_of(&self, index: usize) -> Vec<Square> {
        match self.width() {
            1 => self.bytes_of(index).iter().map(|&cell| Square::new(cell.into())).collect(),
            _ => {
                let words = self.cells.typed_data::<u32>();
                row(words, self.graph.order(), index).iter().map(|&n| Square::new(n)).collect()
            }
        }
    }

    fn bytes_of(&self, index: usize) -> &[u8] {
        row(&self.cells, self.stride(), index)
    }

    /// Returns the indices within a range at which a tour occurs.
    fn places<'a>(
        &'a self,
        tour: &Bound<'_, PyAny>,
        places: Range<usize>,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let sought = tour.cast::<PyTour>().ok().map(|tour| &tour.get().tour);
        let sought = sought.filter(|tour| same(tour.graph(), &self.graph)).map(|tour| {
            let mut cells = Cells::new(self.graph.len());
            cells.extend_squares(tour.squares());
            cells.into_buffer().0
        });
        let places = if sought.is_some() { places } else { 0..0 };
        places.filter(move |&place| sought.as_ref().is_some_and(|s| &s[..] == self.bytes_of(place)))
    }

    /// Converts an index, which may be negative to count from the end, as in a slice.
    fn bound(&self, given: Given<'_, '_>, unless: usize) -> PyResult<usize> {
        let Some(given) = given else { return Ok(unless) };
        let slice = given.py().get_type::<PySlice>().call1((given, given.py().None()))?;
        Ok(slice.cast::<PySlice>()?.indices(self.count as isize)?.start as usize)
    }

    fn tour(&self, index: usize) -> PyResult<PyTour> {
        PyTour::verified(&self.graph, self.squares_of(index))
    }

    /// Returns some of the tours. They share the buffer if they are contiguous; otherwise they are copied.
    fn part(&self, start: isize, step: isize, count: usize) -> PyTours {
        let stride = self.stride();
        let first = start as usize;
        let (cells, closed) = if step == 1 || count == 0 {
            let first = if count == 0 { 0 } else { first };
            let cells = self.cells.slice_with_length(first * stride, count * stride);
            (cells, self.closed.slice_with_length(first, count))
        } else {
            let rows = (0..count).map(|row| (start + row as isize * step) as usize);
            let order = self.graph.order();
            let cells = match self.width() {
                1 => Buffer::from_vec(picked(&self.cells, order, rows.clone())),
                _ => Buffer::from_vec(picked(self.cells.typed_data::<u32>(), order, rows.clone())),
            };
            (cells, Buffer::from_vec(rows.map(|row| self.closed[row]).collect::<Vec<u8>>()))
        };
        PyTours {
            graph: self.graph.clone(),
            cells,
            dtype: self.dtype,
            closed,
            count,
            summary: None,
        }
    }

    fn schema(&self) -> SchemaRef {
        let cell = if self.width() == 1 { DataType::UInt8 } else { DataType::UInt32 };
        let item = Arc::new(Field::new("item", cell, false));
        let squares = DataType::FixedSizeList(item, self.graph.order() as i32);
        let mut about = HashMap::from([("graph".to_string(), self.graph.to_string())]);
        if let Some(board) = self.graph.board() {
            about.insert("board".into(), board.shape());
        }
        let fields = vec![
            Field::new("squares", squares, false),
            Field::new("start", DataType::UInt32, false),
            Field::new("closed", DataType::Boolean, false),
        ];
        Arc::new(Schema::new_with_metadata(fields, about))
    }

    fn batch(&self) -> PyResult<RecordBatch> {
        let (schema, order) = (self.schema(), self.graph.order());
        let whole = self.count * order;
        let (cells, starts): (ArrayRef, UInt32Array) = if self.width() == 1 {
            let cells = ScalarBuffer::<u8>::new(self.cells.clone(), 0, whole);
            let starts = cells.iter().step_by(order).map(|&s| u32::from(s)).collect::<Vec<_>>();
            (Arc::new(UInt8Array::new(cells, None)), starts.into())
        } else {
            let cells = ScalarBuffer::<u32>::new(self.cells.clone(), 0, whole);
            let starts = cells.iter().step_by(order).copied().collect::<Vec<_>>();
            (Arc::new(UInt32Array::new(cells, None)), starts.into())
        };
        let DataType::FixedSizeList(item, _) = schema.field(0).data_type() else {
            return Err(failed("invalid schema of tours"));
        };
        let squares = FixedSizeListArray::try_new(item.clone(), order as i32, cells, None);
        let closed = BooleanBuffer::collect_bool(self.count, |row| self.closed[row] != 0);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(squares.map_err(failed)?),
            Arc::new(starts),
            Arc::new(BooleanArray::new(closed, None)),
        ];
        RecordBatch::try_new(schema, columns).map_err(failed)
    }
}

/// Returns one row of a table.
fn row<T>(cells: &[T], width: usize, index: usize) -> &[T] {
    &cells[index * width..(index + 1) * width]
}

/// Copies some rows of a table.
fn picked<T: Copy>(cells: &[T], width: usize, rows: impl Iterator<Item = usize>) -> Vec<T> {
    rows.flat_map(|index| row(cells, width, index)).copied().collect()
}

#[pymethods]
impl PyTours {
    /// The board or graph that the tours are on.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        wrapped(py, &self.graph)
    }

    /// The counts of the run. None for tours that were read from a file or sliced.
    #[getter]
    fn summary(&self, py: Python<'_>) -> Option<Py<Summary>> {
        self.summary.as_ref().map(|summary| summary.clone_ref(py))
    }

    /// The square numbers, with one row per tour. The array is a read-only view and not a copy.
    ///
    /// The type is uint8 on boards of at most 255 squares, and uint32 on larger ones.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.cells, self.dtype, &[self.count, self.graph.order()])
    }

    /// Whether each tour is closed.
    #[getter]
    fn closed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.closed, "bool", &[self.count])
    }

    /// The step at which each tour visits each square, as in ``Tour.numbers``. Returns a new array.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (graph, len) = (&self.graph, self.graph.len());
        let mut cells = Cells::new(len);
        let mut own = vec![0; len];
        for index in 0..self.count {
            times(graph, &self.squares_of(index), &mut own);
            cells.extend(own.iter().copied());
        }
        let (buffer, dtype) = cells.into_buffer();
        let mut whole = vec![self.count];
        whole.extend(shape(graph));
        array(py, &buffer, dtype, &whole)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let squares = self.squares(py)?;
        let same = dtype.is_none_or(|dtype| {
            squares.getattr("dtype").and_then(|own| own.eq(dtype)).unwrap_or(false)
        });
        match (dtype.filter(|_| !same), copy) {
            (None, Some(true)) => squares.call_method0("copy"),
            (None, _) => Ok(squares),
            (Some(_), Some(false)) => Err(PyValueError::new_err("another dtype needs a copy")),
            (Some(dtype), _) => squares.call_method1("astype", (dtype,)),
        }
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows an implementation to ignore the requested schema.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.batch()?)], self.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let at = slice.indices(self.count as isize)?;
            let part = self.part(at.start, at.step, at.slicelength);
            return Ok(Bound::new(py, part)?.into_any());
        }
        let Ok(index) = index.call_method0("__index__") else {
            return Err(PyTypeError::new_err(format!(
                "{} is not an index; pass an integer or a slice",
                index.repr()?
            )));
        };
        let count = self.count as isize;
        let place = index.extract::<isize>().ok().map(|i| if i < 0 { i + count } else { i });
        let place = place.and_then(|place| usize::try_from(place).ok());
        match place.filter(|&place| place < self.count) {
            Some(index) => Ok(Bound::new(py, self.tour(index)?)?.into_any()),
            None => Err(PyIndexError::new_err(format!(
                "there is no tour {index}; there are {}, numbered from 0",
                self.count
            ))),
        }
    }

    fn __iter__(slf: &Bound<'_, Self>) -> TourIterator {
        TourIterator { tours: slf.clone().unbind(), places: 0..slf.get().count, backwards: false }
    }

    fn __reversed__(slf: &Bound<'_, Self>) -> TourIterator {
        TourIterator { tours: slf.clone().unbind(), places: 0..slf.get().count, backwards: true }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyTours>().is_ok_and(|other| {
            let (other, bytes) = (other.get(), self.count * self.stride());
            self.count == other.count
                && same(&self.graph, &other.graph)
                && self.cells[..bytes] == other.cells[..bytes]
        })
    }

    fn __contains__(&self, tour: &Bound<'_, PyAny>) -> bool {
        self.places(tour, 0..self.count).next().is_some()
    }

    /// Returns the index at which a tour first occurs, from ``start`` up to but not including ``stop``.
    #[pyo3(signature = (value, start=None, stop=None))]
    fn index(
        &self,
        value: &Bound<'_, PyAny>,
        start: Given<'_, '_>,
        stop: Given<'_, '_>,
    ) -> PyResult<usize> {
        let within = self.bound(start, 0)?..self.bound(stop, self.count)?;
        let place = self.places(value, within).next();
        place.ok_or_else(|| PyValueError::new_err("the tour is not in the list"))
    }

    /// Returns how many times a tour occurs.
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        self.places(value, 0..self.count).count()
    }

    /// Unpickles tours from their square numbers, and verifies each tour.
    #[staticmethod]
    fn _of(
        py: Python<'_>,
        board: &Bound<'_, PyGraph>,
        squares: &[u8],
        summary: Option<Py<Summary>>,
    ) -> PyResult<PyTours> {
        let graph = &board.get().graph;
        let mut gathered = Gathered::new(graph, MemoryLimit::new(None)?);
        let (order, width) = (graph.order(), gathered.cells.width());
        if !squares.len().is_multiple_of(order * width) {
            return Err(not_a_tour("these bytes are not tours of this board"));
        }
        gathered.expect((squares.len() / (order * width)) as u64, "unpickle fewer")?;
        let verifier = Verifier::new(graph);
        let read = py.detach(|| {
            squares.chunks_exact(order * width).try_for_each(|row| {
                let cell = |cell: &[u8]| match *cell {
                    [byte] => u32::from(byte),
                    [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]),
                    _ => u32::MAX,
                };
                let squares: Vec<Square> =
                    row.chunks_exact(width).map(|bytes| Square::new(cell(bytes))).collect();
                let _ = gathered.push(&verifier.check(squares.into())?);
                Ok(())
            })
        });
        read.map_err(|wrong: TourFault| not_a_tour(wrong))?;
        Ok(gathered.into_tours(summary))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let squares = PyBytes::new(py, &self.cells[..self.count * self.stride()]);
        reduced(py, "tours", (self.board(py)?, squares, self.summary(py)))
    }

    fn __repr__(&self) -> String {
        let closed = self.closed.iter().filter(|&&closed| closed != 0).count();
        format!("Tours({} of {}, {closed} closed)", self.count, self.graph)
    }
}

/// An iterator over tours.
#[pyclass(module = "hippodrome")]
struct TourIterator {
    tours: Py<PyTours>,
    places: Range<usize>,
    backwards: bool,
}

#[pymethods]
impl TourIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> PyResult<Option<PyTour>> {
        let place = if self.backwards { self.places.next_back() } else { self.places.next() };
        place.map(|place| self.tours.get().tour(place)).transpose()
    }

    fn __length_hint__(&self) -> usize {
        self.places.len()
    }
}

/// Reads tours from a merged job folder or from its Parquet file. Rows are numbered from 0.
///
/// >>> import hippodrome, tempfile
/// >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", all=True)
/// >>> all(job.run_unit(unit) for unit in job.missing()) and job.merge()["distinct"]
/// 1728
/// >>> hippodrome.read_tours(job.path, 100, 103)
/// Tours(3 of 5x5, 0 closed)
#[pyfunction]
#[pyo3(signature = (path, start=None, stop=None))]
pub fn read_tours(
    py: Python<'_>,
    path: PathBuf,
    start: Given<'_, '_>,
    stop: Given<'_, '_>,
) -> PyResult<PyTours> {
    let start = whole("start", start, 0)?.unwrap_or(0);
    let stop = whole("stop", stop, 0)?;
    let interrupt = AtomicBool::new(false);
    let limit = MemoryLimit::new(None)?;
    let gathered = interruptible::run(py, &interrupt, || {
        let set = TourSet::open(&path).map_err(storing)?;
        let mut gathered = Gathered::new(set.graph(), limit);
        let stop = stop.unwrap_or(set.len()).min(set.len());
        if start < stop {
            gathered.expect(stop - start, "read fewer with start and stop")?;
            let visited = set.visit(start + 1..=stop, |_, tour| {
                if interrupt.load(Relaxed) { ControlFlow::Break(()) } else { gathered.push(&tour) }
            });
            visited.map_err(storing)?;
        }
        Ok(gathered)
    })?;
    if stop.is_some_and(|stop| stop < start) {
        return Err(usage(format!(
            "invalid range of rows {start}..{}; raise stop",
            stop.unwrap_or(0)
        )));
    }
    Ok(gathered.into_tours(None))
}
