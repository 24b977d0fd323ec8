//! Detection of the program and version that a folder is written for, from the files in and around it. The first applicable
//! evidence decides, strong before weak; it is recorded for display, including that there was none.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use crate::schema::LOCK_FILE;
use groma_config::{
    BlockRow, FileKind, FilePurpose, ReleaseVersion, VersionConstraints, data_dir, dialect_of,
    is_ignored, literal_text, path,
};
use groma_functions::names_of_one_dialect;
use groma_runtime::{Availability, Dialect, Edition, EntryKind, Host, HostError, Version};
use groma_syntax::{Body, BodyItem, FileId, TokenKind, Tree, parse_file, parse_json};
use groma_value::json::{JsonObject, JsonText};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dialect::{MODULE, construct};
use crate::feature_use::{FeatureKind, rows_of};
use crate::parsed::ParsedFiles;
use crate::words::WordIndex;

/// The edition with which a folder is read, and the reason for choosing it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditionEvidence {
    /// The edition.
    pub edition: Edition,
    /// The reason: a phrase that starts in lower case.
    pub reason: String,
    /// True if there is no evidence.
    pub is_guess: bool,
}

/// The name of the argument that constrains the program's version: `required_version`.
const REQUIRED_VERSION: &str = "required_version";

/// The host name of each program's default registry of providers.
const REGISTRIES: [(Dialect, &str); 2] =
    [(Dialect::OpenTofu, "registry.opentofu.org"), (Dialect::Terraform, "registry.terraform.io")];

/// The name of each program's file that selects a version for version managers.
const VERSION_FILES: [(Dialect, &str); 2] =
    [(Dialect::OpenTofu, ".opentofu-version"), (Dialect::Terraform, ".terraform-version")];

/// Maximum number of parent folders searched for a version manager's file.
const MAX_PARENT_FOLDERS: usize = 64;

/// A sign in the code that it is written for OpenTofu or for Terraform: the program, and the reason as a phrase.
struct EvidenceSign {
    dialect: Dialect,
    reason: String,
}

impl EditionEvidence {
    /// Determines the edition for the folder `dir` with these file names. Files parsed on the way are added to `parsed`.
    pub fn of(
        host: &dyn Host,
        dir: &str,
        names: &[String],
        parsed: &ParsedFiles,
    ) -> EditionEvidence {
        let search = EvidenceSearch { host, dir, names, parsed };
        let sign = search.by_names().or_else(|| search.by_lock()).or_else(|| search.by_providers());
        match sign {
            Some(sign) if sign.dialect == Dialect::Packer => {
                let edition = Edition::newest(Dialect::Packer);
                EditionEvidence { edition, reason: sign.reason, is_guess: false }
            }
            Some(sign) => {
                let version = search.version(Some(sign.dialect));
                let files = if version.is_none() { search.files(true) } else { Vec::new() };
                EditionEvidence::in_version(sign, version, &required(&files))
            }
            None => match search.version(None) {
                Some(named) => {
                    let files = match named.version {
                        Some(_) => Vec::new(),
                        None => search.files(true),
                    };
                    let sign = EvidenceSign { dialect: named.dialect, reason: String::new() };
                    EditionEvidence::in_version(sign, Some(named), &required(&files))
                }
                None => {
                    let files = search.files(false);
                    let required = required(&files);
                    let sign = by_required(&required).or_else(|| by_constructs(&files));
                    match sign.or_else(|| by_unknown(&required)) {
                        Some(sign) => EditionEvidence::in_version(sign, None, &required),
                        None => EditionEvidence::guess(&required),
                    }
                }
            },
        }
    }

    /// Returns the same edition with a reason that also says if its behaviour is only taken from documentation, or from an
    /// older version.
    pub fn with_reliability(mut self) -> EditionEvidence {
        if self.edition.is_newer_than_known() {
            let known = self.edition.known();
            self.reason = format!("{}, with the behaviour of {known}", self.reason);
        } else if !self.edition.is_recorded() {
            self.reason = format!("{}, with behaviour known from its documentation", self.reason);
        }
        self
    }

