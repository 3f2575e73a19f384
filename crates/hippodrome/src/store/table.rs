//! `tours.parquet`: one row per tour, sorted, for DuckDB, polars, pandas and Hippodrome itself.
//!
//! Columns k0, k1, … contain the packed tour (see [`Packer`](crate::tour::Packer)) as unsigned words. Column
//! `start` is the number of the first square, and column `closed` says whether the tour is closed. The same
//! tours always give the same bytes: the size of row groups does not depend on how the table was made, and
//! nothing about the machine or the time is written. Every byte is covered by a checksum (see [`seal`]).
//! The Parquet format stores the numbers of row groups in 16 bits, so tables of more than 17 billion tours have larger groups.

mod seal;

use super::StoreError;
use super::keys::TourKey;
use crate::board::Square;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{BoolType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, KeyValue, ParquetMetaData, ParquetMetaDataReader,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};
pub(super) use seal::sum_of;
use seal::{HeldBack, Seal};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of rows per group, unless that would make too many groups. A group is the unit of compression and
/// reading.
const ROWS: u64 = 1 << 19;
/// Largest number of groups in a Parquet file.
const GROUPS: u64 = 1 << 15;
/// Largest number of rows per group; it allows four trillion tours.
const MOST_ROWS: u64 = 1 << 27;

/// Returns the number of rows per group in a table of at most `tours` tours.
fn rows_of_group(tours: u64) -> u64 {
    tours.div_ceil(GROUPS).next_multiple_of(ROWS).clamp(ROWS, MOST_ROWS)
}

/// The tours of one row group.
pub(super) struct TourRows<K> {
    pub(super) keys: Vec<K>,
    pub(super) start: Vec<Square>,
    pub(super) closed: Vec<bool>,
}

impl<K> TourRows<K> {
    /// Makes rows with these keys; the other columns remain to be filled.
    pub(super) fn of(keys: Vec<K>) -> TourRows<K> {
        TourRows { keys, start: Vec::new(), closed: Vec::new() }
    }
}

/// The layout of tables whose keys have the same number of words.
pub(super) struct TableLayout {
    width: usize,
    /// Number of rows per group; the last group may have fewer.
    pub(super) rows: usize,
    schema: TypePtr,
    properties: WriterPropertiesPtr,
}

fn broken(error: ParquetError) -> StoreError {
    StoreError::Job(format!("the tours cannot be written as Parquet: {error}"))
}

impl TableLayout {
    /// Makes the layout of a table of at most `tours` tours. A merge passes the number of tours found,
    /// because the number of distinct tours is not known yet.
    pub(super) fn new(width: usize, tours: u64) -> Result<TableLayout, StoreError> {
        let rows = rows_of_group(tours) as usize;
        let words: String =
            (0..width).map(|k| format!("REQUIRED INT64 k{k} (INTEGER(64,false));")).collect();
        let schema = format!(
            "message tours {{ {words} REQUIRED INT32 start (INTEGER(32,false)); REQUIRED BOOLEAN closed; }}"
        );
        let schema = Arc::new(parse_message_type(&schema).map_err(broken)?);
        let level = ZstdLevel::try_new(3).map_err(broken)?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("hippodrome ", env!("CARGO_PKG_VERSION")).into())
            .set_compression(Compression::ZSTD(level))
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_column_encoding(ColumnPath::from("k0"), Encoding::DELTA_BINARY_PACKED)
            .set_max_row_group_row_count(Some(rows))
            .build();
        Ok(TableLayout { width, rows, schema, properties: Arc::new(properties) })
    }

    fn writer<W: Write + Send>(&self, out: W) -> Result<SerializedFileWriter<W>, StoreError> {
        SerializedFileWriter::new(out, self.schema.clone(), self.properties.clone()).map_err(broken)
    }

    /// Encodes and compresses a row group.
    pub(super) fn encode<K: TourKey>(&self, rows: &TourRows<K>) -> Result<Bytes, StoreError> {
        let mut writer = self.writer(Vec::new())?;
        let mut group = writer.next_row_group().map_err(broken)?;
        let mut index = 0;
        while let Some(mut column) = group.next_column().map_err(broken)? {
            let written = if index < self.width {
                let words: Vec<i64> =
                    rows.keys.iter().map(|key| key.words()[index].cast_signed()).collect();
                column.typed::<Int64Type>().write_batch(&words, None, None)
            } else if index == self.width {
                let starts: Vec<i32> =
                    rows.start.iter().map(|s| s.number().cast_signed()).collect();
                column.typed::<Int32Type>().write_batch(&starts, None, None)
            } else {
                column.typed::<BoolType>().write_batch(&rows.closed, None, None)
            };
            written.map_err(broken)?;
            column.close().map_err(broken)?;
            index += 1;
        }
        group.close().map_err(broken)?;
        writer.into_inner().map(Bytes::from).map_err(broken)
    }
}

