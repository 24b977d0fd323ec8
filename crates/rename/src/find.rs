//! Search for every occurrence of one declaration's name, in all folders of a tree. A use that cannot be followed to a name,
//! such as a module passed on as one value, is recorded as a reason to refuse the change.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use groma_config::{FilePurpose, RawBlock, ResourceMode, literal_text};
use groma_edit::EditRefusal;
use groma_syntax::{BodyItem, Expr, Place, Span};

use crate::name_sites::{self, NameSite};
use crate::references::{ChainStep, ChainUse, NameLink};
use crate::subject::{DeclarationKind, RenamedDeclaration};
use crate::tree::{CodeFile, FolderTree, ResolvedCall};

/// Maximum number of places that the message of a refused rename lists; for more it says `and others`.
const MAX_LISTED: usize = 4;

/// The search for all occurrences of a declaration's old name in a tree of folders, with the obstacles to a rename found on the
/// way.
pub(crate) struct NameFinder<'t> {
    pub(crate) tree: &'t FolderTree<'t>,
    pub(crate) subject: &'t RenamedDeclaration,
    /// The folder that contains the declaration.
    pub(crate) home: &'t str,
    /// The byte ranges of occurrences, by file.
    pub(crate) found: BTreeMap<String, BTreeSet<(usize, usize)>>,
    /// The file and span of each block or argument that is the declaration.
    pub(crate) declared: Vec<(String, Span)>,
    /// Places where a declaration has the new name already.
    pub(crate) taken: Vec<String>,
    /// Places where the module is used as a whole, with all its outputs.
    pub(crate) whole: Vec<String>,
    /// Files that may contain the name and cannot be parsed, or contain it in a form that cannot be changed.
    pub(crate) unread: Vec<String>,
    /// Files that may contain the new name and cannot be parsed.
    pub(crate) unclear: Vec<String>,
    /// Notes for the caller.
    pub(crate) notes: BTreeSet<String>,
}

/// The file of a reference and the modules to which its names belong.
#[derive(Clone, Copy)]
pub(crate) struct NameContext<'f> {
    pub(crate) file: &'f CodeFile,
    /// The folder of the module that the names belong to.
    pub(crate) module: Option<&'f str>,
    /// The folder of the called module, to which the keys of a `providers` map belong.
    pub(crate) inner: Option<&'f str>,
    /// The names of a test file's runs, with the folder of the module that each tests.
    pub(crate) runs: Option<&'f BTreeMap<String, Option<String>>>,
}

/// The way in which a reference to a module call or a test run uses the renamed output: by its name, with all outputs, or not
/// at all.
enum OutputUse {
    /// The reference names the output, at this byte range; `None` if it does so through a name bound by a loop.
    Named(Option<Range<usize>>),
    /// The reference uses all outputs.
    Whole,
    /// The reference uses another output.
    Other,
}

