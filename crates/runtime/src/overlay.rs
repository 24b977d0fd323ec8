//! Texts of an editor over a host: a text hides the file that the host has at its path. The folders above a text exist, and
//! without the text the host's file is visible again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use crate::file_path;
use crate::host::{DirEntry, EntryKind, Host, HostError};

/// The texts of an overlay, which an editor holds, as bytes by absolute path.
pub type Texts = BTreeMap<String, Arc<[u8]>>;

/// A host over another one, some of whose files are replaced by texts that an editor holds.
pub struct OverlayHost {
    /// The host that answers for paths without a text.
    pub below: Arc<dyn Host>,
    /// The texts.
    pub texts: Arc<Texts>,
}

/// Returns the absolute form of a path, by the host's current directory: the key of a file's text in [`Texts`].
pub fn absolute(host: &dyn Host, path: &str) -> String {
    file_path::join(&host.current_dir(), path)
}

impl OverlayHost {
    /// Returns the text of the overlay at a path, or at the path that a link leads to; `None` if there is none.
    fn text(&self, path: &str) -> Option<&Arc<[u8]>> {
        if self.texts.is_empty() {
            return None;
        }
        let path = absolute(&*self.below, path);
        // A text may be known by the name that a link leads to.
        self.texts.get(&path).or_else(|| self.texts.get(&self.below.canonical(&path).ok()?))
    }

    /// Iterates over the paths of all texts of the overlay below a folder, relative to the folder.
    fn within(&self, dir: &str) -> impl Iterator<Item = &str> {
        let mut dir = absolute(&*self.below, dir);
        if !dir.ends_with('/') {
            dir.push('/');
        }
        let from = self.texts.range(dir.clone()..);
        from.map_while(move |(path, _)| path.strip_prefix(dir.as_str()))
    }

    /// Returns true if the overlay has a text below this path, which is then a folder.
    fn is_folder(&self, path: &str) -> bool {
        self.within(path).next().is_some()
    }
}

impl Host for OverlayHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        match self.text(path) {
            Some(text) => Ok(text.to_vec()),
            None if self.is_folder(path) => Err(HostError::WrongKind),
            None => self.below.read(path),
        }
    }

    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        match self.text(path) {
            Some(text) if text.len() as u64 > most => Err(HostError::TooLong { most }),
            Some(text) => Ok(text.to_vec()),
            None => self.below.read_within(path, most),
        }
    }

    fn held(&self, path: &str) -> Option<Arc<[u8]>> {
        self.text(path).cloned()
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        match self.text(path) {
            Some(text) => Ok(text.len() as u64),
            None if self.is_folder(path) => Ok(0),
            None => self.below.length(path),
        }
    }

    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        match self.text(path) {
            Some(text) => Ok(Box::new(std::io::Cursor::new(text.to_vec()))),
            None => self.below.open(path),
        }
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let mut own = BTreeSet::new();
        for rest in self.within(dir) {
            own.insert(match rest.split_once('/') {
                Some((name, _)) => DirEntry { name: name.to_owned(), kind: EntryKind::Directory },
                None => DirEntry { name: rest.to_owned(), kind: EntryKind::File },
            });
        }
        let below = match self.below.list(dir) {
            Ok(below) => below,
            Err(_) if !own.is_empty() => Vec::new(),
            Err(why) => return Err(why),
        };
        let names: BTreeSet<&str> = own.iter().map(|entry| &*entry.name).collect();
        let mut all: Vec<DirEntry> =
            below.into_iter().filter(|entry| !names.contains(&*entry.name)).collect();
        all.extend(own.iter().cloned());
        Ok(all)
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.below.canonical(path).or_else(|why| {
            let is_there = self.text(path).is_some() || self.is_folder(path);
            if !is_there {
                return Err(why);
            }
            // Of the folders above it some may be the host's, and links among them.
            let path = absolute(&*self.below, path);
            let mut above = path.as_str();
            while let Some((parent, _)) = above.rsplit_once('/').filter(|(up, _)| !up.is_empty()) {
                above = parent;
                if let Ok(canonical) = self.below.canonical(above) {
                    return Ok(file_path::join(&canonical, &path[above.len() + 1..]));
                }
            }
            Ok(path)
        })
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        if self.text(path).is_some() {
            return Ok(EntryKind::File);
        }
        match self.is_folder(path) {
            true => Ok(EntryKind::Directory),
            false => self.below.kind(path),
        }
    }

    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        match self.text(path) {
            Some(_) => Ok(()),
            None => self.below.check_code_access(path),
        }
    }

    fn hides_environment(&self) -> bool {
        self.below.hides_environment()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.below.env(name)
    }

    fn env_names(&self) -> Vec<String> {
        self.below.env_names()
    }

    fn current_dir(&self) -> String {
        self.below.current_dir()
    }

    fn home(&self) -> Option<String> {
        self.below.home()
    }

    fn cached_view(&self) -> Option<Arc<dyn Host>> {
        let (below, texts) = (self.below.cached_view()?, self.texts.clone());
        Some(Arc::new(OverlayHost { below, texts }))
    }
}
