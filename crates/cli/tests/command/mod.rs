//! One run of the command in this process, with nothing on standard input and an environment without variables.

use std::collections::BTreeMap;
use std::path::Path;

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// Runs a command line in a folder and returns its exit code, standard output and standard error.
pub(crate) fn ran(folder: &Path, arguments: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let session = RunSession {
        input: &mut std::io::empty(),
        out: &mut out,
        err: &mut err,
        terminal: TerminalStreams::default(),
        machine: MachineContext::at(folder.to_path_buf(), BTreeMap::new()),
        painted: ColourChoice::default(),
        watch: RunWatch::default(),
    };
    let exit = run(arguments.iter().map(Into::into).collect(), session);
    let text = |bytes| String::from_utf8(bytes).expect("what the command writes is text");
    (exit.0, text(out), text(err))
}
