//! The outputs of the examples equal those of Terraform. `conformance/examples/NAME.json` was written by `terraform output -json`
//! at 1.11.4, after an apply of a copy; its layout is compared too.

use std::collections::BTreeMap;

use groma_cli::{
    ColourChoice, ExitStatus, MachineContext, RunSession, RunWatch, TerminalStreams, run,
};

/// Checks that the outputs of each example equal those recorded from Terraform.
#[test]
fn outputs_are_the_references() {
    let mut count = 0;
    for entry in std::fs::read_dir(testkit::workspace().join("examples")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        // Templates of Packer have no outputs.
        if !entry.path().join("outputs.tf").exists() {
            continue;
        }
        let recorded = testkit::conformance().join(format!("examples/{name}.json"));
        let recorded =
            std::fs::read_to_string(&recorded).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let session = RunSession {
            input: &mut std::io::empty(),
            out: &mut out,
            err: &mut err,
            terminal: TerminalStreams::default(),
            machine: MachineContext::at(testkit::workspace(), BTreeMap::new()),
            painted: ColourChoice::default(),
            watch: RunWatch::default(),
        };
        let chdir = format!("-chdir=examples/{name}");
        let arguments = [&chdir, "output", "-json"].map(Into::into);
        let exit = run(arguments.to_vec(), session);
        let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
        assert!(exit == ExitStatus::SUCCESS && err.is_empty(), "{name}:\n{err}");
        assert_eq!(testkit::diff::lines(&recorded, &out), "", "{name}");
        count += 1;
    }
    assert!(count > 0);
}
