//! The known parts of a file name that is not known as a whole: texts with gaps. A gap may contain `..` unless that is excluded;
//! then the text before the gap says nothing about the file's folder.

use groma_runtime::file_path;
use groma_value::{Str, Unknown, Value};

/// Maximum number of patterns in a set of possible texts; a larger set counts as any text.
const MAX_PATTERNS: usize = 512;

/// A set of the texts, such as file names, that an unknown value may turn out to be, as patterns; the inner `None` stands for
/// every text.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PossibleNames(Option<Vec<NamePattern>>);

/// A pattern of possible texts: its parts in order.
type NamePattern = Vec<NamePart>;

/// A part of a pattern of texts: an exact text, a path that matches a `fileset` glob, a relative path without `..`, or any text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum NamePart {
    /// Exactly this text.
    Text(Str),
    /// A path that matches a `fileset` pattern.
    Glob(Str),
    /// Any relative path that leads downwards.
    Within,
    /// Any text.
    Anything,
}

/// An element of a path pattern: a character, or a gap that matches several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatternSign {
    Exactly(char),
    /// Any text without a slash, from `*` in a `fileset` pattern.
    Name,
    /// Any text, from `**` in a `fileset` pattern.
    Below,
    /// Any relative path that leads downwards, such as `.`.
    Within,
    /// Any text.
    Anything,
}

impl PatternSign {
    /// Returns the character if the element matches exactly one; `None` for others.
    fn letter(self) -> Option<char> {
        match self {
            PatternSign::Exactly(letter) => Some(letter),
            _ => None,
        }
    }
}

impl PossibleNames {
    /// Returns the set that contains every text.
    pub(crate) fn any() -> PossibleNames {
        PossibleNames(None)
    }

    /// Returns the set of all texts that begin with a prefix.
    pub(crate) fn starting(prefix: &Str) -> PossibleNames {
        match prefix.is_empty() {
            true => PossibleNames::any(),
            false => {
                PossibleNames(Some(vec![vec![NamePart::Text(prefix.clone()), NamePart::Anything]]))
            }
        }
    }

    /// Returns the set of paths that match a `fileset` pattern, or of all texts if the pattern may lead upwards.
    pub(crate) fn fitting(pattern: &Str) -> PossibleNames {
        let leads_up = pattern.starts_with('/') || pattern.contains("..");
        let part = if leads_up { NamePart::Anything } else { NamePart::Glob(pattern.clone()) };
        PossibleNames(Some(vec![vec![part]]))
    }

    /// Returns the set of all relative paths that stay within their directory, such as the results of `fileset`.
    pub(crate) fn within() -> PossibleNames {
        PossibleNames(Some(vec![vec![NamePart::Within]]))
    }

    /// Returns the empty set.
    pub(crate) fn none() -> PossibleNames {
        PossibleNames(Some(Vec::new()))
    }

    /// Returns the set that contains a single text.
    pub(crate) fn exactly(text: &str) -> PossibleNames {
        PossibleNames(Some(vec![vec![NamePart::Text(Str::from(text))]]))
    }

    /// Returns the set of all texts in a value, including keys, and for its unknown parts the texts that `of_unknown` returns.
    pub(crate) fn in_value(
        value: &Value,
        of_unknown: impl Fn(&Unknown) -> PossibleNames,
    ) -> PossibleNames {
        let (mut texts, mut others) = (Vec::new(), PossibleNames::none());
        value.visit(&mut |part| {
            match part {
                Value::String(text) => texts.push(text.clone()),
                Value::Bool(flag) => texts.push(Str::from(if *flag { "true" } else { "false" })),
                Value::Decimal(_) | Value::Real(_) => {
                    texts.extend(part.as_number().map(|number| Str::from(&*number.to_text())));
                }
                Value::Map(map) => texts.extend(map.entries().iter().map(|(key, _)| key.clone())),
                Value::Object(object) => texts.extend(object.iter().map(|(name, _)| name.clone())),
                Value::Unknown(unknown) => {
                    others = std::mem::take(&mut others).or(of_unknown(unknown));
                    // The texts of the unknown include those of its known parts.
                    return false;
                }
                _ => {}
            }
            !others.is_any() && texts.len() <= MAX_PATTERNS
        });
        if others.is_any() || texts.len() > MAX_PATTERNS {
            return PossibleNames::any();
        }
        let all = texts.into_iter().map(|text| vec![NamePart::Text(text)]);
        others.or(PossibleNames(Some(all.collect())))
    }

