//! A folder with a section's files in which its steps run, or the workspace's own folder for pages about that.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use testkit::Section;

/// The number of folders created so far, which makes their names unique.
static MADE: AtomicU32 = AtomicU32::new(0);

/// The folder in which the steps of a page's section run; a temporary one is removed on drop.
pub(crate) struct Scratch {
    page: String,
    line: usize,
    path: PathBuf,
    made: bool,
}

impl Scratch {
    /// Creates a temporary folder with the files of a section.
    pub(crate) fn of(section: &Section) -> Scratch {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("pages-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        // Without `.git` the root would be the nearest parent folder that has one: the workspace.
        fs::create_dir(path.join(".git")).expect("the folder is new");
        let path = fs::canonicalize(path).expect("the folder is there");
        for file in &section.files {
            let file_path = path.join(&file.name);
            if let Some(above) = file_path.parent() {
                fs::create_dir_all(above).expect("a page's folders can be made");
            }
            fs::write(file_path, &file.text).expect("a page's files can be written");
        }
        Scratch { page: section.page.clone(), line: section.line, path, made: true }
    }

    /// Returns the workspace's own folder, for steps that read its examples and write nothing.
    pub(crate) fn workspace() -> Scratch {
        let path = fs::canonicalize(testkit::workspace()).expect("the workspace is there");
        Scratch { page: String::new(), line: 0, path, made: false }
    }

    /// Returns true if the folder was created for this section.
    pub(crate) fn is_for(&self, section: &Section) -> bool {
        self.page == section.page && self.line == section.line
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a text in which the folder's path, which differs between runs, is replaced by `/SCRATCH`.
    pub(crate) fn hide(&self, text: &str) -> String {
        text.replace(&*self.path.to_string_lossy(), "/SCRATCH")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.made {
            // A folder that cannot be removed does no harm.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
