//! The chromosome: one gene per move, which holds the number of the move in binary.
//!
//! Gene i is the move made from the i-th square of the path, as numbered in Figure 1 of Gordon &
//! Slocum (the `digits` of the notations); on a graph from a file it is an index into the list of
//! neighbours. A gene has three bits if no square has more than eight moves, and otherwise as many bits as
//! needed. There is one gene per square: the last is the closing move, unused by open tours.

use crate::board::bits::Bits;
use crate::board::{Graph, Square};
use fixedbitset::FixedBitSet;
use rand::Rng;
use std::hint::select_unpredictable;

/// One gene, which need not encode a legal move.
pub(super) type Gene = u16;

/// Minimum number of bits per gene, enough for eight moves: three in Gordon & Slocum (2004).
const LEAST_BITS: usize = 3;

/// The graph as seen by chromosomes: squares are numbered as *places*, and genes lead to places.
pub(super) trait GeneGraph {
    /// A set of places; the default value must be reset before use.
    type Set: Default;

    /// Returns the number of places that a tour visits.
    fn order(&self) -> usize;
    /// Returns the exclusive upper bound of place numbers.
    fn places(&self) -> usize;
    /// Returns the bits per gene.
    fn bits(&self) -> usize;
    /// Returns the place of a square.
    fn place(&self, square: Square) -> u32;
    /// Returns the square of a place.
    fn square(&self, place: u32) -> Square;
    /// Returns the place to which a gene leads; this is `place` itself if the gene encodes no move.
    fn target(&self, place: u32, gene: Gene) -> u32;
    /// Returns the exclusive upper bound of the genes that may encode a move from a place.
    fn genes(&self, place: u32) -> Gene;
    /// Sets `set` to all places except those of a path.
    fn reset(&self, set: &mut Self::Set, path: &[u32]);
    /// Sets `set` to a single place.
    fn only(&self, set: &mut Self::Set, place: u32);
    /// Returns whether a set contains a place.
    fn has(set: &Self::Set, place: u32) -> bool;
    /// Removes a place from a set.
    fn take(set: &mut Self::Set, place: u32);

    /// Returns `gene` and its target if the target is in the set; otherwise the lowest gene whose target is
    /// in the set.
    #[inline]
    fn lowest(&self, set: &Self::Set, place: u32, gene: Gene) -> Option<(Gene, u32)> {
        let genes = std::iter::once(gene).chain(0..self.genes(place));
        let mut moves = genes.map(|gene| (gene, self.target(place, gene)));
        moves.find(|&(_, to)| Self::has(set, to))
    }

    /// Returns the number of moves from a place that lead into the set.
    fn onward(&self, set: &Self::Set, place: u32) -> u32 {
        let targets = (0..self.genes(place)).map(|gene| self.target(place, gene));
        targets.filter(|&to| to != place && Self::has(set, to)).count() as u32
    }

    /// Returns the gene that leads from one place to another, if there is one.
    fn gene(&self, from: u32, to: u32) -> Option<Gene> {
        (0..self.genes(from)).find(|&gene| self.target(from, gene) == to)
    }
}

/// Returns the maximum number of moves from any square.
pub(super) fn most_moves(graph: &Graph) -> usize {
    let degrees = || graph.vertices().map(|v| graph.degree(v)).max();
    graph.move_count().or_else(degrees).unwrap_or(0)
}

fn bits_for(moves: usize) -> usize {
    let needed = usize::BITS - moves.max(1).saturating_sub(1).leading_zeros();
    LEAST_BITS.max(needed as usize)
}

/// Draws a random chromosome.
pub(super) fn draw(genes: &mut [Gene], bits: usize, rng: &mut impl Rng) {
    for chunk in genes.chunks_mut(64 / bits) {
        let mut word = rng.next_u64();
        for gene in chunk {
            *gene = (word & ((1 << bits) - 1)) as Gene;
            word >>= bits;
        }
    }
}

/// Returns the target of each gene of a square; `None` if the gene encodes no move.
fn near(graph: &Graph, square: Square) -> Vec<Option<Square>> {
    match graph.move_count() {
        Some(moves) => (0..moves).map(|code| graph.step(square, code)).collect(),
        None => graph.neighbours(square).map(Some).collect(),
    }
}

/// A graph of at most 64 squares; sets are words. In the order of the genes, the neighbours' numbers must
/// first rise and then fall, as the knight's do. So the lowest gene that leads into a set is found at the
/// lowest bit of the rising part or, if that part is empty, at the highest bit of the falling part.
pub(super) struct SmallGeneGraph {
    board: Bits,
    bits: usize,
    /// The neighbours in the rising part.
    up: [u64; 64],
    /// Targets by place and gene, 64 per place.
    targets: [u8; 4096],
    /// Genes by place and target.
    genes: [u8; 4096],
}

