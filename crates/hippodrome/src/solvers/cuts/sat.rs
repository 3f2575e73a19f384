//! The satisfiability solver: batsat, written in Rust, or CaDiCaL, written in C++, with the feature
//! `cadical`.

#[cfg(not(feature = "cadical"))]
pub(super) use by_batsat::Batsat as Sat;
#[cfg(feature = "cadical")]
pub(super) use by_cadical::Cadical as Sat;

#[cfg(not(feature = "cadical"))]
mod by_batsat {
    use crate::search::StopCheck;
    use batsat::{Callbacks, Lit, Solver, SolverInterface, Var, lbool};

    /// Number of steps of work charged per stop check. Batsat checks at every conflict or decision, that is,
    /// every few microseconds.
    const STEPS: u64 = 64;

    struct Stop<'a>(&'a StopCheck<'a>);

    impl Callbacks for Stop<'_> {
        fn stop(&self) -> bool {
            self.0.spend(STEPS).is_break()
        }
    }

    /// A satisfiability problem. Variables are numbered from 1; negative numbers are negated literals.
    pub struct Batsat<'a> {
        solver: Solver<Stop<'a>>,
        variables: Vec<Var>,
    }

    impl<'a> Batsat<'a> {
        /// Creates a problem with `variables` variables and no clauses.
        pub fn new(variables: usize, stop_check: &'a StopCheck<'a>) -> Batsat<'a> {
            let mut sat = Batsat {
                solver: Solver::new(Default::default(), Stop(stop_check)),
                variables: Vec::with_capacity(variables),
            };
            (0..variables).for_each(|_| {
                sat.variable();
            });
            sat
        }

        /// Adds a variable and returns its number.
        pub fn variable(&mut self) -> i32 {
            self.variables.push(self.solver.new_var_default());
            self.variables.len() as i32
        }

        /// Adds a clause.
        pub fn add(&mut self, clause: &[i32]) {
            let literal = |&l: &i32| Lit::new(self.variables[l.unsigned_abs() as usize - 1], l > 0);
            let mut literals: Vec<Lit> = clause.iter().map(literal).collect();
            self.solver.add_clause_reuse(&mut literals);
        }

        /// Solves the problem; returns `None` if it was stopped.
        pub fn solve(&mut self) -> Option<bool> {
            match self.solver.solve_limited(&[]) {
                answer if answer == lbool::TRUE => Some(true),
                answer if answer == lbool::FALSE => Some(false),
                _ => None,
            }
        }

        /// Returns the value of a variable in the model.
        pub fn value(&self, variable: i32) -> bool {
            self.solver.value_var(self.variables[variable as usize - 1]) == lbool::TRUE
        }
    }
}

#[cfg(feature = "cadical")]
mod by_cadical {
    use crate::search::StopCheck;
    use cadical::{Callbacks, Solver};

    /// Number of steps of work charged per stop check. CaDiCaL checks every few conflicts.
    const STEPS: u64 = 1 << 12;

    struct Stop<'a>(&'a StopCheck<'a>);

    impl Callbacks for Stop<'_> {
        fn terminate(&mut self) -> bool {
            self.0.spend(STEPS).is_break()
        }
    }

    /// A satisfiability problem. Variables are numbered from 1; negative numbers are negated literals.
    pub struct Cadical<'a> {
        solver: Solver<Stop<'a>>,
        variables: i32,
    }

    impl<'a> Cadical<'a> {
        /// Creates a problem with `variables` variables and no clauses.
        pub fn new(variables: usize, stop_check: &'a StopCheck<'a>) -> Cadical<'a> {
            let mut solver = Solver::new();
            solver.set_callbacks(Some(Stop(stop_check)));
            Cadical { solver, variables: variables as i32 }
        }

        /// Adds a variable and returns its number.
        pub fn variable(&mut self) -> i32 {
            self.variables += 1;
            self.variables
        }

        /// Adds a clause.
        pub fn add(&mut self, clause: &[i32]) {
            self.solver.add_clause(clause.iter().copied());
        }

        /// Solves the problem; returns `None` if it was stopped.
        pub fn solve(&mut self) -> Option<bool> {
            self.solver.solve()
        }

        /// Returns the value of a variable in the model.
        pub fn value(&self, variable: i32) -> bool {
            self.solver.value(variable) == Some(true)
        }
    }
}
