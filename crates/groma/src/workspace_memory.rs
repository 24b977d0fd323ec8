//! Memory use of a workspace in bytes: the data that its roots share, counted once, and the data of each root.

use groma_project::LoadPurpose;

use crate::Workspace;
use crate::workspace::{WorkspaceRoot, lock};

/// Estimates of the bytes that a workspace uses. They are computed from the lengths of texts and the numbers of declarations,
/// cells and findings, so they are the same after the same queries; an allocator takes some more.
///
/// ```
/// use groma::{LoadOptions, MemoryHost, Workspace};
///
/// let host = MemoryHost::new()
///     .with_file("/net/main.tf", "output \"id\" { value = 1 }")
///     .with_file("/app/main.tf", "module \"net\" { source = \"../net\" }");
/// let workspace = Workspace::new(host);
/// assert_eq!(workspace.memory().total(), 0);
/// workspace.root("/app", &LoadOptions { root: Some("/".to_owned()), ..LoadOptions::default() });
/// let memory = workspace.memory();
/// assert_eq!((memory.folders, memory.roots.len()), (2, 1));
/// workspace.close_root("/app");
/// assert_eq!(workspace.memory().total(), 0);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WorkspaceMemory {
    /// The bytes of open texts.
    pub set_texts: u64,
    /// The number of directories that open roots have read as modules. Each is stored once, however many roots call it.
    pub folders: usize,
    /// The bytes of the texts in these directories.
    pub texts: u64,
    /// The bytes of their syntax trees, declarations and lowered code.
    pub modules: u64,
    /// The memory use of each open root, sorted by directory and purpose.
    pub roots: Vec<OpenRootMemory>,
}

/// Estimates of the bytes that an open root uses, without data shared with other roots. Closing the root releases them, and the
/// directories that no other root calls.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OpenRootMemory {
    /// The directory of the root.
    pub dir: String,
    /// The purpose for which the root is loaded.
    pub purpose: LoadPurpose,
    /// The bytes of module instances and their values.
    pub evaluation: u64,
    /// The bytes of findings, and of the cached results for the next check.
    pub findings: u64,
    /// The bytes of indexes: places in files, and the records of requests to the host.
    pub indexes: u64,
}

impl OpenRootMemory {
    /// Returns the sum of the root's estimated bytes, without data shared with other roots.
    pub fn total(&self) -> u64 {
        self.evaluation + self.findings + self.indexes
    }
}

impl WorkspaceMemory {
    /// Returns the sum of all estimated bytes of the workspace.
    pub fn total(&self) -> u64 {
        let roots: u64 = self.roots.iter().map(OpenRootMemory::total).sum();
        self.set_texts + self.texts + self.modules + roots
    }
}

impl WorkspaceRoot {
    /// Returns estimates of the bytes that this root uses; `dir` and `purpose` are its key.
    fn memory(&self, dir: String, purpose: LoadPurpose) -> OpenRootMemory {
        let mut own = OpenRootMemory { dir, purpose, ..OpenRootMemory::default() };
        if let Some((snapshot, host)) = self.last() {
            let (findings, places) = snapshot.held_bytes();
            own.evaluation = snapshot.evaluation().held_bytes();
            own.findings = (self.memory.held_bytes() + findings) as u64;
            own.indexes = (host.held_bytes() + places) as u64;
        }
        own
    }
}

impl Workspace {
    /// Returns estimates of the bytes that the workspace uses, from the numbers of each open root's cells and findings, without
    /// reading texts or values. A root that another thread is loading counts as 0.
    pub fn memory(&self) -> WorkspaceMemory {
        let texts = lock(&self.texts).clone();
        let set: usize = texts.iter().map(|(path, text)| path.len() + text.len()).sum();
        let open: Vec<_> =
            lock(&self.roots).iter().map(|(key, root)| (key.clone(), root.clone())).collect();
        let roots = open.into_iter().map(|((dir, purpose), root)| match root.try_lock() {
            Ok(root) => root.memory(dir, purpose),
            Err(_) => OpenRootMemory { dir, purpose, ..OpenRootMemory::default() },
        });
        let mut roots: Vec<OpenRootMemory> = roots.collect();
        roots.sort_unstable_by(|a, b| (&a.dir, a.purpose as u8).cmp(&(&b.dir, b.purpose as u8)));
        let shared = self.modules.memory();
        WorkspaceMemory {
            set_texts: set as u64,
            folders: shared.folders,
            texts: shared.texts as u64,
            modules: shared.modules as u64,
            roots,
        }
    }
}