    /// Returns the texts of the set if it consists of complete texts only; `None` if a pattern has a gap.
    pub(crate) fn texts(&self) -> Option<Vec<Str>> {
        let whole = |pattern: &NamePattern| match &pattern[..] {
            [NamePart::Text(text)] => Some(text.clone()),
            _ => None,
        };
        self.0.as_ref()?.iter().map(whole).collect()
    }

    /// Returns the set of texts that are in either set.
    pub(crate) fn or(self, other: PossibleNames) -> PossibleNames {
        let (Some(mut all), Some(more)) = (self.0, other.0) else { return PossibleNames::any() };
        for one in more {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        PossibleNames(Some(all).filter(|all| all.len() <= MAX_PATTERNS))
    }

    /// Returns the set of all concatenations of a text of this set and one of `other`.
    pub(crate) fn then(self, other: PossibleNames) -> PossibleNames {
        let or_anything = |names: PossibleNames| match names.0 {
            Some(all) => all,
            None => vec![vec![NamePart::Anything]],
        };
        let (before, after) = (or_anything(self), or_anything(other));
        if before.len() * after.len() > MAX_PATTERNS {
            return PossibleNames::any();
        }
        let both = before.iter().flat_map(|one| after.iter().map(|two| chained(one, two)));
        PossibleNames(Some(both.collect()))
    }

    /// Returns true if the set contains every text, so that nothing is known.
    pub(crate) fn is_any(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if no path in the set leads upwards or is absolute.
    pub(crate) fn stay_within(&self) -> bool {
        let is_within = |pattern: &NamePattern| match &pattern[..] {
            [NamePart::Text(text)] => {
                !text.starts_with(['/', '~']) && !text.split('/').any(|name| name == "..")
            }
            [NamePart::Glob(_) | NamePart::Within] => true,
            _ => false,
        };
        self.0.as_ref().is_some_and(|all| all.iter().all(is_within))
    }

    /// Returns patterns of the absolute paths that the names of the set denote in a folder.
    pub(crate) fn paths_from(&self, folder: &str) -> Vec<PathPattern> {
        match &self.0 {
            Some(all) => all.iter().map(|one| PathPattern::of(one, folder)).collect(),
            None => vec![PathPattern { signs: vec![PatternSign::Anything] }],
        }
    }
}

/// Returns the pattern that matches `one` followed by `two`.
fn chained(one: &[NamePart], two: &[NamePart]) -> NamePattern {
    let mut all = one.to_vec();
    for part in two {
        match (all.last_mut(), part) {
            (Some(NamePart::Text(before)), NamePart::Text(text)) => {
                *before = Str::from(format!("{before}{text}"));
            }
            _ => all.push(part.clone()),
        }
    }
    all
}

/// A pattern of absolute paths without `.` and `..`.
pub(crate) struct PathPattern {
    signs: Vec<PatternSign>,
}

impl PathPattern {
    /// Returns the pattern of the absolute paths that a name pattern can denote in a folder.
    fn of(parts: &[NamePart], folder: &str) -> PathPattern {
        let mut signs: Vec<PatternSign> = Vec::new();
        for part in parts {
            match part {
                NamePart::Text(text) => text_signs(text, &mut signs),
                NamePart::Glob(pattern) => glob_signs(pattern, &mut signs),
                NamePart::Within => signs.push(PatternSign::Within),
                NamePart::Anything => signs.push(PatternSign::Anything),
            }
        }
        if signs.first() == Some(&PatternSign::Exactly('~')) {
            // The home directory.
            signs = vec![PatternSign::Anything];
        }
        let slash = PatternSign::Exactly('/');
        let names: Vec<&[PatternSign]> = signs.split(|sign| *sign == slash).collect();
        let is_known = |name: &&&[PatternSign]| name.iter().all(|sign| sign.letter().is_some());
        let (known, open) = names.split_at(names.iter().take_while(is_known).count());
        let mut path = Vec::new();
        let open = match open.iter().rposition(|name| may_lead_up(name)) {
            // Nothing before it tells where that leads.
            Some(at) => {
                path.push(PatternSign::Anything);
                path.extend_from_slice(end_of(open[at]));
                &open[at + 1..]
            }
            None => {
                let known: Vec<String> = known.iter().map(|name| text_of(name)).collect();
                let known = match &known[..] {
                    [first, rest @ ..] if first.is_empty() && names.len() > 1 => {
                        format!("/{}", rest.join("/"))
                    }
                    all => all.join("/"),
                };
                let known = file_path::join(folder, &known);
                path.extend(known.trim_end_matches('/').chars().map(PatternSign::Exactly));
                open
            }
        };
        for name in open {
            if name.is_empty() || **name == [PatternSign::Exactly('.')] {
                continue;
            }
            // No folder at all is one of the ways downwards.
            let is_way =
                |sign: &PatternSign| matches!(sign, PatternSign::Within | PatternSign::Below);
            if !name.iter().all(is_way) {
                path.push(slash);
            }
            path.extend_from_slice(name);
        }
        PathPattern { signs: path }
    }

    /// Returns true if the pattern matches a path, or with `is_folder` may match something in or below it.
    pub(crate) fn fits(&self, path: &str, is_folder: bool) -> bool {
        let mut states = vec![false; self.signs.len() + 1];
        states[0] = true;
        self.skip(&mut states);
        for letter in path.chars() {
            self.take(letter, &mut states);
        }
        if states.last() == Some(&true) {
            return true;
        }
        if is_folder {
            self.take('/', &mut states);
        }
        is_folder && states.contains(&true)
    }

    /// Returns true if the pattern ends with the exact text of a file extension, such as `.json`, so that all matching paths
    /// have it.
    pub(crate) fn has_ending(&self) -> bool {
        let mut end = self.signs.iter().rev().map_while(|sign| sign.letter());
        end.by_ref().take_while(|letter| *letter != '/').any(|letter| letter == '.')
    }

    /// Adds to `states`, which hold how far a path matches the pattern so far, those that are reached without reading a
    /// character.
    fn skip(&self, states: &mut [bool]) {
        for (at, sign) in self.signs.iter().enumerate() {
            if states[at] && !matches!(sign, PatternSign::Exactly(_)) {
                states[at + 1] = true;
            }
        }
    }

    /// Advances `states`, which hold how far a path matches the pattern so far, over one character of the path.
    fn take(&self, letter: char, states: &mut [bool]) {
        let mut last = false;
        let mut before = None;
        for (at, state) in states.iter_mut().enumerate() {
            let sign = self.signs.get(at).copied();
            let stays = match sign {
                Some(PatternSign::Anything | PatternSign::Within | PatternSign::Below) => *state,
                Some(PatternSign::Name) => *state && letter != '/',
                _ => false,
            };
            let comes = last && before == Some(PatternSign::Exactly(letter));
            (last, before) = (*state, sign);
            *state = stays || comes;
        }
        self.skip(states);
    }
}

/// Returns true if a component of a path pattern may match `..`, or several components.
fn may_lead_up(name: &[PatternSign]) -> bool {
    let letters = text_of(name);
    name.contains(&PatternSign::Anything)
        || letters == ".." && name.len() == letters.len()
        || name.contains(&PatternSign::Within) && !letters.is_empty() && is_dots(name)
}

/// Returns the elements of a path component after its last `Anything`, which its name ends with even if it matches several
/// components; none without an `Anything`, or if they may match dots only, such as `..`.
fn end_of(name: &[PatternSign]) -> &[PatternSign] {
    let gap = name.iter().rposition(|sign| *sign == PatternSign::Anything);
    let end = gap.map(|gap| &name[gap + 1..]).unwrap_or_default();
    if is_dots(end) { &[] } else { end }
}

/// Returns true if a path component may match dots only, such as `..`.
fn is_dots(name: &[PatternSign]) -> bool {
    name.iter().all(|sign| matches!(sign, PatternSign::Exactly('.') | PatternSign::Within))
}

/// Returns the literal characters of a component of a path pattern.
fn text_of(name: &[PatternSign]) -> String {
    name.iter().filter_map(|sign| sign.letter()).collect()
}

/// Appends the pattern elements that match a text: its characters, and a gap for each component with characters beyond ASCII,
/// because these may compose with their neighbours.
fn text_signs(text: &str, signs: &mut Vec<PatternSign>) {
    if text.starts_with(|letter: char| !letter.is_ascii()) {
        signs.push(PatternSign::Anything);
    }
    for (at, name) in text.split('/').enumerate() {
        if at > 0 {
            signs.push(PatternSign::Exactly('/'));
        }
        match name.is_ascii() {
            true => signs.extend(name.chars().map(PatternSign::Exactly)),
            false => signs.push(PatternSign::Name),
        }
    }
}

/// Appends the pattern elements of a `fileset` pattern: characters, and gaps for `*`, `**` and all other syntax.
fn glob_signs(pattern: &str, signs: &mut Vec<PatternSign>) {
    let mut rest = pattern;
    while let Some(letter) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**") {
            rest = after.trim_start_matches('*');
            // No folder at all is one of the ways downwards.
            rest = rest.strip_prefix('/').unwrap_or(rest);
            signs.push(PatternSign::Below);
            continue;
        }
        match letter {
            '*' => signs.push(PatternSign::Name),
            '?' | '[' | '{' | '\\' => {
                signs.push(PatternSign::Below);
                // Of what follows, only what stands behind the last such sign is plain.
                if let Some(last) = rest.rfind(['[', ']', '{', '}', '\\']) {
                    let last = rest.split_at(last).1;
                    let mut letters = last.chars();
                    let sign = letters.next();
                    if sign == Some('\\') || sign == Some('[') || sign == Some('{') {
                        return;
                    }
                    rest = letters.as_str();
                    continue;
                }
            }
            letter => signs.push(PatternSign::Exactly(letter)),
        }
        rest = rest.split_at(letter.len_utf8()).1;
    }
}