    /// Writes the edition and the reason for it as JSON: `{"name","version","evidence"}`.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        let mut one = JsonObject::open(out);
        one.text("name", self.edition.dialect.slug());
        one.text("version", &self.edition.version.to_string());
        one.text("evidence", &self.reason);
        one.close();
    }

    /// Returns the edition of the program that the sign found in the code indicates, in the version that a version file names or
    /// that fits the constraints.
    fn in_version(
        sign: EvidenceSign,
        named: Option<NamedVersion>,
        required: &[RequiredVersion],
    ) -> EditionEvidence {
        let dialect = sign.dialect;
        let mut reasons: Vec<String> =
            Some(sign.reason).filter(|r| !r.is_empty()).into_iter().collect();
        let mut edition = Edition::newest(dialect);
        if let Some(named) = named {
            reasons.push(format!("{} requires {}", named.file, named.text));
            if let Some(version) = named.version {
                edition = Edition::new(dialect, version);
                if version.major == 0 {
                    edition = Edition::new(dialect, Version::new(1, 0, 0));
                    reasons.push("which is older than any known version".to_owned());
                }
                return EditionEvidence { edition, reason: reasons.join(" and "), is_guess: false };
            }
        }
        if let Some(fitting) = fitting(dialect, required)
            && fitting != edition
        {
            edition = fitting;
            let asks = format!("required_version requires \"{}\"", constraint_texts(required));
            if !reasons.iter().any(|reason| reason.starts_with(&asks)) {
                reasons.push(asks);
            }
        }
        EditionEvidence { edition, reason: reasons.join(" and "), is_guess: false }
    }

    /// Returns the edition for code without any evidence: OpenTofu, at the version that fits the constraints in files that only
    /// OpenTofu reads.
    fn guess(required: &[RequiredVersion]) -> EditionEvidence {
        let own: Vec<RequiredVersion> = required.iter().filter(|one| one.is_own).cloned().collect();
        let sign = EvidenceSign {
            dialect: Dialect::OpenTofu,
            reason: "nothing says otherwise".to_owned(),
        };
        EditionEvidence { is_guess: true, ..EditionEvidence::in_version(sign, None, &own) }
    }
}

/// A version in a version manager's file, as written and parsed.
struct NamedVersion {
    dialect: Dialect,
    file: String,
    text: String,
    /// The version; `None` if it is not specific, such as `latest`.
    version: Option<Version>,
}

/// A `required_version` constraint, as written and parsed.
#[derive(Clone)]
struct RequiredVersion {
    text: String,
    constraints: VersionConstraints,
    /// True if it is in a file that only OpenTofu reads.
    is_own: bool,
}

/// A module file in which evidence of the folder's edition is searched for: its name, text and syntax tree.
struct EvidenceFile {
    name: String,
    text: Arc<str>,
    body: Body,
    /// The tree, if it is in native syntax.
    tree: Option<Arc<Tree>>,
}

/// A search for evidence of a folder's edition: the host, the folder, its file names, and the store for the syntax trees that
/// the search parses.
struct EvidenceSearch<'a> {
    host: &'a dyn Host,
    dir: &'a str,
    names: &'a [String],
    parsed: &'a ParsedFiles,
}

