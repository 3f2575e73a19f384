use super::*;

fn line(name: &str, points: &[(f64, f64)]) -> Line {
    Line { name: name.into(), points: points.to_vec() }
}

fn lines(axes: (Axis, Axis), lines: Vec<Line>) -> LineChart {
    LineChart { title: "A & B <over> time".into(), axes, lines }
}

#[test]
fn values_are_placed_by_the_axis() {
    let scale = Axis::linear("x").over([3.0, 97.0]);
    assert_eq!(scale.ticks(), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
    assert!((scale.share(25.0) - 0.25).abs() < 1e-12);
    let scale = Axis::logarithmic("x").over([0.0, 0.02, 300.0]);
    assert_eq!(scale.ticks(), [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]);
    assert!((scale.share(1.0) - 0.4).abs() < 1e-12);
    let lone = Axis::linear("x").over([0.0]);
    assert!(lone.ticks().len() > 1 && lone.share(0.0) == 0.0);
    let below = Axis::linear("x").over([-3.0, 4.0]);
    assert_eq!(below.ticks(), [-4.0, -2.0, 0.0, 2.0, 4.0]);
}

#[test]
fn names_of_lines_do_not_overlap() {
    let same: Vec<Line> =
        (0..12).map(|n| line(&n.to_string(), &[(0.0, 0.0), (1.0, 1.0)])).collect();
    let svg = lines((Axis::linear("x"), Axis::linear("y")), same).svg();
    let mut heights: Vec<f64> = svg
        .lines()
        .filter(|l| l.contains("text-anchor=\"start\""))
        .map(|l| l.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(heights.len(), 12);
    heights.sort_by(f64::total_cmp);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 14.9));
}