/// A writer that appends row groups in order.
pub(super) struct TableWriter<W: Write + Send> {
    writer: SerializedFileWriter<HeldBack<W>>,
    sums: Vec<u64>,
}

impl<W: Write + Send> TableWriter<W> {
    pub(super) fn new(layout: &TableLayout, out: W) -> Result<TableWriter<W>, StoreError> {
        let writer = layout.writer(HeldBack { out, held: None })?;
        Ok(TableWriter { writer, sums: Vec::new() })
    }

    /// Appends a group made by [`TableLayout::encode`].
    pub(super) fn append(&mut self, encoded: &Bytes, path: &Path) -> Result<(), StoreError> {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(encoded).map_err(broken)?;
        for rows in metadata.row_groups() {
            let piece = |column: &ColumnChunkMetaData| {
                let (from, length) = column.byte_range();
                &encoded[from as usize..(from + length) as usize]
            };
            self.sums.push(seal::sum(rows.columns().iter().map(piece)));
            let mut group = self.writer.next_row_group().map_err(|e| unwritten(e, path))?;
            for column in rows.columns() {
                let closed = ColumnCloseResult {
                    bytes_written: column.compressed_size() as u64,
                    rows_written: rows.num_rows() as u64,
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: None,
                    offset_index: None,
                };
                group.append_column(encoded, closed).map_err(|e| unwritten(e, path))?;
            }
            group.close().map_err(|e| unwritten(e, path))?;
        }
        Ok(())
    }

    /// Ends the table by writing its seal and its metadata.
    pub(super) fn finish(
        mut self,
        about: impl IntoIterator<Item = (String, String)>,
        path: &Path,
    ) -> Result<W, StoreError> {
        for (key, value) in about {
            self.writer.append_key_value_metadata(KeyValue::new(key, value));
        }
        self.writer.flush().map_err(StoreError::io("write", path))?;
        self.writer.inner_mut().held = Some(Vec::new());
        let HeldBack { mut out, held } =
            self.writer.into_inner().map_err(|e| unwritten(e, path))?;
        let end = held.unwrap_or_default();
        let written = out.write_all(&seal::seal(&self.sums, &end));
        written.and_then(|()| out.write_all(&end)).map_err(StoreError::io("write", path))?;
        Ok(out)
    }
}

/// Extracts the operating system's error from a Parquet error, so that, for example, a full disk is reported.
fn unwritten(error: ParquetError, path: &Path) -> StoreError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => StoreError::io("write", path)(*error),
            Err(other) => broken(ParquetError::External(other)),
        },
        other => broken(other),
    }
}

/// An existing table.
pub(super) struct TourTable {
    path: PathBuf,
    file: File,
    reader: SerializedFileReader<File>,
    sums: Vec<u64>,
    /// Number of words per key.
    pub(super) width: usize,
    /// The metadata of the table, by name.
    pub(super) about: BTreeMap<String, String>,
}

impl TourTable {
    pub(super) fn open(path: &Path) -> Result<TourTable, StoreError> {
        let mut file = File::open(path).map_err(StoreError::io("read", path))?;
        let sealed = Seal::read(&mut file, path)?;
        let again = file.try_clone().map_err(StoreError::io("read", path))?;
        let reader = SerializedFileReader::new(again).map_err(|e| unread(&e, path))?;
        let metadata = reader.metadata().file_metadata();
        let about = metadata.key_value_metadata().into_iter().flatten();
        let about = about.filter_map(|kv| Some((kv.key.clone(), kv.value.clone()?))).collect();
        let columns = metadata.schema_descr().columns();
        let names: Vec<&str> = columns.iter().map(|c| c.name()).collect();
        let width = names.len().saturating_sub(2);
        let words = (0..width).map(|k| format!("k{k}"));
        let ours = width > 0
            && names[width..] == ["start", "closed"]
            && words.zip(&names).all(|(word, name)| word == *name);
        if !ours {
            return Err(unread(&"its columns are not k0, k1, …, start, closed", path));
        }
        let table =
            TourTable { path: path.to_path_buf(), file, reader, sums: sealed.groups, width, about };
        table.expect_all_sealed(sealed.offset)?;
        Ok(table)
    }

    /// Checks that the row groups fill the file from its first magic bytes to the seal, so that every byte is
    /// covered by a checksum.
    fn expect_all_sealed(&self, end: u64) -> Result<(), StoreError> {
        let groups = self.metadata().row_groups();
        let columns = groups.iter().flat_map(|group| group.columns());
        let reached = columns
            .map(ColumnChunkMetaData::byte_range)
            .try_fold(seal::PARQUET.len() as u64, |at, (from, length)| {
                (from == at).then_some(from + length)
            });
        let whole = groups.iter().all(|group| (1..=MOST_ROWS as i64).contains(&group.num_rows()));
        if reached != Some(end) || groups.len() != self.sums.len() || !whole {
            return Err(unread(&"its row groups do not match its seal", &self.path));
        }
        Ok(())
    }