impl EvidenceSearch<'_> {
    /// Reads a file as text; `None` if it cannot be read or is not UTF-8.
    fn text(&self, path: &str) -> Option<String> {
        String::from_utf8(self.host.read(path).ok()?).ok()
    }

    /// Returns evidence from the name of a file that only one program reads; `None` if there is no such file.
    fn by_names(&self) -> Option<EvidenceSign> {
        let names = || self.names.iter().filter(|name| !is_ignored(name));
        let meant = dialect_of(names().map(String::as_str));
        for dialect in [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer] {
            let is_own =
                |kind: FileKind| kind.owner == Some(dialect) && kind.purpose != FilePurpose::Values;
            let own = names().find(|name| FileKind::of(name).is_some_and(is_own));
            // A Packer template beside a module does not make the folder one.
            let counts = dialect != Dialect::Packer || meant == Dialect::Packer;
            if let Some(own) = own.filter(|_| counts) {
                return Some(EvidenceSign {
                    dialect,
                    reason: format!("{own} is a file of {dialect} only"),
                });
            }
        }
        None
    }

    /// Returns evidence for OpenTofu or Terraform from the registry of the providers in the lock file; `None` if that is the
    /// default registry of neither.
    fn by_lock(&self) -> Option<EvidenceSign> {
        let text = self.text(&path::join(self.dir, LOCK_FILE))?;
        let providers = text.lines().filter_map(|line| line.trim().strip_prefix("provider \""));
        let providers: Vec<&str> = providers.collect();
        let (dialect, registry) = REGISTRIES.into_iter().find(|(_, registry)| {
            providers.iter().any(|provider| provider.starts_with(registry))
        })?;
        Some(EvidenceSign {
            dialect,
            reason: format!("{LOCK_FILE} contains providers of {registry}"),
        })
    }

    /// Returns evidence for OpenTofu or Terraform from the registry of the providers installed in the module's data directory;
    /// `None` if that is the default registry of neither.
    fn by_providers(&self) -> Option<EvidenceSign> {
        let (dialect, registry) = REGISTRIES.into_iter().find(|(_, registry)| {
            let folder = format!("providers/{registry}");
            self.host.kind(&path::join(&data_dir(self.host, self.dir), &folder))
                == Ok(EntryKind::Directory)
        })?;
        Some(EvidenceSign {
            dialect,
            reason: format!(".terraform contains providers of {registry}"),
        })
    }

    /// Returns the version in the nearest version manager's file, in the folder or above it, of the program `wanted` or of any;
    /// `None` if no such file names one.
    fn version(&self, wanted: Option<Dialect>) -> Option<NamedVersion> {
        let mut folder = self.host.canonical(self.dir).ok()?;
        for above in 0..MAX_PARENT_FOLDERS {
            if above > 0 {
                let (upper, _) = folder.rsplit_once('/')?;
                folder = upper.to_owned();
            }
            let is_wanted = |dialect: Dialect| wanted.is_none_or(|wanted| wanted == dialect);
            let shown = |file: &str| format!("{}{file}", "../".repeat(above));
            for (dialect, file) in VERSION_FILES.into_iter().filter(|(one, _)| is_wanted(*one)) {
                match self.host.read(&format!("{folder}/{file}")) {
                    Ok(bytes) => {
                        let text = String::from_utf8_lossy(&bytes);
                        let mut lines =
                            text.lines().map(|line| line.split('#').next().unwrap_or(line).trim());
                        if let Some(text) = lines.find(|line| !line.is_empty()) {
                            return Some(named(dialect, shown(file), text));
                        }
                    }
                    Err(HostError::Outside) => return None,
                    Err(_) => {}
                }
            }
            let tools = self.text(&format!("{folder}/.tool-versions")).unwrap_or_default();
            for line in tools.lines() {
                let mut words = line.split('#').next().unwrap_or(line).split_whitespace();
                let dialect = match words.next() {
                    Some("opentofu") => Dialect::OpenTofu,
                    Some("terraform") => Dialect::Terraform,
                    _ => continue,
                };
                if let Some(text) = words.next().filter(|_| is_wanted(dialect)) {
                    return Some(named(dialect, shown(".tool-versions"), text));
                }
            }
        }
        None
    }

    /// Parses and returns the module's files that contain words which may be evidence for OpenTofu or Terraform; with
    /// `for_versions` only those that contain the word `required_version`. Unreadable files are skipped.
    fn files(&self, for_versions: bool) -> Vec<EvidenceFile> {
        let mut files = Vec::new();
        for name in self.names.iter().filter(|name| !is_ignored(name)) {
            let Some(kind) = FileKind::of(name).filter(|_| FileKind::is_module(name)) else {
                continue;
            };
            let is_json = kind.is_json();
            let shown = path::join(self.dir, name);
            let Some(text) = self.text(&shown) else { continue };
            // Most files contain no evidence, which shows without parsing.
            if !EVIDENCE_WORDS.are_in(&text, |asks| *asks || !for_versions) {
                continue;
            }
            let text: Arc<str> = text.into();
            let (body, tree) = match is_json {
                true => (Body::json(&parse_json(&text, FileId(0))), None),
                false => {
                    let parse = parse_file(&text, FileId(0));
                    if parse.diagnostics.is_empty() {
                        self.parsed.keep(&shown, &parse.tree);
                    }
                    (Body::of(&parse), Some(parse.tree))
                }
            };
            files.push(EvidenceFile { name: name.clone(), text, body, tree });
        }
        files
    }
}

/// Index of the words that may be evidence for a program; true for the name of the version constraint, false for others.
static EVIDENCE_WORDS: LazyLock<WordIndex<bool>> = LazyLock::new(|| {
    let names = evidence_words().into_iter().map(|name| (name, false));
    WordIndex::of(names.chain([(REQUIRED_VERSION, true)]))
});

