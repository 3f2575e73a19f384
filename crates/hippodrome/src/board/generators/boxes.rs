//! Graphs on the cells of a box with any number of sides: grids, tori and knights.
//!
//! Cells are numbered with the last coordinate running fastest: in two dimensions row by row.

use super::GraphSize;
use super::families::SizeResult;

/// Returns the product of all sides but those at the given places.
fn product(sides: &[u64], without: &[usize]) -> u128 {
    let others = sides.iter().enumerate().filter(|(at, _)| !without.contains(at));
    others.fold(1, |product: u128, (_, &side)| product.saturating_mul(side.into()))
}

/// Returns the distance of neighbouring cells along each side.
fn strides(sides: &[u64]) -> Vec<u32> {
    let mut strides = vec![1; sides.len()];
    for at in (1..sides.len()).rev() {
        strides[at - 1] = strides[at] * sides[at] as u32;
    }
    strides
}

/// Returns the size of a graph with a number of edges; every side must have at least `least` cells.
fn sized(sides: &[u64], least: u64, rule: &'static str, edges: impl Fn() -> u128) -> SizeResult {
    match sides.iter().all(|&side| side >= least) {
        true => Ok(GraphSize { vertices: product(sides, &[]), edges: edges() }),
        false => Err(rule),
    }
}

/// Returns the edges that lead from each cell to the one `step` away along some sides, within the box.
fn leaps(sides: &[u64], steps: &[Vec<(usize, i64)>]) -> Vec<(u32, u32)> {
    let strides = strides(sides);
    let cells = product(sides, &[]) as u32;
    let mut edges = Vec::new();
    for cell in 0..cells {
        for step in steps {
            let target = step.iter().try_fold(i64::from(cell), |target, &(side, by)| {
                let here = i64::from(cell / strides[side]) % sides[side] as i64;
                let inside = (0..sides[side] as i64).contains(&(here + by));
                inside.then_some(target + by * i64::from(strides[side]))
            });
            edges.extend(target.map(|target| (cell, target as u32)));
        }
    }
    edges
}

pub(super) fn grid_size(sides: &[u64]) -> SizeResult {
    sized(sides, 1, "every side must be at least 1", || {
        let along = |at| u128::from(sides[at] - 1).saturating_mul(product(sides, &[at]));
        (0..sides.len()).map(along).fold(0, u128::saturating_add)
    })
}

/// One step along one side.
pub(super) fn grid(sides: &[u64]) -> Vec<(u32, u32)> {
    leaps(sides, &(0..sides.len()).map(|side| vec![(side, 1)]).collect::<Vec<_>>())
}

pub(super) fn torus_size(sides: &[u64]) -> SizeResult {
    sized(sides, 3, "every side must be at least 3", || {
        product(sides, &[]).saturating_mul(sides.len() as u128)
    })
}

/// One step along one side, from the last cell to the first.
pub(super) fn torus(sides: &[u64]) -> Vec<(u32, u32)> {
    let strides = strides(sides);
    let ahead = |cell: u32| {
        let strides = &strides;
        (0..sides.len()).map(move |at| {
            let (stride, side) = (strides[at], sides[at] as u32);
            let last = cell / stride % side == side - 1;
            (cell, if last { cell - stride * (side - 1) } else { cell + stride })
        })
    };
    (0..product(sides, &[]) as u32).flat_map(ahead).collect()
}

pub(super) fn knight_size(sides: &[u64]) -> SizeResult {
    sized(sides, 1, "every side must be at least 1", || {
        let ordered = (0..sides.len()).flat_map(|one| (0..sides.len()).map(move |two| (one, two)));
        let each = ordered.filter(|(one, two)| one != two).map(|(one, two)| {
            let places = u128::from(sides[one] - 1) * u128::from(sides[two].saturating_sub(2));
            places.saturating_mul(product(sides, &[one, two])).saturating_mul(2)
        });
        each.fold(0, u128::saturating_add)
    })
}

/// One step along one side and two along another, in both directions.
pub(super) fn knight(sides: &[u64]) -> Vec<(u32, u32)> {
    let ordered = (0..sides.len()).flat_map(|one| (0..sides.len()).map(move |two| (one, two)));
    let steps = ordered
        .filter(|(one, two)| one != two)
        .flat_map(|(one, two)| [vec![(one, 1), (two, 2)], vec![(one, 1), (two, -2)]]);
    leaps(sides, &steps.collect::<Vec<_>>())
}