impl<'t> NameFinder<'t> {
    /// Returns a search for `subject`, declared in the folder `home`.
    pub(crate) fn new(
        tree: &'t FolderTree<'t>,
        subject: &'t RenamedDeclaration,
        home: &'t str,
    ) -> NameFinder<'t> {
        NameFinder {
            tree,
            subject,
            home,
            found: BTreeMap::new(),
            declared: Vec::new(),
            taken: Vec::new(),
            whole: Vec::new(),
            unread: Vec::new(),
            unclear: Vec::new(),
            notes: BTreeSet::new(),
        }
    }

    /// Records where the files of the folder `dir` contain the old name of the renamed declaration, and those that cannot be
    /// parsed and may contain it.
    pub(crate) fn folder(&mut self, dir: &str) {
        let folder = self.tree.folder(dir);
        for file in &folder.files {
            if let Some(why) = &file.broken {
                if file.text.contains(&self.subject.old) {
                    self.unread.push(format!("{}: {why}", file.path));
                } else if dir == self.home && file.text.contains(&self.subject.new) {
                    self.unclear.push(format!("{}: {why}", file.path));
                }
                continue;
            }
            match file.purpose {
                FilePurpose::Code | FilePurpose::Query => {
                    file.blocks.iter().for_each(|raw| self.block(dir, file, raw))
                }
                FilePurpose::Test => self.test(dir, file),
                FilePurpose::Mock => file.blocks.iter().for_each(|raw| self.mock(dir, file, raw)),
                FilePurpose::Values => self.values(dir, file),
                FilePurpose::Stack => {}
            }
        }
    }

    /// Returns the error that refuses the rename, if there is an obstacle or no such declaration; `None` otherwise.
    pub(crate) fn refusal(&self) -> Option<EditRefusal> {
        let subject = self.subject;
        let (old, new) = (subject.address(), subject.new_address());
        let several = |places: &[String]| {
            let more = if places.len() > MAX_LISTED { " and others" } else { "" };
            format!("{}{more}", places[..places.len().min(MAX_LISTED)].join(", "))
        };
        if self.declared.is_empty() && self.unread.is_empty() {
            return Some(EditRefusal(format!(
                "There is no {old} {}.",
                self.tree.within(self.home)
            )));
        }
        if !self.taken.is_empty() {
            return Some(EditRefusal(format!(
                "{new} exists already, at {}.",
                several(&self.taken)
            )));
        }
        if !self.unread.is_empty() {
            return Some(EditRefusal(format!(
                "Not all code that may use {old} can be read: {}",
                several(&self.unread)
            )));
        }
        if !self.unclear.is_empty() {
            return Some(EditRefusal(format!(
                "It cannot be determined whether {new} exists already: {}",
                several(&self.unclear)
            )));
        }
        if !self.whole.is_empty() {
            return Some(EditRefusal(format!(
                "Not every use of {old} can be found: the module is used as a whole value at {}, and how its outputs \
                 are used from there cannot be determined. Refer to the outputs one by one there.",
                several(&self.whole)
            )));
        }
        None
    }

    /// Returns the place of a byte offset in a file as messages show it: file name and line.
    pub(crate) fn place(&self, file: &CodeFile, at: usize) -> String {
        let line = file.text[..at.min(file.text.len())].matches('\n').count() + 1;
        format!("{}:{line}", file.path)
    }

    /// Records the byte range of the old name of the renamed declaration, without the quotes around it, or an obstacle if the
    /// name is spelled with escapes there; does nothing if `at` is `None`.
    pub(crate) fn add(&mut self, file: &CodeFile, at: Option<Range<usize>>) {
        let Some(mut at) = at else { return };
        let text = file.text.get(at.clone()).unwrap_or_default();
        if text.len() > 1 && text.starts_with('"') && text.ends_with('"') {
            at = at.start + 1..at.end - 1;
        }
        match file.text.get(at.clone()) {
            Some(text) if *text == *self.subject.old => {
                self.found.entry(file.path.clone()).or_default().insert((at.start, at.end));
            }
            _ => {
                let place = self.place(file, at.start);
                self.unread.push(format!(
                    "{place} spells the name differently; write {} there first.",
                    self.subject.old
                ));
            }
        }
    }

    /// Records a span that contains the old name of the renamed declaration, as a place that the rename changes.
    fn add_span(&mut self, file: &CodeFile, span: Span) {
        self.add(file, Some(span.start as usize..span.end as usize));
    }

    /// Records the name of a declaration or assignment if it is the old or the new name of the rename; returns true if it is
    /// the old one.
    pub(crate) fn name(&mut self, file: &CodeFile, name: &str, place: Place) -> bool {
        if name == self.subject.new {
            let place = self.place(file, place.span.start as usize);
            self.taken.push(place);
        }
        if name == self.subject.old {
            self.add_span(file, place.span);
        }
        name == self.subject.old
    }

    /// Records where a block in a module's file contains the old name of the renamed declaration; `dir` is the module's
    /// folder.
    fn block(&mut self, dir: &str, file: &CodeFile, raw: &RawBlock) {
        if dir == self.home {
            self.declaration(file, raw);
        }
        let mut inner = None;
        if &*raw.kind == "module" {
            let folder = self.tree.folder(dir);
            let call = folder.calls.get(raw.label(0));
            inner = call.and_then(|call| call.folder.clone());
            if self.subject.kind == DeclarationKind::Variable {
                self.inputs(file, raw, inner.as_deref(), call);
            }
        }
        let standing = NameContext { file, module: Some(dir), inner: inner.as_deref(), runs: None };
        name_sites::block(raw, &mut |spot| self.name_site(standing, spot));
    }

    /// Records the old name of the renamed variable among the inputs of a `module` block, if it calls the module of the variable;
    /// `inner` is the called folder if it is in the folder tree, and `call` the call as the tree records it.
    fn inputs(
        &mut self,
        file: &CodeFile,
        raw: &RawBlock,
        inner: Option<&str>,
        call: Option<&ResolvedCall>,
    ) {
        if inner == Some(self.home) {
            for argument in &raw.arguments {
                self.name(file, &argument.name, argument.name_place);
            }
            // Inputs named like meta-arguments are in a block of their own.
            for argument in raw.blocks_of("_").flat_map(|block| &block.arguments) {
                self.name(file, &argument.name, argument.name_place);
            }
        } else if let Some(argument) = raw.argument(&self.subject.old) {
            let at = argument.name_place.span.start as usize;
            self.note_unread_call(file, at, inner, call);
        }
    }

    /// Adds a note for the user about the byte `at` of a file, where the module call `call` sets the old name, if the called
    /// folder is not in the searched folder tree (`inner` is `None`) and may be a copy of the module of the renamed declaration.
    fn note_unread_call(
        &mut self,
        file: &CodeFile,
        at: usize,
        inner: Option<&str>,
        call: Option<&ResolvedCall>,
    ) {
        let source =
            call.filter(|_| inner.is_none()).and_then(|call| call.written.source.as_deref());
        let Some(source) = source else { return };
        let path = source.split('?').next().unwrap_or(source);
        let own = groma_runtime::file_path::last(self.home);
        if path.trim_end_matches(".git").ends_with(own) {
            let place = self.place(file, at);
            self.notes.insert(format!(
                "{place} sets {} for {source}, which is not read: if it is this module, change it there by hand.",
                self.subject.old
            ));
        }
    }

    /// Records the place of a block if it is the renamed declaration, or has the new name already.
    fn declaration(&mut self, file: &CodeFile, raw: &RawBlock) {
        let subject = self.subject;
        let label = match (&subject.kind, &*raw.kind) {
            (DeclarationKind::Variable, "variable")
            | (DeclarationKind::Output, "output")
            | (DeclarationKind::Module, "module")
            | (DeclarationKind::Check, "check") => raw.labels.first(),
            (DeclarationKind::Resource(mode, kind), word) if word == mode.word() => {
                raw.labels.get(1).filter(|_| raw.label(0) == kind)
            }
            (DeclarationKind::Resource(ResourceMode::Data, kind), "check") => {
                let data = raw.blocks_of("data").find(|data| data.label(0) == kind);
                data.and_then(|data| data.labels.get(1))
            }
            (DeclarationKind::Local, "locals") => {
                for argument in &raw.arguments {
                    if self.name(file, &argument.name, argument.name_place) {
                        self.declared.push((file.path.clone(), argument.place.span));
                    }
                }
                return;
            }
            (DeclarationKind::Alias(provider), "provider") if raw.label(0) == provider => {
                let alias = raw.argument("alias");
                if let Some(alias) = alias
                    && let Some(text) = literal_text(&alias.expr)
                    && self.name(file, &text, alias.expr.place())
                {
                    self.declared.push((file.path.clone(), raw.header.span));
                }
                return;
            }
            _ => return,
        };
        if let Some(label) = label
            && self.name(file, &label.text, label.place)
        {
            self.declared.push((file.path.clone(), raw.header.span));
        }
    }

    /// Records the old name of the renamed declaration in a part of a block that may contain names.
    pub(crate) fn name_site(&mut self, at: NameContext<'_>, spot: NameSite<'_>) {
        match spot {
            NameSite::Value(links, used) => self.value(at, links, used),
            NameSite::Address(links) => self.address(at, links),
            NameSite::Provider(links) => {
                if at.module == Some(self.home) {
                    self.provider(at.file, links);
                }
            }
            NameSite::Inner(links) => {
                if at.inner == Some(self.home) {
                    self.provider(at.file, links);
                }
            }
            NameSite::Function(provider, alias) => {
                if at.module == Some(self.home)
                    && self.subject.kind == DeclarationKind::Alias(provider.to_owned())
                    && let Some((alias, place)) = alias
                    && alias == self.subject.old
                {
                    self.add(at.file, Some(place));
                }
            }
        }
    }

    /// Records the old name of the renamed provider alias in a reference to a provider configuration, such as `aws.west`.
    pub(crate) fn provider(&mut self, file: &CodeFile, links: &[NameLink]) {
        let DeclarationKind::Alias(provider) = &self.subject.kind else { return };
        if let [first, second, ..] = links
            && first.is_name(provider)
            && second.text() == Some(&self.subject.old)
        {
            self.add(file, second.place());
            let at = second.at.clone().unwrap_or_default();
            // A module declares an expected configuration by requiring it.
            if self.declared.is_empty() {
                self.declared.push((file.path.clone(), Span::new(at.start as u32, at.end as u32)));
            }
        }
    }

    /// Records the old name of the renamed declaration in a reference that is part of an expression, such as `var.name`.
    fn value(&mut self, at: NameContext<'_>, links: &[NameLink], used: ChainUse) {
        let old = self.subject.old.as_str();
        let is_home = at.module == Some(self.home);
        let root = |name: &str| links.first().is_some_and(|link| link.is_name(name));
        let second = || links.get(1).filter(|link| link.text() == Some(old));
        let named = match &self.subject.kind {
            DeclarationKind::Variable if is_home && root("var") => second(),
            DeclarationKind::Local if is_home && root("local") => second(),
            DeclarationKind::Module if is_home && root("module") => second(),
            DeclarationKind::Check if is_home && root("check") => second(),
            DeclarationKind::Resource(mode, kind) if is_home => resource(links, *mode, kind, old),
            DeclarationKind::Output => return self.output(at, links, used),
            _ => None,
        };
        if let Some(link) = named {
            self.add(at.file, link.place());
        }
    }

    /// Records the old name of the renamed output in a reference that may use it: through a module call, or in a test file by
    /// `output` or `run`.
    fn output(&mut self, at: NameContext<'_>, links: &[NameLink], used: ChainUse) {
        let old = self.subject.old.clone();
        let (Some(first), Some(second)) = (links.first(), links.get(1)) else { return };
        if let Some(runs) = at.runs {
            if first.is_name("output")
                && at.module == Some(self.home)
                && second.text() == Some(&old)
            {
                return self.add(at.file, second.place());
            }
            let run = second.text().and_then(|name| runs.get(name));
            if first.is_name("run") && run.is_some_and(|dir| dir.as_deref() == Some(self.home)) {
                return match output(&links[2..], false, &old) {
                    OutputUse::Named(place) => self.add(at.file, place),
                    OutputUse::Whole if used != ChainUse::Named => {
                        self.record_whole_use(at.file, links)
                    }
                    OutputUse::Whole | OutputUse::Other => {}
                };
            }
        }
        let (true, Some(name), Some(module)) = (first.is_name("module"), second.text(), at.module)
        else {
            return;
        };
        let folder = self.tree.folder(module);
        let Some(call) = folder.calls.get(name) else { return };
        let found = output(&links[2..], call.written.is_repeated, &old);
        if call.folder.as_deref() != Some(self.home) {
            if let (OutputUse::Named(Some(place)), None) = (&found, &call.folder) {
                self.note_unread_call(at.file, place.start, None, Some(call));
            }
            return;
        }
        let is_harmless = match used {
            ChainUse::Named => true,
            // The instances of a module are not its outputs.
            ChainUse::Walked | ChainUse::Counted => call.written.is_repeated && links.len() == 2,
            ChainUse::Whole => false,
        };
        match found {
            OutputUse::Named(place) => self.add(at.file, place),
            OutputUse::Whole if !is_harmless => self.record_whole_use(at.file, links),
            OutputUse::Whole | OutputUse::Other => {}
        }
    }

    /// Records a reference as an obstacle because it uses a module as a whole, so that the renamed output may be part of the
    /// value.
    fn record_whole_use(&mut self, file: &CodeFile, links: &[NameLink]) {
        let at = links.iter().find_map(|link| link.at.clone()).unwrap_or_default();
        let place = self.place(file, at.start);
        if !self.whole.contains(&place) {
            self.whole.push(place);
        }
    }

    /// Records the old name of the renamed module call or resource in an address, such as `module.a.aws_vpc.b`, relative to
    /// the file's module.
    pub(crate) fn address(&mut self, at: NameContext<'_>, links: &[NameLink]) {
        let mut module = at.module.map(str::to_owned);
        let mut rest = links;
        while let [first, second, after @ ..] = rest
            && first.is_name("module")
            && let ChainStep::Name(name) = &second.step
        {
            if self.subject.kind == DeclarationKind::Module
                && module.as_deref() == Some(self.home)
                && *name == self.subject.old
            {
                self.add(at.file, second.place());
            }
            module = module.and_then(|dir| self.called(&dir, name));
            rest = match after {
                [key, after @ ..] if !matches!(key.step, ChainStep::Name(_)) => after,
                _ => after,
            };
        }
        if let DeclarationKind::Resource(mode, kind) = &self.subject.kind
            && module.as_deref() == Some(self.home)
            && let Some(link) = resource(rest, *mode, kind, &self.subject.old)
        {
            self.add(at.file, link.place());
        }
    }

    /// Returns the folder of the module that the call `name` in the folder `dir` refers to; `None` if it is not in the
    /// searched folder tree.
    fn called(&self, dir: &str, name: &str) -> Option<String> {
        self.tree.folder(dir).calls.get(name)?.folder.clone()
    }

    /// Returns the folder of the module at an address, such as `module.a.module.b`, relative to the folder `from`; `None` if
    /// the expression is not such an address or the module is not in the searched folder tree.
    pub(crate) fn module_at(&self, from: Option<&str>, expr: &Expr) -> Option<String> {
        let mut found = None;
        name_sites::address_of(expr, &mut |links| {
            let mut module = from.map(str::to_owned);
            let mut rest = links;
            while let [first, second, after @ ..] = rest
                && first.is_name("module")
                && let ChainStep::Name(name) = &second.step
            {
                module = module.and_then(|dir| self.called(&dir, name));
                rest = match after {
                    [key, after @ ..] if !matches!(key.step, ChainStep::Name(_)) => after,
                    _ => after,
                };
            }
            found = module.filter(|_| rest.is_empty());
        });
        found
    }

    /// Records the old name of the renamed variable among the variables that a variable file, such as `terraform.tfvars`, of the
    /// folder `dir` sets.
    fn values(&mut self, dir: &str, file: &CodeFile) {
        if dir != self.home || self.subject.kind != DeclarationKind::Variable {
            return;
        }
        for item in file.body.items() {
            if let BodyItem::Argument(argument) = item {
                let place = Place::new(file.body.file(), argument.name.span);
                self.name(file, &argument.name.text, place);
            }
        }
    }
}

