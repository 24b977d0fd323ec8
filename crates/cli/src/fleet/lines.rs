//! The lines of a run as they are written: to the file of results with their stamps, or to standard output, in the order of the
//! roots.

use std::collections::HashSet;
use std::io::{self, Write};

use groma_fleet::{ResultFile, StampedRoot, StoredGroup};

use super::ask::AnsweredRoot;
use super::earlier_stamps::EarlierStamps;
use super::roots::NamedRoot;
use super::stamps::StampWriter;
use super::table::FleetTable;
use crate::files::ResultFiles;
use crate::host::MachineContext;
use crate::watch::RunWatch;

/// The reason why a root's line of output could not be written: standard output or the `--out` file failed.
pub(super) enum LineTrouble {
    Stream(io::Error),
    File(io::Error),
}

/// The evidence, known before a root is read, that the line of an earlier run is still valid.
pub(super) enum KnownLine {
    Nothing,
    /// An earlier run has written the line, with this digest of settings and these files read.
    Keyed(String, Vec<StoredGroup>),
    /// An earlier run has written the line, and the stamp file shows no change.
    Stamped,
}

/// The `--out` file of a run and the writer of its stamp file.
type ResultWithStamps = (ResultFile<ResultFiles>, StampWriter);

/// The roots of a batch with their answers and their entries in the stamp file of an earlier run.
pub(super) struct AnsweredBatch<'r> {
    pub roots: &'r [NamedRoot],
    pub stamped: &'r [Option<&'r StampedRoot>],
    pub answers: Vec<AnsweredRoot>,
}

/// The writer of the output of a fleet run, a line of JSON with the answer of each root, which also counts the lines.
pub(super) struct LineWriter<'r> {
    results: Option<ResultWithStamps>,
    earlier: Option<&'r EarlierStamps>,
    /// The roots whose line of an earlier run was used; a root that is named again is asked.
    claimed: HashSet<&'r str>,
    table: FleetTable,
    out: &'r mut (dyn Write + Send),
    watch: RunWatch,
    machine: &'r MachineContext,
}

impl<'r> LineWriter<'r> {
    /// Creates a writer to the `--out` file in `results`, or to the stream `out` if there is none, which counts the roots in
    /// `table`, shows the counts by `watch`, and keeps lines by the stamps `earlier` of an earlier run.
    pub(super) fn new(
        results: Option<ResultWithStamps>,
        earlier: Option<&'r EarlierStamps>,
        table: FleetTable,
        (out, watch): (&'r mut (dyn Write + Send), RunWatch),
        machine: &'r MachineContext,
    ) -> LineWriter<'r> {
        LineWriter { results, earlier, claimed: HashSet::new(), table, out, watch, machine }
    }

    /// Returns for each root the evidence that the line of an earlier run is still valid, or [`KnownLine::Nothing`]; `stamped`
    /// has for each root its entry in that run's stamp file, if the files it names are unchanged.
    pub(super) fn known(
        &mut self,
        roots: &'r [NamedRoot],
        stamped: &[Option<&StampedRoot>],
    ) -> Result<Vec<KnownLine>, LineTrouble> {
        let roots = roots.iter().zip(stamped);
        let known = roots.map(|(root, stamped)| self.known_line(root, *stamped));
        known.collect::<io::Result<_>>().map_err(LineTrouble::File)
    }

    /// Returns the evidence that a root's earlier line is still valid: an unchanged stamp, or its settings and files read;
    /// `stamped` is the root's entry in the stamp file, if the files it names are unchanged.
    fn known_line(
        &mut self,
        root: &'r NamedRoot,
        stamped: Option<&StampedRoot>,
    ) -> io::Result<KnownLine> {
        let Some((results, _)) = &mut self.results else { return Ok(KnownLine::Nothing) };
        let Some(key) = results.earlier(&root.name) else { return Ok(KnownLine::Nothing) };
        if !self.claimed.insert(&root.name) {
            return Ok(KnownLine::Nothing);
        }
        if stamped.is_some_and(|stamped| stamped.line == key.line) {
            return Ok(KnownLine::Stamped);
        }
        let settings = key.settings.clone();
        // A root that the engine failed on has none.
        let groups = results.earlier_groups(&root.name)?.filter(|groups| !groups.is_empty());
        Ok(groups.map_or(KnownLine::Nothing, |groups| KnownLine::Keyed(settings, groups)))
    }

    /// Writes the lines of a batch to the `--out` file with their stamps, or to standard output, and counts them.
    pub(super) fn write(&mut self, batch: AnsweredBatch<'_>) -> Result<(), LineTrouble> {
        let AnsweredBatch { roots, stamped, answers } = batch;
        for ((root, answered), stamped) in roots.iter().zip(answers).zip(stamped) {
            let own = || self.machine.path(&root.root.dir).to_string_lossy().into_owned();
            let AnsweredRoot { line, settings, groups, records, is_stamped, took } = answered;
            let Some(line) = line else {
                // The line of an earlier run is kept.
                let Some((results, stamps)) = &mut self.results else { continue };
                let Some(key) = results.keep(&root.name) else { continue };
                self.table.keep(key.error.as_deref());
                match (self.earlier, stamped) {
                    (Some(earlier), Some(stamped)) if is_stamped => {
                        stamps.keep(root, &own(), earlier, stamped);
                    }
                    _ => {
                        let line = (&*key.line, key.error.as_deref());
                        records
                            .into_iter()
                            .for_each(|records| stamps.add(root, &own(), line, records));
                    }
                }
                continue;
            };
            self.table.add(&root.name, line.error.as_ref(), took);
            match &mut self.results {
                Some((results, stamps)) => {
                    let added = results.add(&root.name, &settings, &line, &groups);
                    added.map_err(LineTrouble::File)?;
                    if let Some(records) = records {
                        let digest = line.digest();
                        stamps.add(root, &own(), (&digest, line.error.as_deref()), records);
                    }
                }
                None => {
                    let written = writeln!(self.out, "{}", line.text);
                    written.and_then(|()| self.out.flush()).map_err(LineTrouble::Stream)?;
                }
            }
        }
        self.watch.set_progress_line(self.table.progress(self.machine.age()));
        Ok(())
    }

    /// Completes the `--out` file and its stamp file after the last line, and returns the counts of the run.
    pub(super) fn finish(self) -> io::Result<FleetTable> {
        if let Some((results, stamps)) = self.results {
            results.finish()?;
            stamps.finish();
        }
        Ok(self.table)
    }
}