impl SmallGeneGraph {
    /// Creates the tables; `None` if the graph is too large or its neighbours are in another order, as
    /// for some unions of leapers.
    pub(super) fn new(graph: &Graph) -> Option<Box<SmallGeneGraph>> {
        let (board, bits) = (Bits::new(graph)?, bits_for(most_moves(graph)));
        if bits > 6 {
            return None;
        }
        let (up, targets, genes) = ([0; 64], [0; 4096], [0; 4096]);
        let mut small = Box::new(SmallGeneGraph { board, bits, up, targets, genes });
        for place in 0..small.board.n {
            small.targets[place << 6..][..64].fill(place as u8);
            let (mut last, mut falling) = (None, false);
            for (gene, to) in near(graph, small.board.square[place]).into_iter().enumerate() {
                let Some(to) = to.map(|square| small.board.vertex(square)) else { continue };
                falling |= last.is_some_and(|last| to < last);
                if falling && last.is_some_and(|last| to > last) {
                    return None;
                }
                small.up[place] |= u64::from(!falling) << to;
                small.targets[place << 6 | gene] = to as u8;
                small.genes[place << 6 | to] = gene as u8;
                last = Some(to);
            }
        }
        Some(small)
    }
}

impl GeneGraph for SmallGeneGraph {
    type Set = u64;

    fn order(&self) -> usize {
        self.board.n
    }

    fn places(&self) -> usize {
        self.board.n
    }

    fn bits(&self) -> usize {
        self.bits
    }

    fn place(&self, square: Square) -> u32 {
        self.board.vertex(square) as u32
    }

    fn square(&self, place: u32) -> Square {
        self.board.square[place as usize & 63]
    }

    #[inline(always)]
    fn target(&self, place: u32, gene: Gene) -> u32 {
        u32::from(self.targets[((place as usize) << 6 | gene as usize) & 4095])
    }

    fn genes(&self, _: u32) -> Gene {
        1 << self.bits
    }

    fn reset(&self, set: &mut u64, path: &[u32]) {
        *set = path.iter().fold(self.board.all(), |set, &place| set & !(1 << place));
    }

    fn only(&self, set: &mut u64, place: u32) {
        *set = 1 << place;
    }

    #[inline(always)]
    fn has(set: &u64, place: u32) -> bool {
        set >> (place & 63) & 1 == 1
    }

    #[inline(always)]
    fn take(set: &mut u64, place: u32) {
        *set &= !(1 << (place & 63));
    }

    #[inline(always)]
    fn lowest(&self, set: &u64, place: u32, gene: Gene) -> Option<(Gene, u32)> {
        // Do not branch on whether the gene is legal: the branch would be unpredictable.
        let here = place as usize & 63;
        let row = here << 6;
        let wanted = u32::from(self.targets[(row | gene as usize) & 4095]);
        let near = set & self.board.attacks[here];
        if near == 0 {
            return None;
        }
        let up = near & self.up[here];
        let (low, high) = (up.trailing_zeros(), near.leading_zeros() ^ 63);
        let other = select_unpredictable(up != 0, low, high);
        let to = select_unpredictable(set >> (wanted & 63) & 1 == 1, wanted, other);
        Some((Gene::from(self.genes[(row | to as usize) & 4095]), to))
    }

    #[inline(always)]
    fn onward(&self, set: &u64, place: u32) -> u32 {
        (self.board.attacks[place as usize & 63] & set).count_ones()
    }
}

/// Any graph; places are its squares.
pub(super) struct LargeGeneGraph {
    graph: Graph,
    bits: usize,
    all: FixedBitSet,
}

impl LargeGeneGraph {
    pub(super) fn new(graph: &Graph) -> LargeGeneGraph {
        let mut all = FixedBitSet::with_capacity(graph.len());
        graph.vertices().for_each(|v| all.insert(v.index()));
        LargeGeneGraph { graph: graph.clone(), bits: bits_for(most_moves(graph)), all }
    }
}

impl GeneGraph for LargeGeneGraph {
    type Set = FixedBitSet;

    fn order(&self) -> usize {
        self.graph.order()
    }

    fn places(&self) -> usize {
        self.graph.len()
    }

    fn bits(&self) -> usize {
        self.bits
    }

    fn place(&self, square: Square) -> u32 {
        square.number()
    }

    fn square(&self, place: u32) -> Square {
        Square::new(place)
    }

    fn target(&self, place: u32, gene: Gene) -> u32 {
        let from = Square::new(place);
        let to = match self.graph.move_count() {
            Some(_) => self.graph.step(from, gene as usize),
            None => self.graph.neighbours(from).nth(gene as usize),
        };
        to.unwrap_or(from).number()
    }

    fn genes(&self, place: u32) -> Gene {
        self.graph.move_count().unwrap_or_else(|| self.graph.degree(Square::new(place))) as Gene
    }

    fn reset(&self, set: &mut FixedBitSet, path: &[u32]) {
        set.clone_from(&self.all);
        path.iter().for_each(|&place| set.remove(place as usize));
    }

    fn only(&self, set: &mut FixedBitSet, place: u32) {
        set.clear();
        set.insert(place as usize);
    }

    fn has(set: &FixedBitSet, place: u32) -> bool {
        set.contains(place as usize)
    }

    fn take(set: &mut FixedBitSet, place: u32) {
        set.remove(place as usize);
    }
}
