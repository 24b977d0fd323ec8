//! Distribution: archives with the command, its completions and man pages, checksums, a bill of materials and third-party
//! notices. Two runs on one machine give the same bytes, because archives contain no times and user names.

mod archive;
mod parts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::workspace;

use archive::Archive;
use parts::{COMMAND, Parts};

/// The target of the static build for Linux, which is built in addition if its standard library is installed.
const STATIC: &str = "x86_64-unknown-linux-musl";

/// The shells for which archives contain completion scripts, each with the file name of its script.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "groma.bash"),
    ("zsh", "_groma"),
    ("fish", "groma.fish"),
    ("powershell", "groma.ps1"),
    ("elvish", "groma.elv"),
];

/// Files of the workspace that every archive contains.
const DOCUMENTS: &[&str] =
    &["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// The parsed command line of `cargo xtask dist`.
#[derive(Default)]
struct DistOptions {
    /// The directory for the archives; `None` for `target/dist-archives`.
    out: Option<PathBuf>,
    /// True to skip compiling each package by itself first.
    is_unverified: bool,
    /// The compiler's targets; if empty, this machine's and, if installed, [`STATIC`].
    targets: Vec<String>,
}

impl DistOptions {
    /// Parses the command line of `cargo xtask dist`.
    fn read(mut words: impl Iterator<Item = String>) -> Result<DistOptions, String> {
        let mut options = DistOptions::default();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} takes a value"));
            match word.as_str() {
                "--out" => options.out = Some(value()?.into()),
                "--target" => options.targets.push(value()?),
                "--no-verify" => options.is_unverified = true,
                _ => return Err(format!("{word} is no flag of this chore")),
            }
        }
        Ok(options)
    }
}

/// Builds an archive for each target, and writes the archives, a bill of materials and the checksums of all.
#[expect(clippy::print_stdout, reason = "a chore says what it wrote")]
pub(crate) fn run() -> Result<(), String> {
    let options = DistOptions::read(std::env::args().skip(2))?;
    let out = options.out.clone().unwrap_or_else(|| workspace().join("target/dist-archives"));
    fs::create_dir_all(&out).map_err(|why| format!("{}: {why}", out.display()))?;
    let mut package = vec!["package", "--locked", "--workspace", "--quiet", "--allow-dirty"];
    if options.is_unverified {
        package.push("--no-verify");
    }
    cargo(&package)?;
    let host = host()?;
    let targets = match options.targets.as_slice() {
        [] if is_installed(STATIC)? && host != STATIC => vec![host.clone(), STATIC.to_owned()],
        [] => {
            println!("the target {STATIC} is not installed: no static build");
            vec![host.clone()]
        }
        named => named.to_vec(),
    };
    let mut sums = Vec::new();
    // Completions and pages come from the first build that can run on this machine.
    let mut runs_here = None;
    for target in &targets {
        cargo(&[
            "build",
            "--locked",
            "--quiet",
            "--profile",
            "dist",
            "--bin",
            "groma",
            "--target",
            target,
        ])?;
        let program = workspace().join("target").join(target).join("dist").join(name_of(target));
        let shown = runs_here.get_or_insert_with(|| program.clone());
        let (name, bytes) = archive(target, &program, shown)?;
        println!("{name}: {} bytes, the command {}", bytes.len(), size(&program)?);
        sums.push(written(&out, &name, &bytes)?);
    }
    let parts = Parts::read(COMMAND, &host)?;
    sums.push(written(&out, "groma.cdx.json", parts.bill().as_bytes())?);
    sums.sort();
    written(&out, "SHA256SUMS", sums.concat().as_bytes())?;
    println!("in {}", out.display());
    Ok(())
}

/// Prints the third-party notices of a package: `notices PACKAGE TARGET`.
#[expect(clippy::print_stdout, reason = "a chore prints what it was asked for")]
pub(crate) fn notices() -> Result<(), String> {
    let mut words = std::env::args().skip(2);
    let (Some(package), Some(target)) = (words.next(), words.next()) else {
        return Err("the chore takes a package and a target of the compiler".to_owned());
    };
    print!("{}", Parts::read(&package, &target)?.notices()?);
    Ok(())
}

