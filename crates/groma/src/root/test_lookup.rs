//! Lookups of names in a test file. A name that the file does not declare belongs to the module that the enclosing run tests.

use groma_syntax::{Place, Span};

use super::test_names::{InputName, NameChain, TestNames, chain};
use super::{FileSpan, RootDeclaration, RootSite, TestSnapshot};
use crate::Snapshot;

impl TestSnapshot {
    /// Returns the index of the runs, declarations and expressions of the test file, built on first use.
    pub(super) fn names(&self) -> &TestNames {
        self.text.names(self.module.edition())
    }

    /// Returns the declarations in the test file itself, such as its runs, in source order.
    pub(super) fn own_declarations(&self) -> Vec<RootDeclaration> {
        let all = self.names().declarations.iter();
        all.map(|(address, site)| RootDeclaration::in_text(address.clone(), site.clone())).collect()
    }

    /// Returns the module that the run with an index tests, or the module of the test file without a run; `None` if it cannot be
    /// loaded.
    fn module_of_run(&self, run: Option<usize>) -> Option<Snapshot> {
        let run = run.and_then(|at| self.names().runs.get(at));
        self.module_at(run.and_then(|run| run.source.as_deref())).ok()
    }

    /// Returns the module that the run with a name tests, or the module of the test file without a name; `None` if it cannot be
    /// loaded.
    pub(super) fn module_by_name(&self, run: Option<&str>) -> Option<Snapshot> {
        let at = run.and_then(|run| self.names().runs.iter().position(|one| one.name == run));
        self.module_of_run(at)
    }

    /// Returns the span of a place in the test file; `None` for a place in another file.
    fn own_span(&self, place: Place) -> Option<Span> {
        let place = self.text.sources.resolve(place);
        (place.file == self.text.file).then_some(place.span)
    }

    /// Returns the declaration in the test file itself that has an address such as `run.first`; `None` if the file has none.
    fn own(&self, address: &str) -> Option<RootDeclaration> {
        let (address, site) = self.names().declarations.iter().find(|(own, _)| own == address)?;
        Some(RootDeclaration::in_text(address.clone(), site.clone()))
    }

    /// Returns the declaration to which a reference in the test file refers, and the number of the reference's names that make
    /// up its address; `None` if there is none.
    fn referenced(&self, chain: &NameChain<'_>) -> Option<(RootDeclaration, usize)> {
        let names = &*chain.names;
        if chain.is_of_providers {
            let longest = (1..=names.len().min(2)).rev();
            return longest.into_iter().find_map(|count| {
                let own = self.own(&format!("provider.{}", names[..count].join(".")))?;
                Some((own, count))
            });
        }
        let address = |count: usize| names.get(..count).map(|names| names.join("."));
        match names {
            ["run", run, rest @ ..] => {
                let output = rest.first().and_then(|output| self.output_of(run, output));
                match output {
                    Some(output) => Some((output, 3)),
                    None => Some((self.own(&address(2)?)?, 2)),
                }
            }
            ["var", ..] if self.own(&address(2)?).is_some() => Some((self.own(&address(2)?)?, 2)),
            _ => referenced_in(&self.module_of_run(chain.run)?, names),
        }
    }

    /// Returns the output `output` of the module that the run `run` tests, as `run.RUN.OUTPUT`; `None` if there is none.
    fn output_of(&self, run: &str, output: &str) -> Option<RootDeclaration> {
        let at = self.names().runs.iter().position(|one| one.name == *run)?;
        let module = self.module_of_run(Some(at))?;
        let id = module.declaration_at(&format!("output.{output}"))?;
        Some(RootDeclaration::in_snapshot(format!("run.{run}.{output}"), &module, id))
    }

