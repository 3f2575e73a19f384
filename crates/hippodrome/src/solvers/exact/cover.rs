//! The state of the search: chosen edges, possible edges, and the steps to undo.
//!
//! Every vertex needs two chosen edges. Chosen edges form paths; each end of a path stores the
//! other end, its mate. The possible edges of a vertex are at the front of its row of cells.
//! Dropping an edge swaps it out of the front part; edges are restored in reverse order, by
//! incrementing the length of the front part.
//! Cost: O(V + E) memory; dropping or restoring an edge takes constant time.

#[cfg(any(test, debug_assertions))]
mod sanity;

/// An edge seen from one of its ends: twice the number of the edge, plus one for the other end.
pub(super) type Dart = u32;

/// Signals that the current branch contains no further tours.
pub(super) struct Dead;

/// One reversible step.
#[derive(Clone, Copy)]
enum UndoStep {
    /// A dart was removed from the row of this vertex.
    Drop(u32),
    /// This dart was chosen.
    Choose(Dart),
}

/// The most frequently read data of a vertex.
#[derive(Clone, Copy)]
pub(super) struct VertexState {
    /// Start of its row of cells.
    row: u32,
    /// Number of possible edges.
    pub(super) degree: u32,
    /// Number of edges still to be chosen: 2 outside all paths, 1 at the end of a path, 0 inside a
    /// path.
    pub(super) need: u32,
    /// The other end of its path. Outside all paths it is the vertex itself; inside a path it is
    /// out of date.
    pub(super) mate: u32,
}

/// Chosen and possible edges in the search for a Hamiltonian cycle.
#[derive(Clone)]
pub(super) struct PathCover {
    pub(super) vertices: Vec<VertexState>,
    cells: Vec<Dart>,
    place: Vec<u32>,
    head: Vec<u32>,
    /// The chosen neighbours of each vertex; there are two minus its need.
    link: Vec<[u32; 2]>,
    steps: Vec<UndoStep>,
    tight: Vec<u32>,
    /// Vertices from this number on are not squares, and their edges are not moves.
    squares: u32,
    chosen: u32,
    moves: u64,
    closed: bool,
}

impl PathCover {
    /// Creates the cover of the given edges, with nothing chosen. The first `squares` vertices are
    /// squares.
    pub(super) fn new(squares: usize, order: usize, edges: &[[u32; 2]]) -> PathCover {
        let blank = VertexState { row: 0, degree: 0, need: 2, mate: 0 };
        let mut vertices = vec![blank; order];
        let head: Vec<u32> = edges.iter().flat_map(|&[u, v]| [v, u]).collect();
        for &v in &head {
            vertices[v as usize].degree += 1;
        }
        let mut row = 0;
        for (index, vertex) in vertices.iter_mut().enumerate() {
            (vertex.row, vertex.mate) = (row, index as u32);
            row += std::mem::take(&mut vertex.degree);
        }
        let (mut cells, mut place) = (vec![0; head.len()], vec![0; head.len()]);
        for dart in 0..head.len() {
            let tail = &mut vertices[head[dart ^ 1] as usize];
            let at = tail.row + tail.degree;
            tail.degree += 1;
            (cells[at as usize], place[dart]) = (dart as Dart, at);
        }
        let link = vec![[0; 2]; order];
        let (steps, tight) = (Vec::new(), Vec::new());
        PathCover {
            vertices,
            cells,
            place,
            head,
            link,
            steps,
            tight,
            squares: squares as u32,
            chosen: 0,
            moves: 0,
            closed: false,
        }
    }

    /// Returns the number of vertices.
    pub(super) fn order(&self) -> usize {
        self.vertices.len()
    }

    /// Returns the number of edges between squares that were chosen since the last call, including undone
    /// ones.
    pub(super) fn moves(&mut self) -> u64 {
        std::mem::take(&mut self.moves)
    }

    /// Returns whether a vertex is a square, not an added apex.
    #[inline]
    pub(super) fn is_square(&self, v: u32) -> bool {
        v < self.squares
    }

