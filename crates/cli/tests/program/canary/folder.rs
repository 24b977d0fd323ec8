//! A temporary folder with files, and runs of the command in it, inside this process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// The number of folders created so far, which makes their names unique.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A temporary folder with files, removed on drop.
pub(crate) struct Folder {
    path: PathBuf,
}

/// The result of a run: standard output and standard error.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// Creates a temporary folder with these files, given as paths and texts, and an empty `.git`.
    pub(crate) fn of(files: &[(&str, &str)]) -> Folder {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("secrets-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(path.join(".git")).expect("the target folder can be written");
        let path = fs::canonicalize(path).expect("the folder is there");
        for (name, text) in files {
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("a file is in a folder"))
                .expect("it can be made");
            fs::write(file, text).expect("it can be written");
        }
        Folder { path }
    }

    /// Creates a temporary folder as a git repository in which these files are committed.
    pub(crate) fn committed(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::of(files);
        let steps: [&[&str]; 3] = [
            &["init", "-q"],
            &["add", "."],
            &["-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-q", "-m", "all"],
        ];
        for step in steps {
            let done = Command::new("git").args(step).current_dir(&folder.path).status();
            assert!(done.is_ok_and(|done| done.success()), "git {}", step.join(" "));
        }
        folder
    }

    /// Writes a file in the folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path.join(name), text).expect("it can be written");
    }

    /// Runs a command line with an environment and a standard input, as if not on a terminal.
    pub(crate) fn run(&self, arguments: &[&str], environment: &[(&str, &str)], input: &str) -> Ran {
        let pairs = environment.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let session = RunSession {
            input: &mut input.as_bytes(),
            out: &mut out,
            err: &mut err,
            terminal: TerminalStreams::default(),
            machine: MachineContext::at(self.path.clone(), pairs.collect()),
            painted: ColourChoice::default(),
            watch: RunWatch::default(),
        };
        run(arguments.iter().map(Into::into).collect(), session);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { out: text(out), err: text(err) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed does no harm.
        let _ = fs::remove_dir_all(&self.path);
    }
}