#[cfg(test)]
mod tests {
    use groma_value::Str;

    use super::{NamePart, PathPattern, PossibleNames};

    /// Returns the part of a pattern that matches exactly this text.
    fn text(text: &str) -> NamePart {
        NamePart::Text(Str::from(text))
    }

    /// Returns the part of a pattern that matches the paths of a `fileset` pattern.
    fn glob(pattern: &str) -> NamePart {
        NamePart::Glob(Str::from(pattern))
    }

    /// Returns true if a name pattern, relative to the folder `/top/app`, matches a path.
    fn fits(parts: &[NamePart], path: &str) -> bool {
        PathPattern::of(parts, "/top/app").fits(path, false)
    }

    /// Tests that a gap that may contain `..` leaves only the text after it certain.
    #[test]
    fn what_may_lead_upwards_leaves_only_the_end() {
        let parts = [text("./m/"), NamePart::Anything, text("/x.yaml")];
        for path in ["/top/app/m/a/x.yaml", "/top/x.yaml", "/else/b/x.yaml"] {
            assert!(fits(&parts, path), "{path}");
        }
        for path in ["/top/app/m/a/y.yaml", "/top/app/m/a/xx.yaml", "/top/app/m/x.yaml/a"] {
            assert!(!fits(&parts, path), "{path}");
        }
        assert!(fits(&[text("m/"), NamePart::Anything, text(".yaml")], "/top/README.yaml"));
        assert!(fits(&[NamePart::Anything, text("../x")], "/top/x"));
        assert!(fits(&[NamePart::Anything, text("./x")], "/top/x"));
        assert!(!fits(&[NamePart::Anything, text("/../x")], "/top/y"));
    }