    /// Returns the declaration that an offset of the test file refers to: the one declared there, the variable that is set
    /// there, or the target of a reference; `None` if there is none.
    pub(super) fn subject_at(&self, at: u32) -> Option<RootDeclaration> {
        let names = self.names();
        let is_here = |site: &RootSite| site.range.span.touches(at) || site.place.span.touches(at);
        if let Some((address, _)) = names.declarations.iter().find(|(_, site)| is_here(site)) {
            return self.own(address);
        }
        if let Some(input) = names.inputs.iter().find(|one| one.span.touches(at)) {
            return self.input(input);
        }
        let touching = names.expressions.iter().filter(|one| one.span.touches(at));
        touching.into_iter().find_map(|one| {
            one.located.code.references().iter().find_map(|reference| {
                let span = |steps| self.own_span(one.located.place_of_first(reference, steps));
                let count = reference.steps.len();
                span(count).filter(|whole| whole.touches(at))?;
                // The shortest prefix of the reference that reaches the offset.
                let reaches = |steps: &usize| span(*steps).is_some_and(|span| span.end >= at);
                let steps = (0..count).find(reaches).unwrap_or(count);
                self.referenced(&one.chain(reference, steps)).map(|(declaration, _)| declaration)
            })
        })
    }

    /// Returns the variable that an argument of a `variables` block sets: that of the module, or else of the test file; `None`
    /// if neither declares it.
    fn input(&self, input: &InputName) -> Option<RootDeclaration> {
        let module = self.module_of_run(input.run)?;
        let address = format!("var.{}", input.name);
        referenced_in(&module, &["var", &input.name])
            .map(|(declaration, _)| declaration)
            .or_else(|| self.own(&address))
    }

    /// Returns the places in the test file that refer to the declaration `subject`, in source order.
    pub(super) fn places_of(&self, subject: &RootDeclaration) -> Vec<FileSpan> {
        let names = self.names();
        let here = |span| FileSpan { file: self.name.clone(), span };
        let mut found = Vec::new();
        for input in &names.inputs {
            if self.input(input).is_some_and(|one| one.is_same(subject)) {
                found.push(here(input.span));
            }
        }
        for one in &names.expressions {
            for reference in one.located.code.references() {
                let count = chain(reference, reference.steps.len()).len();
                let mut last = 0;
                for steps in 0..count {
                    let Some((lead, taken)) = self.referenced(&one.chain(reference, steps)) else {
                        continue;
                    };
                    if taken > last && lead.is_same(subject) {
                        let place = one.located.place_of_first(reference, taken - 1);
                        found.extend(self.own_span(place).map(here));
                    }
                    last = last.max(taken);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the declarations to which an expression at an offset of the test file can refer: those of the file, outputs of
    /// runs, and those of the module that the enclosing run tests.
    pub(super) fn visible_at(&self, at: u32) -> Vec<RootDeclaration> {
        let names = self.names();
        let mut found = self.own_declarations();
        found.retain(|one| !one.address.starts_with("provider."));
        for run in &names.runs {
            let Some(module) = self.module_by_name(Some(&run.name)) else { continue };
            for (id, address) in module.declarations_of(0) {
                if let Some(output) = address.strip_prefix("output.") {
                    let address = format!("run.{}.{output}", run.name);
                    found.push(RootDeclaration::in_snapshot(address, &module, id));
                }
            }
        }
        if let Some(module) = self.module_of_run(names.run_at(at)) {
            for (id, address) in module.declarations_of(0) {
                let is_own = found.iter().any(|one| one.address == address);
                if !is_own && !address.starts_with("provider.") {
                    found.push(RootDeclaration::in_snapshot(address, &module, id));
                }
            }
        }
        found
    }
}

/// Returns the declaration of a module to which the first of `names` refer, and their number: for an output of a call the
/// output, otherwise the declaration with the longest address; `None` if there is none.
fn referenced_in(module: &Snapshot, names: &[&str]) -> Option<(RootDeclaration, usize)> {
    let all = module.declarations_of(0);
    let find = |address: &str| all.iter().find(|(_, own)| own == address).map(|(id, _)| *id);
    let longest = (2..=names.len().min(MAX_NAMES)).rev();
    let (id, count) = longest.into_iter().find_map(|count| {
        let id = find(&names[..count].join("."))?;
        Some((id, count))
    })?;
    if let ["module", call, output, ..] = names
        && let Some(output_id) = module.output_of(id, output)
    {
        let address = format!("module.{call}.{output}");
        return Some((RootDeclaration::in_snapshot(address, module, output_id), 3));
    }
    let address = names[..count].join(".");
    Some((RootDeclaration::in_snapshot(address, module, id), count))
}

/// Maximum number of dot-separated names in the address of a declaration, as in `data.aws_ami.base`.
const MAX_NAMES: usize = 3;