/// Returns the names of blocks, arguments and functions that only one of the programs has.
fn evidence_words() -> FxHashSet<&'static str> {
    let mut words: FxHashSet<&'static str> = OWN_FUNCTIONS.keys().copied().collect();
    let mut rest: Vec<&BlockRow> = MODULE.iter().collect();
    while let Some(row) = rest.pop() {
        if home(row.editions).is_some() {
            words.insert(row.kind);
        }
        let own = row.arguments.iter().filter(|argument| home(argument.editions).is_some());
        words.extend(own.map(|argument| argument.name));
        rest.extend(row.blocks);
    }
    let forms = construct::ALL.iter().filter(|form| home(form.editions).is_some());
    words.extend(forms.map(|form| form.word));
    words
}

/// The names of functions that only one of the programs has, each with that program.
static OWN_FUNCTIONS: LazyLock<FxHashMap<&'static str, Dialect>> = LazyLock::new(|| {
    let (tofu, terraform) = (Dialect::OpenTofu, Dialect::Terraform);
    let own = |dialect, other| {
        let newest = |dialect: Dialect| Edition::new(dialect, dialect.newest_known());
        let names = names_of_one_dialect(newest(dialect), newest(other));
        names.map(move |name| (name, dialect))
    };
    own(tofu, terraform).chain(own(terraform, tofu)).collect()
});

/// Parses a version read from a version manager's file.
fn named(dialect: Dialect, file: String, text: &str) -> NamedVersion {
    let plain = text.trim_start_matches("v");
    let version = Version::parse(plain.split(['-', '+']).next().unwrap_or(plain));
    NamedVersion { dialect, file, text: text.to_owned(), version }
}

/// Returns every valid `required_version` constraint in the files.
fn required(files: &[EvidenceFile]) -> Vec<RequiredVersion> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.text.contains(REQUIRED_VERSION)) {
        let is_own = FileKind::of(&file.name).is_some_and(|kind| kind.owner.is_some());
        for item in file.body.items() {
            let BodyItem::Block(block) = item else { continue };
            if !matches!(&*block.kind.text, "terraform" | "language") {
                continue;
            }
            for inner in block.body.items() {
                let BodyItem::Argument(argument) = inner else { continue };
                if &*argument.name.text != REQUIRED_VERSION {
                    continue;
                }
                let Some(text) = literal_text(&argument.expr) else { continue };
                if let Ok(constraints) = VersionConstraints::parse(&text) {
                    found.push(RequiredVersion { text, constraints, is_own });
                }
            }
        }
    }
    found
}

/// A set of versions of a program, such as the released ones, that is searched for one that satisfies the `required_version`
/// constraints of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Horizon {
    /// Released versions.
    Released,
    /// Also versions whose behaviour is recorded.
    Recorded,
    /// Also versions that are not known yet.
    Unknown,
}

impl Horizon {
    /// All horizons, from the most to the least reliable, in the order in which they are tried.
    const ALL: [Horizon; 3] = [Horizon::Released, Horizon::Recorded, Horizon::Unknown];

    /// Returns the `(major, minor)` versions of this horizon in order of preference: the newest first, of unknown ones the
    /// oldest.
    fn minors(self, dialect: Dialect) -> Vec<(u32, u32)> {
        /// The first minor version of OpenTofu 1.
        const FIRST_OPENTOFU: u32 = 6;
        /// Number of minor versions after the newest known one that are tried against the constraints of the code.
        const AHEAD: u32 = 50;
        /// The highest major version that is tried against the constraints of the code if no known version satisfies them.
        const LAST_MAJOR: u32 = 9;
        let first = if dialect == Dialect::OpenTofu { FIRST_OPENTOFU } else { 0 };
        let known = dialect.newest_known().minor;
        match self {
            Horizon::Released => (first..=dialect.newest().minor).rev().map(|at| (1, at)).collect(),
            Horizon::Recorded => (first..=known).rev().map(|at| (1, at)).collect(),
            Horizon::Unknown => {
                let majors = (2..=LAST_MAJOR).map(|major| (major, 0));
                (known + 1..=known + AHEAD).map(|at| (1, at)).chain(majors).collect()
            }
        }
    }
}

/// Returns the edition of the most preferred version in the set `horizon` that satisfies all constraints; `None` if there is
/// none, or no constraint.
fn fitting_within(
    dialect: Dialect,
    required: &[RequiredVersion],
    horizon: Horizon,
) -> Option<Edition> {
    if required.is_empty() {
        return None;
    }
    let allows = |version: Version| {
        let release = ReleaseVersion::new(
            u64::from(version.major),
            u64::from(version.minor),
            u64::from(version.patch),
        );
        required.iter().all(|one| one.constraints.allow(&release))
    };
    horizon.minors(dialect).into_iter().find_map(|(major, minor)| {
        let last = Edition::parse(&format!("{}@{major}.{minor}", dialect.slug()))?.version;
        let others = (0..=30).map(|patch| Version::new(major, minor, patch));
        let version = std::iter::once(last).chain(others).find(|one| allows(*one))?;
        Some(Edition::new(dialect, version))
    })
}

