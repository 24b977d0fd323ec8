//! File patterns of `fileset` in OpenTofu: `*` and `?` within a name, `**` over folders, `[…]`, `{…,…}`. Names that begin
//! with a dot are like any other, and a pattern without these characters is a literal name, backslashes included.

use groma_runtime::{EntryKind, HostError, LimitExcess};

use crate::CallContext;

/// Maximum number of patterns that the braces of one pattern may expand to.
const CHOICES: usize = 1_000;
/// The approximate bytes charged for a file name, once in a listing and again in a match.
const ENTRY: u64 = 256;
/// Maximum depth of folders that `**` in a `fileset` pattern of OpenTofu searches.
const DEPTH: usize = 100;

/// The reason why a `fileset` search failed: an invalid pattern, a folder that cannot be listed, or a limit.
pub(super) enum GlobError {
    /// An invalid pattern, with a message.
    Pattern(String),
    /// A folder that cannot be listed: its path and the host's error.
    Host(String, HostError),
    /// An exceeded limit.
    Limit(LimitExcess),
}

/// Returns the absolute paths of the files that match an absolute pattern by OpenTofu's rules, in no particular order and
/// possibly repeated.
pub(super) fn files(pattern: &str, context: &CallContext<'_>) -> Result<Vec<String>, GlobError> {
    let mut found = Vec::new();
    let mut search = GlobSearch { context, found: &mut found, steps: 0 };
    // Folders before the first pattern character are literal names.
    let sign = pattern.find(['*', '?', '[', '{', '\\']).unwrap_or(pattern.len());
    let (folders, rest) = pattern.split_at(pattern[..sign].rfind('/').map_or(0, |at| at + 1));
    let choices = choices(rest)?;
    if !pattern.contains(['*', '?', '[', '{']) {
        walk("", &names(pattern, true)?, &mut search)?;
        return Ok(found);
    }
    for GlobChoice { pattern, empty } in choices {
        let mut all = names(folders, true)?;
        all.extend(names(&pattern, false)?);
        if !empty {
            walk("", &all, &mut search)?;
        }
    }
    Ok(found)
}

/// The state of a file search: the paths found, and the number of directory entries examined.
pub(super) struct GlobSearch<'s> {
    pub(super) context: &'s CallContext<'s>,
    pub(super) found: &'s mut Vec<String>,
    pub(super) steps: usize,
}

/// A component of a file pattern between slashes: a literal name, a pattern, or `**`.
enum GlobName {
    /// A literal name.
    Exactly(String),
    /// A pattern for one name.
    Like(Vec<GlobSign>),
    /// `**`: any number of folders.
    AnyFolders,
}

/// An element of a pattern for one name: a character, `?`, `*` or a class.
enum GlobSign {
    /// A literal character.
    Character(char),
    /// `?`: one character.
    One,
    /// `*`: any number of characters.
    Any,
    /// A class in brackets: one character in these ranges, or if `negated` outside of them.
    Class { negated: bool, ranges: Vec<(char, char)> },
}

/// Parses a file pattern into its components between slashes; with `literal`, each is a literal name.
fn names(pattern: &str, literal: bool) -> Result<Vec<GlobName>, GlobError> {
    let parts = pattern.split('/').filter(|part| !part.is_empty());
    parts
        .map(|part| match part {
            _ if literal => Ok(GlobName::Exactly(part.to_owned())),
            "**" => Ok(GlobName::AnyFolders),
            part => Ok(GlobName::Like(signs(part)?)),
        })
        .collect()
}

/// Creates the error for an invalid pattern, with its message.
fn pattern_error(message: &str) -> GlobError {
    GlobError::Pattern(message.to_owned())
}

/// Parses the pattern for one file name into its elements: characters, `?`, `*` and classes.
fn signs(part: &str) -> Result<Vec<GlobSign>, GlobError> {
    let mut signs = Vec::new();
    let mut rest = part.chars();
    while let Some(c) = rest.next() {
        signs.push(match c {
            '*' => GlobSign::Any,
            '?' => GlobSign::One,
            '\\' => GlobSign::Character(
                rest.next().ok_or_else(|| pattern_error("it ends in a backslash"))?,
            ),
            '[' => class(&mut rest)?,
            c => GlobSign::Character(c),
        });
    }
    Ok(signs)
}

