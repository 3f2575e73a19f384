//! Colours: three themes, and a ramp along a tour.
//!
//! The ramp is a curve in Oklch (Ottosson 2020). Its lightness increases monotonically, so it works with colour
//! blindness and in greyscale; its hue changes from indigo through rose to amber. It is divided into steps
//! of equal length in Oklab, so equal times look equally far apart.

use super::Theme;
use std::fmt;

/// An sRGB colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Rgb(pub(super) [u8; 3]);

impl Rgb {
    /// Mixes in a share of another colour.
    pub(super) fn mix(self, other: Rgb, share: f32) -> Rgb {
        let part = |i: usize| {
            let (from, to) = (f32::from(self.0[i]), f32::from(other.0[i]));
            (from + share * (to - from)).round() as u8
        };
        Rgb([part(0), part(1), part(2)])
    }
}

/// `#rrggbb`.
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

const fn hex(rgb: u32) -> Rgb {
    Rgb([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
}

/// The colours of a theme except those of the path.
pub(super) struct Palette {
    /// Behind the board.
    pub(super) page: Rgb,
    /// Light squares.
    pub(super) light: Rgb,
    /// Dark squares.
    pub(super) dark: Rgb,
    /// Between light and dark; separates crossing moves.
    pub(super) between: Rgb,
    /// Missing squares.
    pub(super) hole: Rgb,
    /// The hatching of missing squares.
    pub(super) hatch: Rgb,
    /// Start, end and other marks.
    pub(super) ink: Rgb,
    /// Coordinates.
    pub(super) label: Rgb,
    /// Outlines of squares, and edges of a graph.
    pub(super) grid: Rgb,
    /// A path in one colour.
    pub(super) plain: Rgb,
}

const LIGHT: Palette = Palette {
    page: hex(0xfdfcfa),
    light: hex(0xf6f3ec),
    dark: hex(0xe9e4d9),
    between: hex(0xf0ece3),
    hole: hex(0x86827a),
    hatch: hex(0x6b6861),
    ink: hex(0x1c1e24),
    label: hex(0x6f6b62),
    grid: hex(0xb3ada0),
    plain: hex(0x35507c),
};

const DARK: Palette = Palette {
    page: hex(0x131519),
    light: hex(0x262a32),
    dark: hex(0x1c1f26),
    between: hex(0x21252c),
    hole: hex(0x07080a),
    hatch: hex(0x3a3e47),
    ink: hex(0xf7f5ef),
    label: hex(0x9a9da6),
    grid: hex(0x4a4f5a),
    plain: hex(0x8fb3e8),
};

const MONO: Palette = Palette {
    page: hex(0xffffff),
    light: hex(0xffffff),
    dark: hex(0xffffff),
    between: hex(0xffffff),
    hole: hex(0xd0d0d0),
    hatch: hex(0x808080),
    ink: hex(0x000000),
    label: hex(0x404040),
    grid: hex(0xa0a0a0),
    plain: hex(0x000000),
};

impl Palette {
    pub(super) fn of(theme: Theme) -> &'static Palette {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
            Theme::Mono => &MONO,
        }
    }

    /// Returns all colours.
    pub(super) fn all(&self) -> [Rgb; 10] {
        let Palette { page, light, dark, between, hole, hatch, ink, label, grid, plain } = *self;
        [page, light, dark, between, hole, hatch, ink, label, grid, plain]
    }
}

/// Colours along a path, from its start to its end.
pub(super) struct Ramp(Vec<Rgb>);

/// Steps of a ramp, and the most colours of a path.
pub(super) const STEPS: usize = 256;

impl Ramp {
    /// Returns the ramp of a theme; its lightness contrasts with the board.
    pub(super) fn of(theme: Theme) -> Ramp {
        // The board limits the lightness of a theme, the sRGB gamut its chroma.
        let (low, high, base, vivid) = match theme {
            Theme::Light => (0.33, 0.735, 0.13, 0.06),
            Theme::Dark => (0.52, 0.89, 0.13, 0.045),
            Theme::Mono => (0.2, 0.8, 0.0, 0.0),
        };
        let curve = |t: f32| {
            let chroma = base + vivid * (std::f32::consts::PI * t).sin();
            oklab(low + (high - low) * t, chroma, 278.0 + 165.0 * t)
        };
        const FINE: usize = 16 * STEPS;
        let points: Vec<[f32; 3]> = (0..=FINE).map(|i| curve(i as f32 / FINE as f32)).collect();
        let mut length = vec![0.0; FINE + 1];
        for i in 1..=FINE {
            length[i] = length[i - 1] + distance(points[i - 1], points[i]);
        }
        let mut at = 0;
        let colours = (0..STEPS).map(|step| {
            let wanted = length[FINE] * step as f32 / (STEPS - 1) as f32;
            while at < FINE && length[at] < wanted {
                at += 1;
            }
            to_rgb(points[at])
        });
        Ramp(colours.collect())
    }

