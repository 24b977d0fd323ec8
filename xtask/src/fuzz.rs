//! `cargo xtask fuzz`: runs the driver of `invariants` in release mode. The checks are in that crate; the fuzzer proper is in
//! `fuzz/` and needs a nightly compiler.

use std::process::Command;

/// Runs `invariants`, the driver that checks generated inputs, with the remaining arguments of the command line.
pub(crate) fn run() -> Result<(), String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--release", "--package", "invariants", "--"]);
    command.args(std::env::args().skip(2));
    let status = command.status().map_err(|error| format!("cargo cannot be run: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("An input does not hold; it is named above.".to_owned())
    }
}