/// Returns the file name and bytes of a target's archive: the program, documents, notices, completions and man pages. `shown` is
/// a program that runs on this machine and prints the latter two.
fn archive(target: &str, program: &Path, shown: &Path) -> Result<(String, Vec<u8>), String> {
    let folder = format!("groma-{}-{target}", env!("CARGO_PKG_VERSION"));
    let mut archive = Archive::new(&folder);
    archive.add(&name_of(target), &read(program)?, true)?;
    for document in DOCUMENTS {
        archive.add(document, &read(&workspace().join(document))?, false)?;
    }
    archive.add("THIRD-PARTY.txt", Parts::read(COMMAND, target)?.notices()?.as_bytes(), false)?;
    for (shell, file) in SHELLS {
        let text = output_of(shown, &["completions", shell])?;
        archive.add(&format!("completions/{file}"), &text, false)?;
    }
    for (file, text) in pages(shown)? {
        archive.add(&format!("man/{file}"), &text, false)?;
    }
    Ok((format!("{folder}.tar.gz"), archive.finish()?))
}

/// Returns the file names and contents of the man pages that `program` prints: one for the command and one for each subcommand.
fn pages(program: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let first = output_of(program, &["man"])?;
    let text = String::from_utf8_lossy(&first).replace("\\-", "-");
    // The main page lists each subcommand as `groma-NAME(1)`.
    let named =
        text.lines().filter_map(|line| line.trim().strip_prefix("groma-")?.strip_suffix("(1)"));
    let mut pages = Vec::new();
    for command in named.filter(|name| *name != "help") {
        pages.push((format!("groma-{command}.1"), output_of(program, &["man", command])?));
    }
    if pages.is_empty() {
        return Err("the manual page lists no command".to_owned());
    }
    pages.push(("groma.1".to_owned(), first));
    Ok(pages)
}

/// Writes a file into `out`, and returns its line for the list of checksums.
fn written(out: &Path, name: &str, bytes: &[u8]) -> Result<String, String> {
    fs::write(out.join(name), bytes).map_err(|why| format!("{name}: {why}"))?;
    Ok(format!("{}  {name}\n", archive::sha256(bytes)))
}

/// Returns the file name of the `groma` program for a target.
fn name_of(target: &str) -> String {
    if target.contains("windows") { "groma.exe".to_owned() } else { "groma".to_owned() }
}

/// Returns the size of a program file in bytes; the error is a message with its path.
fn size(program: &Path) -> Result<u64, String> {
    fs::metadata(program).map(|it| it.len()).map_err(|why| format!("{}: {why}", program.display()))
}

/// Returns the bytes of a file; the error is a message with its path.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// Returns the default target of the compiler.
fn host() -> Result<String, String> {
    let said = String::from_utf8_lossy(&output_of(Path::new("rustc"), &["-vV"])?).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it builds for".to_owned())
}

/// Returns true if the standard library of a target is installed.
fn is_installed(target: &str) -> Result<bool, String> {
    let root = output_of(Path::new("rustc"), &["--print", "sysroot"])?;
    let root = String::from_utf8_lossy(&root).trim().to_owned();
    Ok(Path::new(&root).join("lib/rustlib").join(target).join("lib").is_dir())
}

/// Runs cargo in the workspace; a failure is an error.
fn cargo(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO"));
    let status = command.args(arguments).current_dir(workspace()).status();
    match status.map_err(|why| format!("cargo: {why}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("cargo {}: {status}", arguments.join(" "))),
    }
}

/// Runs a program in the workspace and returns its output.
fn output_of(program: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let done = Command::new(program).args(arguments).current_dir(workspace()).output();
    let done = done.map_err(|why| format!("{}: {why}", program.display()))?;
    match done.status.success() {
        true => Ok(done.stdout),
        false => Err(format!("{} {}: {}", program.display(), arguments.join(" "), done.status)),
    }
}