/// Returns the edition that satisfies all constraints: the newest released one, else a recorded one, else the nearest unknown
/// one; `None` if none does.
fn fitting(dialect: Dialect, required: &[RequiredVersion]) -> Option<Edition> {
    let mut all = Horizon::ALL.into_iter();
    all.find_map(|horizon| fitting_within(dialect, required, horizon))
}

/// Returns the texts of version constraints as part of a message, joined by `" and "` without the outer quotes.
fn constraint_texts(required: &[RequiredVersion]) -> String {
    let texts: BTreeSet<&str> = required.iter().map(|one| one.text.as_str()).collect();
    texts.into_iter().collect::<Vec<_>>().join("\" and \"")
}

/// Returns evidence from version constraints that only one of the programs can satisfy; `None` for others.
fn by_required(required: &[RequiredVersion]) -> Option<EvidenceSign> {
    for horizon in [Horizon::Released, Horizon::Recorded] {
        let fits = |dialect| fitting_within(dialect, required, horizon).is_some();
        let (dialect, other) = match (fits(Dialect::OpenTofu), fits(Dialect::Terraform)) {
            (true, false) => (Dialect::OpenTofu, Dialect::Terraform),
            (false, true) => (Dialect::Terraform, Dialect::OpenTofu),
            (true, true) => return None,
            (false, false) => continue,
        };
        let text = constraint_texts(required);
        let reason =
            format!("required_version requires \"{text}\" and {other} has no such version");
        return Some(EvidenceSign { dialect, reason });
    }
    None
}

/// Returns evidence from version constraints that no known version satisfies, for the program whose versions are nearer; `None`
/// if neither program's are.
fn by_unknown(required: &[RequiredVersion]) -> Option<EvidenceSign> {
    let ahead = |dialect: Dialect| {
        let version = fitting_within(dialect, required, Horizon::Unknown)?.version;
        (version.major == 1).then(|| version.minor - dialect.newest_known().minor)
    };
    let (tofu, terraform) = (ahead(Dialect::OpenTofu), ahead(Dialect::Terraform));
    let (tofu, terraform) = (tofu.unwrap_or(u32::MAX), terraform.unwrap_or(u32::MAX));
    let dialect = match tofu.cmp(&terraform) {
        Ordering::Less => Dialect::OpenTofu,
        Ordering::Greater => Dialect::Terraform,
        Ordering::Equal => return None,
    };
    let text = constraint_texts(required);
    let reason = format!("required_version requires \"{text}\" and {dialect} is nearest to that");
    Some(EvidenceSign { dialect, reason })
}

/// Returns evidence from a block, argument or function that only one of the programs has; `None` if the files contain none.
fn by_constructs(files: &[EvidenceFile]) -> Option<EvidenceSign> {
    for file in files {
        let mut first = None;
        rows_of(&file.body, MODULE, &mut |need| {
            first = first.take().or_else(|| Some((home(need.editions)?, need.kind)));
        });
        if let Some((dialect, kind)) = first {
            let what = match kind {
                FeatureKind::Argument { name, .. } => format!("the argument {name}"),
                other => other.to_string(),
            };
            let reason = format!("{} contains {what}, which only {dialect} has", file.name);
            return Some(EvidenceSign { dialect, reason });
        }
        let Some(tokens) = file.tree.as_ref().map(|tree| tree.tokens()) else { continue };
        for (name, next) in tokens.iter().zip(tokens.from(1).iter()) {
            if name.kind() != TokenKind::Identifier || next.kind() != TokenKind::OpenParen {
                continue;
            }
            let name = name.span().of(&file.text);
            let Some(&dialect) = OWN_FUNCTIONS.get(name) else { continue };
            let reason = format!("{} calls {name}, which only {dialect} has", file.name);
            return Some(EvidenceSign { dialect, reason });
        }
    }
    None
}

/// Returns the only program that supports a feature, of OpenTofu and Terraform, given the editions that have it; `None` if both
/// or neither do.
fn home(editions: Availability) -> Option<Dialect> {
    match (editions.opentofu, editions.terraform) {
        (Some(_), None) => Some(Dialect::OpenTofu),
        (None, Some(_)) => Some(Dialect::Terraform),
        _ => None,
    }
}