/// Parses a character class, such as `[a-z]`, from the text after its opening bracket.
fn class(rest: &mut std::str::Chars<'_>) -> Result<GlobSign, GlobError> {
    let unclosed = || pattern_error("a `[` is not closed by `]` within one name");
    let negated = rest.as_str().starts_with(['^', '!']);
    if negated {
        rest.next();
    }
    let mut ranges = Vec::new();
    loop {
        match rest.next().ok_or_else(unclosed)? {
            ']' if ranges.is_empty() => return Err(pattern_error("`[]` holds no character")),
            ']' => return Ok(GlobSign::Class { negated, ranges }),
            c => {
                let escaped = |c, rest: &mut std::str::Chars<'_>| match c {
                    '\\' => rest.next().ok_or_else(unclosed),
                    c => Ok(c),
                };
                let low = escaped(c, rest)?;
                let mut high = low;
                let after = rest.as_str();
                if after.starts_with('-') && !after.starts_with("-]") {
                    rest.next();
                    let c = rest.next().ok_or_else(unclosed)?;
                    high = escaped(c, rest)?;
                }
                ranges.push((low, high));
            }
        }
    }
}

/// Returns true if a name matches the elements of a pattern. Only the last `*` is tried again.
fn matches_name(signs: &[GlobSign], name: &[char]) -> bool {
    let (mut sign, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < name.len() {
        let step = match signs.get(sign) {
            Some(GlobSign::Any) => {
                retry = Some((sign, at));
                sign += 1;
                continue;
            }
            Some(GlobSign::One) => true,
            Some(GlobSign::Character(c)) => *c == name[at],
            Some(GlobSign::Class { negated, ranges }) => {
                // A descending range still contains its first character.
                let inside = |&(low, high): &(char, char)| {
                    name[at] == low || (low..=high).contains(&name[at])
                };
                ranges.iter().any(inside) != *negated
            }
            None => false,
        };
        match (step, retry) {
            (true, _) => (sign, at) = (sign + 1, at + 1),
            (false, Some((star, from))) => {
                retry = Some((star, from + 1));
                (sign, at) = (star + 1, from + 1);
            }
            (false, None) => return false,
        }
    }
    signs[sign..].iter().all(|sign| matches!(sign, GlobSign::Any))
}

/// Adds the files below `folder` that match the components of a pattern to the search. `folder` is an absolute path without a
/// final slash.
fn walk(folder: &str, names: &[GlobName], search: &mut GlobSearch<'_>) -> Result<(), GlobError> {
    let Some((first, after)) = names.split_first() else { return Ok(()) };
    let last = after.is_empty();
    let shown = if folder.is_empty() { "/" } else { folder };
    match first {
        GlobName::Exactly(name) => visit(&format!("{folder}/{name}"), None, after, search),
        GlobName::Like(signs)
            if signs.iter().all(|sign| matches!(sign, GlobSign::Character(_))) =>
        {
            let letter = |sign: &GlobSign| match sign {
                GlobSign::Character(c) => Some(*c),
                _ => None,
            };
            let name: String = signs.iter().filter_map(letter).collect();
            visit(&format!("{folder}/{name}"), None, after, search)
        }
        GlobName::Like(signs) => {
            for (name, kind) in entries(shown, search)? {
                let letters: Vec<char> = name.chars().collect();
                if matches_name(signs, &letters) {
                    visit(&format!("{folder}/{name}"), Some(kind), after, search)?;
                }
            }
            Ok(())
        }
        GlobName::AnyFolders => {
            let mut folders = vec![(folder.to_owned(), 0)];
            while let Some((folder, depth)) = folders.pop() {
                if !last {
                    walk(&folder, after, search)?;
                }
                let shown = if folder.is_empty() { "/" } else { &folder };
                for (name, kind) in entries(shown, search)? {
                    let path = format!("{folder}/{name}");
                    match kind {
                        EntryKind::Directory if depth < DEPTH => folders.push((path, depth + 1)),
                        EntryKind::File if last => search.found.push(path),
                        _ => {}
                    }
                }
            }
            Ok(())
        }
    }
}

/// Continues a search at the entry with this path: adds a file, or searches a folder for the remaining components `after`; for
/// the `kind` `None` the host is asked what it is.
fn visit(
    path: &str,
    kind: Option<EntryKind>,
    after: &[GlobName],
    search: &mut GlobSearch<'_>,
) -> Result<(), GlobError> {
    // An unreadable entry is followed all the same: it may be a folder above the readable root.
    if !after.is_empty() {
        return match kind {
            None | Some(EntryKind::Directory) => walk(path, after, search),
            _ => Ok(()),
        };
    }
    let kind = match kind {
        Some(kind) => kind,
        None => match search
            .context
            .host
            .check_code_access(path)
            .and_then(|()| search.context.host.kind(path))
        {
            Ok(kind) => kind,
            Err(error @ (HostError::Outside | HostError::Private)) => {
                return Err(GlobError::Host(path.to_owned(), error));
            }
            Err(_) => return Ok(()),
        },
    };
    if kind == EntryKind::File {
        search.found.push(path.to_owned());
    }
    Ok(())
}

/// Returns the entries of a folder, sorted by name, and adds their number to the entries that the search has examined; empty if
/// there is no such folder.
pub(super) fn entries(
    folder: &str,
    search: &mut GlobSearch<'_>,
) -> Result<Vec<(String, EntryKind)>, GlobError> {
    let host = search.context.host;
    if let Err(error) = host.check_code_access(folder) {
        return Err(GlobError::Host(folder.to_owned(), error));
    }
    let mut entries = match host.list(folder) {
        Ok(entries) => entries,
        Err(HostError::Absent | HostError::WrongKind) => return Ok(Vec::new()),
        Err(error) => return Err(GlobError::Host(folder.to_owned(), error)),
    };
    search.steps += entries.len();
    let CallContext { meter, budget, .. } = search.context;
    let count = entries.len() as u64;
    let charged = meter.charge_steps(count, budget);
    charged.and_then(|()| meter.charge_bytes(count * ENTRY, budget)).map_err(GlobError::Limit)?;
    let limit = search.context.limits.elements;
    if search.steps > limit {
        return Err(GlobError::Pattern(format!(
            "it leads through more than {limit} files and folders"
        )));
    }
    // Entries that the code may not read are skipped.
    entries.retain(|entry| {
        let is_plain = entry.kind != EntryKind::Directory && !entry.name.starts_with('.');
        is_plain || host.check_code_access(&format!("{folder}/{}", entry.name)).is_ok()
    });
    entries.sort();
    Ok(entries.into_iter().map(|entry| (entry.name, entry.kind)).collect())
}

/// One of the patterns without braces to which a pattern with braces expands.
struct GlobChoice {
    pattern: String,
    /// True if it comes from empty braces, so it matches nothing.
    empty: bool,
}

/// Expands the braces of a pattern into all patterns without braces.
fn choices(pattern: &str) -> Result<Vec<GlobChoice>, GlobError> {
    let mut done = Vec::new();
    let mut open = vec![GlobChoice { pattern: pattern.to_owned(), empty: false }];
    while let Some(choice) = open.pop() {
        let Some((before, choices, after)) = braces(&choice.pattern)? else {
            done.push(choice);
            continue;
        };
        let empty = choice.empty || matches!(choices[..], [""]);
        let pattern = |inner: &&str| format!("{before}{inner}{after}");
        open.extend(choices.iter().rev().map(|one| GlobChoice { pattern: pattern(one), empty }));
        if open.len() + done.len() > CHOICES {
            return Err(GlobError::Pattern(format!(
                "its braces stand for more than {CHOICES} patterns"
            )));
        }
    }
    Ok(done)
}

/// A pattern split at its first braces: the text before them, their alternatives, and the text after them.
type Braces<'p> = (&'p str, Vec<&'p str>, &'p str);