    /// Compares the bytes of a row group with their checksum.
    pub(super) fn verify(&self, group: usize) -> Result<(), StoreError> {
        let ranges = self.metadata().row_group(group).columns().iter().map(|c| c.byte_range());
        let stretch = ranges.reduce(|(from, sum), (_, length)| (from, sum + length));
        let sum = seal::sum_of(&self.file, stretch.unwrap_or_default());
        match sum.map_err(StoreError::io("read", &self.path))? {
            sum if sum == self.sums[group] => Ok(()),
            _ => Err(unread(&format!("the checksum of row group {group} is wrong"), &self.path)),
        }
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    pub(super) fn groups(&self) -> usize {
        self.metadata().num_row_groups()
    }

    pub(super) fn rows(&self) -> u64 {
        self.metadata().file_metadata().num_rows() as u64
    }

    pub(super) fn rows_of(&self, group: usize) -> u64 {
        self.metadata().row_group(group).num_rows() as u64
    }

    /// Returns bounds on the first words of the keys in a group, read from the group's statistics.
    pub(super) fn bounds(&self, group: usize) -> (u64, u64) {
        let bytes = |b: Option<&[u8]>| b.and_then(|b| b.try_into().ok()).map(u64::from_le_bytes);
        let statistics = self.metadata().row_group(group).column(0).statistics();
        let least = statistics.and_then(|s| bytes(s.min_bytes_opt())).unwrap_or(0);
        (least, statistics.and_then(|s| bytes(s.max_bytes_opt())).unwrap_or(u64::MAX))
    }

    /// Reads one row group and verifies its checksum.
    pub(super) fn read<K: TourKey>(&self, group: usize) -> Result<TourRows<K>, StoreError> {
        self.verify(group)?;
        let wrong = |e: ParquetError| unread(&e, &self.path);
        let count = self.rows_of(group) as usize;
        let reader = self.reader.get_row_group(group).map_err(wrong)?;
        let mut words: Vec<Vec<i64>> = vec![Vec::with_capacity(count); self.width];
        let (mut starts, mut closed) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let columns = (0..self.width + 2).map(|index| reader.get_column_reader(index));
        for (index, column) in columns.enumerate() {
            let read = match column.map_err(wrong)? {
                ColumnReader::Int64ColumnReader(mut column) if index < self.width => {
                    column.read_records(count, None, None, &mut words[index])
                }
                ColumnReader::Int32ColumnReader(mut column) if index == self.width => {
                    column.read_records(count, None, None, &mut starts)
                }
                ColumnReader::BoolColumnReader(mut column) if index > self.width => {
                    column.read_records(count, None, None, &mut closed)
                }
                _ => return Err(unread(&"a column has the wrong type", &self.path)),
            };
            if read.map_err(wrong)?.0 != count {
                return Err(unread(&"a column is too short", &self.path));
            }
        }
        let mut key = vec![0; self.width];
        let keys = (0..count).map(|row| {
            key.iter_mut().zip(&words).for_each(|(k, column)| *k = column[row].cast_unsigned());
            K::of(&key)
        });
        let keys = keys.collect();
        let start = starts.into_iter().map(|s| Square::new(s.cast_unsigned())).collect();
        Ok(TourRows { keys, start, closed })
    }
}

fn unread(error: &dyn std::fmt::Display, path: &Path) -> StoreError {
    StoreError::damaged(path, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_grow_before_parquet_cannot_number_them() {
        let most = ROWS * GROUPS;
        assert_eq!([0, 1, most].map(rows_of_group), [ROWS; 3]);
        assert_eq!([most + 1, 2 * most].map(rows_of_group), [2 * ROWS; 2]);
        for tours in [73_000_000_000, 1_000_000_000_000, MOST_ROWS * GROUPS] {
            assert!(tours.div_ceil(rows_of_group(tours)) <= GROUPS, "{tours}");
        }
    }

    #[test]
    fn parquet_accepts_the_largest_number_of_groups_and_no_more() {
        let layout = TableLayout::new(1, 1).unwrap();
        let row = TourRows { keys: vec![[7]], start: vec![Square::new(0)], closed: vec![true] };
        let encoded = layout.encode(&row).unwrap();
        let mut table = TableWriter::new(&layout, Vec::new()).unwrap();
        for _ in 0..GROUPS {
            table.append(&encoded, Path::new("tours.parquet")).unwrap();
        }
        assert!(table.append(&encoded, Path::new("tours.parquet")).is_err());
    }
}