    /// Tests that a `fileset` pattern matches paths below its folder only.
    #[test]
    fn what_a_pattern_finds_lies_below() {
        let parts = [text("./m/"), glob("**/*.yaml")];
        for path in ["/top/app/m/x.yaml", "/top/app/m/a/b/x.yaml"] {
            assert!(fits(&parts, path), "{path}");
        }
        for path in ["/top/app/x.yaml", "/top/app/m/x.yml", "/top/app/n/x.yaml"] {
            assert!(!fits(&parts, path), "{path}");
        }
        let parts = [text("../d/"), glob("*.{json,yaml}")];
        assert!(fits(&parts, "/top/d/a.json") && !fits(&parts, "/top/app/d/a.json"));
        assert!(fits(&[text("/d"), text("/"), glob("[ab].txt")], "/d/a.txt"));
        assert!(fits(&[NamePart::Within, text("/x")], "/top/app/x"));
        assert!(fits(&[text("a/"), NamePart::Within], "/top/app/a/b/c"));
    }

    /// Tests that a name without gaps matches exactly its path.
    #[test]
    fn known_names_are_names() {
        assert!(fits(&[text("./a/../b.txt")], "/top/app/b.txt"));
        assert!(fits(&[text("/etc/"), text("b.txt")], "/etc/b.txt"));
        assert!(!fits(&[text("b.txt")], "/top/b.txt"));
        assert!(fits(&[text("~/b.txt")], "/home/x/b.txt"));
    }

