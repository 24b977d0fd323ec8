//! What the benchmarks share: the bytes they read and a plain stopwatch.
//!
//! Criterion gives the exact figures of each side; the stopwatch gives ratios of sides that ran in turns, so that a machine
//! that slows down midway does not favour one.

pub mod corpus;

use std::time::{Duration, Instant};

/// One side of a comparison: a name and the work.
pub struct Side<'w> {
    /// Who does it.
    pub name: &'static str,
    /// What is measured.
    pub work: Box<dyn FnMut() + 'w>,
}

impl<'w> Side<'w> {
    /// A side.
    pub fn new(name: &'static str, work: impl FnMut() + 'w) -> Side<'w> {
        Side { name, work: Box::new(work) }
    }
}

/// Runs the sides in turns and gives the least time of each: the run that was disturbed least.
pub fn in_turns(sides: &mut [Side<'_>], rounds: usize) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; sides.len()];
    for _ in 0..rounds {
        for (side, least) in sides.iter_mut().zip(&mut least) {
            let start = Instant::now();
            (side.work)();
            *least = (*least).min(start.elapsed());
        }
    }
    least
}

/// Prints each side's time for `count` units of work and how many times the first side's it is.
pub fn compare(
    title: &str,
    mut sides: Vec<Side<'_>>,
    rounds: usize,
    unit: impl Fn(Duration) -> String,
) {
    let least = in_turns(&mut sides, rounds);
    println!("{title}");
    for (side, time) in sides.iter().zip(&least) {
        let ratio = time.as_secs_f64() / least[0].as_secs_f64();
        println!("  {:18} {:>16}   {ratio:.2} x the first", side.name, unit(*time));
    }
}