/// Splits a pattern at its first braces: the text before them, their alternatives, and the text after them; `None` without
/// braces.
fn braces(pattern: &str) -> Result<Option<Braces<'_>>, GlobError> {
    let mut depth = 0;
    let mut start = 0;
    let mut open = 0;
    let mut choices = Vec::new();
    let mut escaped = false;
    let mut class = false;
    for (at, c) in pattern.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match c {
            '\\' => escaped = true,
            // Braces inside brackets are characters; brackets inside braces are parsed after the expansion.
            ']' if depth == 0 => class = false,
            _ if class => {}
            '[' if depth == 0 => class = true,
            '{' => {
                if depth == 0 {
                    open = at;
                    start = at + 1;
                }
                depth += 1;
            }
            ',' if depth == 1 => {
                choices.push(&pattern[start..at]);
                start = at + 1;
            }
            '}' if depth == 1 => {
                choices.push(&pattern[start..at]);
                return Ok(Some((&pattern[..open], choices, &pattern[at + 1..])));
            }
            '}' if depth > 0 => depth -= 1,
            '}' => return Err(pattern_error("a `}` closes no `{`")),
            _ => {}
        }
    }
    if escaped {
        return Err(pattern_error("it ends in a backslash"));
    }
    if depth > 0 { Err(pattern_error("a `{` is not closed by `}`")) } else { Ok(None) }
}