    /// Returns whether the chosen edges are a Hamiltonian cycle.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns the vertex to which a dart leads.
    #[inline]
    pub(super) fn head(&self, dart: Dart) -> u32 {
        self.head[dart as usize]
    }

    /// Returns the possible darts out of a vertex.
    #[inline]
    pub(super) fn darts(&self, v: u32) -> &[Dart] {
        let VertexState { row, degree, .. } = self.vertices[v as usize];
        &self.cells[row as usize..(row + degree) as usize]
    }

    /// Returns the chosen neighbours of a vertex; there are two once the cycle is closed.
    #[inline]
    pub(super) fn links(&self, v: u32) -> &[u32] {
        let count = if self.closed { 2 } else { 2 - self.vertices[v as usize].need as usize };
        &self.link[v as usize][..count]
    }

    /// Returns the vertex reached from `at` by the chosen edge that does not lead to `from`, if
    /// there is one.
    #[inline]
    pub(super) fn onward(&self, from: u32, at: u32) -> Option<u32> {
        self.links(at).iter().copied().find(|&next| next != from)
    }

    /// Returns the vertices that have lost an edge since the mark, with duplicates.
    pub(super) fn touched(&self, mark: usize) -> impl Iterator<Item = u32> + '_ {
        self.steps[mark..].iter().filter_map(|step| match step {
            UndoStep::Drop(v) => Some(*v),
            UndoStep::Choose(_) => None,
        })
    }

    /// Returns the darts chosen since the mark. A forced one leads away from the vertex that has no other edge left.
    pub(super) fn chosen_since(&self, mark: usize) -> impl Iterator<Item = Dart> + '_ {
        self.steps[mark..].iter().filter_map(|step| match step {
            UndoStep::Drop(_) => None,
            UndoStep::Choose(dart) => Some(*dart),
        })
    }

    /// Calls `visit` for every edge that is chosen (`true`) or dropped.
    pub(super) fn each_decided(&self, mut visit: impl FnMut(Dart, bool)) {
        for dart in (0..self.head.len() as Dart).step_by(2) {
            let (u, v) = (self.head(dart ^ 1), self.head(dart));
            if self.links(u).contains(&v) {
                visit(dart, true);
            } else if !self.is_possible(dart) {
                visit(dart, false);
            }
        }
    }

    /// Returns whether an edge is neither chosen nor dropped.
    fn is_possible(&self, dart: Dart) -> bool {
        [dart, dart ^ 1].iter().all(|&a| {
            let tail = &self.vertices[self.head(a ^ 1) as usize];
            self.place[a as usize] < tail.row + tail.degree
        })
    }

    /// Takes or excludes an edge, unless it is already decided, and applies the consequences.
    pub(super) fn decide(&mut self, dart: Dart, take: bool) -> Result<(), Dead> {
        if self.is_possible(dart) {
            if take {
                self.choose(dart)?
            } else {
                self.drop(dart)?
            };
            self.settle()
        } else if self.links(self.head(dart)).contains(&self.head(dart ^ 1)) == take {
            Ok(())
        } else {
            Err(Dead)
        }
    }

    /// Returns the possible dart from `u` to `v`, if there is one.
    fn between(&self, u: u32, v: u32) -> Option<Dart> {
        if self.vertices[u as usize].degree <= self.vertices[v as usize].degree {
            self.darts(u).iter().copied().find(|&a| self.head(a) == v)
        } else {
            self.darts(v).iter().copied().find(|&a| self.head(a) == u).map(|a| a ^ 1)
        }
    }

    /// Returns a mark of the current state for [`PathCover::back_to`].
    pub(super) fn mark(&self) -> usize {
        self.steps.len()
    }

    /// Undoes everything since the mark.
    pub(super) fn back_to(&mut self, mark: usize) {
        self.closed = false;
        self.tight.clear();
        while self.steps.len() > mark {
            match self.steps.pop() {
                Some(UndoStep::Drop(v)) => self.vertices[v as usize].degree += 1,
                Some(UndoStep::Choose(dart)) => {
                    self.chosen -= 1;
                    for v in [self.head(dart ^ 1), self.head(dart)] {
                        let VertexState { mate, .. } = self.vertices[v as usize];
                        self.vertices[v as usize].need += 1;
                        // A vertex inside a path still stores the mate that it had as an end of a
                        // path.
                        if self.vertices[v as usize].need == 2 {
                            self.vertices[v as usize].mate = v;
                        } else {
                            self.vertices[mate as usize].mate = v;
                        }
                    }
                }
                None => return,
            }
        }
    }

    /// Removes a dart from the row of its tail and returns the tail.
    #[inline]
    fn swap_out(&mut self, dart: Dart) -> &mut VertexState {
        let v = self.head[dart as usize ^ 1];
        self.steps.push(UndoStep::Drop(v));
        let tail = &mut self.vertices[v as usize];
        tail.degree -= 1;
        let (at, end) = (self.place[dart as usize], tail.row + tail.degree);
        let last = self.cells[end as usize];
        (self.cells[at as usize], self.cells[end as usize]) = (last, dart);
        (self.place[last as usize], self.place[dart as usize]) = (at, end);
        tail
    }

    /// Removes a dart from the row of its tail, and notes if the tail now has no spare edges.
    #[inline]
    fn lose(&mut self, dart: Dart) -> Result<(), Dead> {
        let tail = self.swap_out(dart);
        let (degree, need) = (tail.degree, tail.need);
        if degree == need {
            self.tight.push(self.head[dart as usize ^ 1]);
        }
        if degree < need { Err(Dead) } else { Ok(()) }
    }

    fn drop(&mut self, dart: Dart) -> Result<(), Dead> {
        self.lose(dart)?;
        self.lose(dart ^ 1)
    }

    /// Chooses an edge. Drops the edges that would now be the third at a vertex or close a short
    /// cycle.
    fn choose(&mut self, dart: Dart) -> Result<(), Dead> {
        let (u, v) = (self.head(dart ^ 1), self.head(dart));
        let (a, b) = (self.vertices[u as usize].mate, self.vertices[v as usize].mate);
        self.swap_out(dart);
        self.swap_out(dart ^ 1);
        self.steps.push(UndoStep::Choose(dart));
        self.chosen += 1;
        self.moves += u64::from(self.is_square(u.max(v)));
        (self.vertices[a as usize].mate, self.vertices[b as usize].mate) = (b, a);
        for (x, y) in [(u, v), (v, u)] {
            let need = &mut self.vertices[x as usize].need;
            self.link[x as usize][(*need & 1) as usize] = y;
            *need -= 1;
        }
        for x in [u, v] {
            let VertexState { row, degree, need, .. } = self.vertices[x as usize];
            if need == 0 {
                for at in row..row + degree {
                    self.lose(self.cells[at as usize] ^ 1)?;
                }
            }
        }
        if (a, b) == (u, v) {
            return Ok(());
        }
        match self.between(a, b) {
            Some(_) if self.chosen as usize + 1 == self.order() => {
                (self.link[a as usize][1], self.link[b as usize][1]) = (b, a);
                self.closed = true;
                Ok(())
            }
            Some(dart) => self.drop(dart),
            None if self.chosen as usize + 1 == self.order() => Err(Dead),
            None => Ok(()),
        }
    }

    /// Examines every vertex and applies the consequences, at the root of a search.
    pub(super) fn begin(&mut self) -> Result<(), Dead> {
        for (index, v) in self.vertices.iter().enumerate() {
            if v.degree < v.need {
                return Err(Dead);
            }
            if v.degree == v.need {
                self.tight.push(index as u32);
            }
        }
        self.settle()
    }

    /// Applies the consequences: chooses all edges of vertices without spare edges, until no such
    /// vertex is left.
    fn settle(&mut self) -> Result<(), Dead> {
        while let Some(v) = self.tight.pop() {
            while !self.closed && self.vertices[v as usize].need > 0 {
                let Some(&dart) = self.darts(v).first() else { return Err(Dead) };
                self.choose(dart)?;
            }
        }
        Ok(())
    }
}