/// Returns the step of a reference that is the renamed resource's old name; `None` if it does not lead to that resource.
fn resource<'l>(
    links: &'l [NameLink],
    mode: ResourceMode,
    kind: &str,
    old: &str,
) -> Option<&'l NameLink> {
    let rest = match links {
        [first, rest @ ..] if first.is_name(mode.word()) => rest,
        _ if mode == ResourceMode::Managed => links,
        _ => return None,
    };
    match rest {
        [first, second, ..] if first.is_name(kind) && second.is_name(old) => Some(second),
        _ => None,
    }
}

/// Returns the way in which a reference uses the renamed output, called `old`, from the steps after the name of a module call
/// or test run; `is_repeated` is true if the first of them selects an instance of the call.
fn output(links: &[NameLink], is_repeated: bool, old: &str) -> OutputUse {
    let mut rest = links;
    if is_repeated {
        match rest {
            [] => return OutputUse::Whole,
            [_, after @ ..] => rest = after,
        }
    }
    // A splat over a single value is that value.
    while let [NameLink { step: ChainStep::Splat, .. }, after @ ..] = rest {
        rest = after;
    }
    match rest {
        [link, ..] => match link.text() {
            Some(name) if name == old => OutputUse::Named(link.place()),
            Some(_) => OutputUse::Other,
            None => OutputUse::Whole,
        },
        [] => OutputUse::Whole,
    }
}