    /// Returns a ramp of a single colour.
    pub(super) fn plain(theme: Theme) -> Ramp {
        Ramp(vec![Palette::of(theme).plain])
    }

    /// Returns the step at time `time` of `total`.
    pub(super) fn step(&self, time: usize, total: usize) -> usize {
        let last = self.0.len() - 1;
        if total < 2 { 0 } else { (time * last / (total - 1)).min(last) }
    }

    /// Returns the colour of a step.
    pub(super) fn colour(&self, step: usize) -> Rgb {
        self.0[step.min(self.0.len() - 1)]
    }
}

/// Returns black or white, whichever is more readable on `ground`.
pub(super) fn readable_on(ground: Rgb) -> Rgb {
    if from_rgb(ground)[0] > 0.68 { hex(0x16181d) } else { hex(0xffffff) }
}

fn oklab(lightness: f32, chroma: f32, hue: f32) -> [f32; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
    [lightness, chroma * cos, chroma * sin]
}

fn distance(p: [f32; 3], q: [f32; 3]) -> f32 {
    p.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

fn to_rgb([l, a, b]: [f32; 3]) -> Rgb {
    let cube = |x: f32| x * x * x;
    let long = cube(l + 0.396_337_78 * a + 0.215_803_76 * b);
    let middle = cube(l - 0.105_561_346 * a - 0.063_854_17 * b);
    let short = cube(l - 0.089_484_18 * a - 1.291_485_5 * b);
    let gamma = |x: f32| {
        let x = x.clamp(0.0, 1.0);
        let y = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
        (y * 255.0).round() as u8
    };
    Rgb([
        gamma(4.076_741_7 * long - 3.307_711_6 * middle + 0.230_969_94 * short),
        gamma(-1.268_438 * long + 2.609_757_4 * middle - 0.341_319_38 * short),
        gamma(-0.004_196_086 * long - 0.703_418_6 * middle + 1.707_614_7 * short),
    ])
}

fn from_rgb(Rgb(rgb): Rgb) -> [f32; 3] {
    let [r, g, b] = rgb.map(|byte| {
        let y = f32::from(byte) / 255.0;
        if y <= 0.040_45 { y / 12.92 } else { ((y + 0.055) / 1.055).powf(2.4) }
    });
    let long = (0.412_221_47 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let middle = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let short = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * long + 0.793_617_8 * middle - 0.004_072_047 * short,
        1.977_998_5 * long - 2.428_592_2 * middle + 0.450_593_7 * short,
        0.025_904_037 * long + 0.782_771_77 * middle - 0.808_675_77 * short,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_grows_lighter_in_even_steps() {
        for theme in [Theme::Light, Theme::Dark] {
            let ramp = Ramp::of(theme);
            let tenths: Vec<[f32; 3]> = (0..=10).map(|i| from_rgb(ramp.0[i * 255 / 10])).collect();
            let steps: Vec<f32> = tenths.windows(2).map(|w| distance(w[0], w[1])).collect();
            let mean = steps.iter().sum::<f32>() / 10.0;
            assert!(steps.iter().all(|s| (s / mean - 1.0).abs() < 0.15), "{theme:?} {steps:?}");
            assert!(tenths.windows(2).all(|w| w[1][0] > w[0][0] + 0.015), "{theme:?} {tenths:?}");
        }
    }

    #[test]
    fn the_path_stands_out_from_the_board() {
        for theme in [Theme::Light, Theme::Dark] {
            let (ramp, palette) = (Ramp::of(theme), Palette::of(theme));
            for colour in &ramp.0 {
                for ground in [palette.light, palette.dark, palette.hole] {
                    let apart = distance(from_rgb(*colour), from_rgb(ground));
                    assert!(apart > 0.15, "{theme:?} {colour} on {ground}: {apart}");
                }
            }
        }
    }

    #[test]
    fn colours_survive_the_way_to_oklab_and_back() {
        for rgb in [0x000000, 0xffffff, 0x35507c, 0x8fb3e8, 0x12ff80] {
            assert_eq!(to_rgb(from_rgb(hex(rgb))), hex(rgb));
        }
    }
}
