//! Tests that render pictures with another program.

use crate::common::{file, folder, run};
use hippodrome::draw::chart::{Axis, Line, LineChart, Mark, Row, RowChart};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

fn parsed(svg: &str) -> Tree {
    Tree::from_str(svg, &Options::default()).unwrap_or_else(|e| panic!("{e}: {svg}"))
}

#[test]
fn pictures_are_svg_that_others_read() {
    let square = file("names.graph", "a&b <c>\n<c> d\nd e\ne a&b\n");
    let ring = file("ring.mask", "...\n.#.\n...\n");
    for arguments in [
        "5x5".into(),
        "130x130".into(),
        format!("--mask {ring} --closed"),
        format!("--graph {square} --closed"),
    ] {
        let ran = run(&format!("find {arguments} --format svg"));
        assert_eq!(ran.code, 0, "{arguments}: {}", ran.err);
        parsed(&ran.out);
    }
}

#[test]
fn png_and_svg_show_the_same_picture() {
    let place = folder("same-picture");
    for style in ["--numbers", "--dark"] {
        let path = place.join(format!("{style}.png"));
        let find = format!("find 6x6 --closed --seed 1 {style}");
        assert_eq!(run(&format!("{find} --format png -o {}", path.display())).code, 0);
        let ours = Pixmap::decode_png(&std::fs::read(path).expect("a picture")).expect("a PNG");
        let tree = parsed(&run(&format!("{find} --format svg")).out);
        let mut theirs = Pixmap::new(ours.width(), ours.height()).expect("a size");
        resvg::render(&tree, Transform::identity(), &mut theirs.as_mut());
        let far = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 24;
        let differing = ours.data().iter().zip(theirs.data()).filter(|&pair| far(pair)).count();
        assert!(differing * 1000 < ours.data().len(), "{differing} of {}", ours.data().len());
    }
}

#[test]
fn charts_are_svg_that_others_read() {
    let line =
        |name: &str, points: &[(f64, f64)]| Line { name: name.into(), points: points.to_vec() };
    let lines = |axes, lines| LineChart { title: "A & B <over> time".into(), axes, lines };
    let logarithmic = (Axis::logarithmic("seconds"), Axis::logarithmic("tours"));
    let several = vec![
        line("a", &[(0.0, 0.0), (0.001, 1.0), (10.0, 1e6)]),
        line("never", &[]),
        line("flat", &[(0.001, 0.0)]),
    ];
    let rows = RowChart {
        title: "rows".into(),
        axis: Axis::linear("share"),
        rows: vec![
            Row { name: "x".into(), mark: Mark::Quartiles([0.1, 0.2, 0.3, 0.4, 0.5]) },
            Row { name: "y".into(), mark: Mark::Interval { value: 0.2, around: None } },
            Row { name: "z".into(), mark: Mark::Nothing },
        ],
    };
    let empty = lines((Axis::linear("x"), Axis::linear("y")), Vec::new());
    for svg in [lines(logarithmic, several).svg(), rows.svg(), empty.svg()] {
        parsed(&svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
