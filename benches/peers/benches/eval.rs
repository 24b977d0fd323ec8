//! Evaluation. Placeholder until the evaluator's face is on main.
fn main() {}
