//! `cargo xtask unicode [--data DIR]`: writes the Unicode tables of the pinned versions. The versions are those of the reference
//! programs, so newer data would be wrong.
//!
//! The data come from npm packages, locked by version and integrity; `DIR` is a `node_modules` directory that contains them
//! already. `npm` and `node` must be installed.
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod case;
mod data;
mod grapheme;
mod property;

use data::{Data, HEADER, Ranges, table};

/// The npm packages with Unicode data: Unicode version, package version and its integrity hash.
const PACKAGES: &[(&str, &str, &str)] = &[
    (
        "9.0.0",
        "2.0.7",
        "sha512-mJvh4zGJKfPGz18kKvywBZC7EfTdmseaBwuJuwh/1oGnm4PipbmuHzsnvVSnVWsD2pwqaauMZYR1TB67/hYXAg==",
    ),
    (
        "13.0.0",
        "2.0.7",
        "sha512-Np9nWryqXTX9SjYCBr3SlFIu9zbPRXVqhdY5YQWP3ub2QGAUO8irYP0hWROwWO5AAsCAPsCHImezNHEblhrRgA==",
    ),
    (
        "15.0.0",
        "2.0.7",
        "sha512-8d0z/dm7Gk7z9UrSlmFeT80i/V+eoBqG5kIO/PSKyqGJ0OKJlZlM7bACtWQaBD8ylGqbNFBX3DOGMj4+ExGMOA==",
    ),
    (
        "17.0.0",
        "2.1.0",
        "sha512-vin4t0thqky14tLee7x9dAQRNoCVCSQTNcm4csNyKH5cbA0fpqLQ8TJvOYyHFbYDwRTngN6curl2Ae9+YjJjtA==",
    ),
];

/// Writes all generated tables of Unicode data.
pub(crate) fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let data = match arguments.as_slice() {
        [] => install()?,
        [flag, folder] if flag == "--data" => PathBuf::from(folder),
        _ => return Err("cargo xtask unicode [--data DIR]".to_owned()),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data = Data { folder: data };
    write(&root, "crates/syntax/src/generated/identifier.rs", &identifier(&data)?)?;
    for version in ["13.0.0", "15.0.0"] {
        let major = version.split('.').next().unwrap_or_default();
        let path = format!("crates/unicode/src/generated/grapheme_{major}.rs");
        write(&root, &path, &grapheme::whole(&data, version)?)?;
    }
    let generated = |name: &str| format!("crates/unicode/src/generated/{name}.rs");
    write(&root, &generated("grapheme_17"), &grapheme::newer(&data, "15.0.0", "17.0.0")?)?;
    write(&root, &generated("printable"), &printable(&data)?)?;
    write(&root, &generated("case"), &case::tables(&data, "15.0.0", "17.0.0")?)?;
    write(&root, &generated("property"), &property::tables(&data, "15.0.0", "17.0.0")?)
}

/// Writes a file below the workspace; the error is a message with its path.
fn write(root: &Path, path: &str, text: &str) -> Result<(), String> {
    let path = root.join(path);
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Installs the packages into a cache directory and returns its `node_modules`. `npm ci` refuses packages that do not match the
/// integrity in the lock file.
fn install() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/unicode-data");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (mut wanted, mut locked) = (String::new(), String::new());
    for (index, (unicode, version, integrity)) in PACKAGES.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let name = format!("@unicode/unicode-{unicode}");
        let _ = write!(wanted, "{comma}\"{name}\":\"{version}\"");
        let _ = write!(
            locked,
            ",\"node_modules/{name}\":{{\"version\":\"{version}\",\"integrity\":\"{integrity}\"}}"
        );
    }
    let package = format!("\"name\":\"unicode-data\",\"dependencies\":{{{wanted}}}");
    let lock = format!(
        "{{\"name\":\"unicode-data\",\"lockfileVersion\":3,\"packages\":{{\"\":{{{package}}}{locked}}}}}"
    );
    for (name, text) in [("package.json", format!("{{{package}}}")), ("package-lock.json", lock)] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    let done = Command::new("npm")
        .args(arguments)
        .current_dir(&folder)
        .output()
        .map_err(|error| format!("npm: {error}"))?;
    if !done.status.success() {
        return Err(format!("npm ci: {}", String::from_utf8_lossy(&done.stderr)));
    }
    Ok(folder.join("node_modules"))
}