    /// Tests that a pattern of paths in a folder matches the changed folder itself.
    #[test]
    fn a_folder_that_has_changed_stands_for_all_below() {
        let pattern = PathPattern::of(&[text("l/"), glob("*.yaml")], "/top");
        assert!(pattern.fits("/top/l", true) && !pattern.fits("/top/l", false));
        assert!(!pattern.fits("/top/m", true));
    }

    /// Tests that a name pattern matches every path that results from filling its gaps.
    #[test]
    fn no_name_that_may_be_is_left_out() {
        let words = ["", ".", "..", "a", "b.c", "/", "../", "x/y", "~", "/z", "..a", "./"];
        let down = ["a", "b/c", ".d", "x.yaml"];
        let mut state = 7_u64;
        let mut pick = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % most
        };
        for _ in 0..200_000 {
            let (mut parts, mut name) = (Vec::new(), String::new());
            for _ in 0..=pick(4) {
                let word = words[pick(words.len())];
                match pick(3) {
                    0 => {
                        parts.push(text(word));
                        name.push_str(word);
                    }
                    1 => {
                        parts.push(NamePart::Anything);
                        name.push_str(word);
                    }
                    _ => {
                        let (below, fitting) = (down[pick(down.len())], ["**", "**/*", "*"]);
                        let part = match pick(4) {
                            3 => NamePart::Within,
                            at if at == 2 && below.contains('/') => continue,
                            at => glob(fitting[at]),
                        };
                        parts.push(part);
                        name.push_str(below);
                    }
                }
            }
            let path = groma_runtime::file_path::join("/top/app", &name);
            // The home directory lies elsewhere, and the root is no file.
            if name.starts_with('~') || path == "/" {
                continue;
            }
            assert!(fits(&parts, &path), "{parts:?} is not {path}, made of {name:?}");
        }
    }

    /// Tests the union and the concatenation of sets of possible texts.
    #[test]
    fn all_texts_count_where_one_of_them_is_taken() {
        let names = PossibleNames::exactly("a").or(PossibleNames::exactly("b"));
        let names = names.then(PossibleNames::exactly(".txt"));
        let texts: Vec<String> =
            names.texts().into_iter().flatten().map(|one| one.to_string()).collect();
        assert_eq!(texts, ["a.txt", "b.txt"]);
        assert!(names.clone().or(PossibleNames::any()).is_any());
        assert!(names.stay_within() && !PossibleNames::exactly("../a").stay_within());
    }
}
