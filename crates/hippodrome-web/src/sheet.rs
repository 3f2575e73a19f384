//! Draws the tours of a gallery on one sheet: pages of a PDF, or one picture.

use crate::api_error::ApiError;
use crate::limits::MAX_GALLERY_TOURS;
use crate::spec::ProblemSpec;
use crate::tours::{ImageOptions, read_tour, short};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hippodrome::draw::{Sheet, SheetFormat, SheetWriter, Style};
use serde::Deserialize;

/// Maximum width of a sheet in pixels. A picture may be several times as high.
const MAX_SHEET_PIXELS: u32 = 2048;

/// A request for a sheet of tours of one board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SheetRequest {
    ground: ProblemSpec,
    /// The tours, in any notation.
    tours: Vec<String>,
    form: SheetForm,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    look: ImageOptions,
}

/// The file format of a sheet.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SheetForm {
    Pdf,
    Svg,
    Png,
}

impl SheetForm {
    fn format(self) -> (SheetFormat, &'static str) {
        match self {
            SheetForm::Pdf => (SheetFormat::Pdf, "application/pdf"),
            SheetForm::Svg => (SheetFormat::Svg, "image/svg+xml"),
            SheetForm::Png => (SheetFormat::Png, "image/png"),
        }
    }
}

impl SheetRequest {
    /// Verifies the tours and draws the sheet.
    pub(crate) fn render(self) -> Result<Response, ApiError> {
        if self.tours.is_empty() || self.tours.len() as u64 > MAX_GALLERY_TOURS {
            return Err(ApiError::too_large(format!(
                "invalid number of tours {}: expected 1 to {MAX_GALLERY_TOURS}",
                self.tours.len()
            )));
        }
        let problem = self.ground.small_problem()?;
        let (format, kind) = self.form.format();
        let style = self.look.style();
        let size = style.size.map(|size| size.min(MAX_SHEET_PIXELS));
        let title = self.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
        let sheet = Sheet {
            title: title.map(|title| short("title", title).map(str::to_string)).transpose()?,
            caption: self.look.caption()?,
            ..Sheet::new(Style { size, ..style })
        };
        let mut out = Vec::new();
        let mut writer = SheetWriter::new(sheet, format, &mut out)?;
        for (number, text) in (1..).zip(&self.tours) {
            let numbered =
                |error: ApiError| ApiError(error.0, format!("tour {number}: {}", error.1));
            let tour = read_tour(problem.graph(), text).map_err(numbered)?;
            writer.add(&tour.view(), number)?;
        }
        writer.finish()?;
        Ok(([(header::CONTENT_TYPE, kind)], out).into_response())
    }
}