/// Returns the source of the tables of identifier characters and of the functions that search them.
fn identifier(data: &Data) -> Result<String, String> {
    let start = data.ranges("9.0.0", "Binary_Property/ID_Start")?;
    let more = data.ranges("9.0.0", "Binary_Property/ID_Continue")?;
    let mut out = format!(
        "//! {HEADER}\n//! Characters of identifiers by Unicode 9.0.0, which is the version the language is defined by.\n\n"
    );
    out.push_str(
        "/// Whether an identifier may begin with a character.\n\
         pub(crate) fn is_id_start(character: char) -> bool {\n    \
             if character.is_ascii() {\n        \
                 character.is_ascii_alphabetic()\n    \
             } else {\n        \
                 contains(START, character)\n    \
             }\n\
         }\n\n\
         /// Returns true if a character can continue an identifier, apart from `-`, which the lexer adds.\n\
         pub(crate) fn is_id_continue(character: char) -> bool {\n    \
             if character.is_ascii() {\n        \
                 character.is_ascii_alphanumeric() || character == '_'\n    \
             } else {\n        \
                 contains(CONTINUE, character)\n    \
             }\n\
         }\n\n\
         /// Returns true if one of the sorted, inclusive ranges contains a character.\n\
         fn contains(ranges: &[(u32, u32)], character: char) -> bool {\n    \
             let code = u32::from(character);\n    \
             let index = ranges.partition_point(|(_, last)| *last < code);\n    \
             ranges.get(index).is_some_and(|(first, _)| *first <= code)\n\
         }\n",
    );
    table(
        &mut out,
        "First and last of each range, without ASCII.",
        "const START",
        &above_ascii(&start),
    );
    table(
        &mut out,
        "First and last of each range, without ASCII.",
        "const CONTINUE",
        &above_ascii(&more),
    );
    Ok(out)
}

/// Returns inclusive ranges of code points without the ASCII characters.
fn above_ascii(ranges: &Ranges) -> Ranges {
    ranges.iter().filter(|(_, last)| *last > 0x7f).map(|&(a, b)| (a.max(0x80), b)).collect()
}

/// The categories of characters that are printed without an escape in a quoted string.
const PRINTABLE: &[&str] = &["Letter", "Mark", "Number", "Punctuation", "Symbol"];

/// Returns the source of the table of printable characters and of the function that searches it.
fn printable(data: &Data) -> Result<String, String> {
    let mut all = Ranges::new();
    for category in PRINTABLE {
        all.extend(data.ranges("15.0.0", &format!("General_Category/{category}"))?);
    }
    all.sort_unstable();
    let mut joined = Ranges::new();
    for (first, last) in all {
        match joined.last_mut() {
            Some(before) if first == before.1 + 1 => before.1 = last,
            _ => joined.push((first, last)),
        }
    }
    let mut out = format!("//! {HEADER}\n//! Characters that print, by Unicode 15.0.0.\n\n");
    out.push_str(
        "/// Whether a character stands for itself in a quoted text. The blank is the only white space that does.\n\
         pub fn is_printable(character: char) -> bool {\n    \
             if character.is_ascii() {\n        \
                 return matches!(character, ' '..='~');\n    \
             }\n    \
             let code = u32::from(character);\n    \
             let index = PRINTABLE.partition_point(|(_, last)| *last < code);\n    \
             PRINTABLE.get(index).is_some_and(|(first, _)| *first <= code)\n\
         }\n",
    );
    table(
        &mut out,
        "First and last of each range, without ASCII.",
        "const PRINTABLE",
        &above_ascii(&joined),
    );
    Ok(out)
}
