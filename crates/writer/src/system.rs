//! The disk of the machine.

use std::ffi::OsString;
use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, DiskEntry, Kind, Lock};

/// The disk of the machine.
#[derive(Clone, Copy, Default, Debug)]
pub struct System;

/// How a file is opened: no link is followed, and no pipe is waited for.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        options.custom_flags(flags.cast_signed());
    }
    options
}

impl Disk for System {
    fn look(&self, path: &Path) -> io::Result<DiskEntry> {
        let found = fs::symlink_metadata(path)?;
        let kind = match found.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            _ => Kind::Other,
        };
        let (id, links, is_own) = names(&found);
        Ok(DiskEntry { kind, id, length: found.len(), links, is_own })
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let file = options().read(true).open(path)?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::with_capacity(usize::try_from(length.min(most)).unwrap_or(0));
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
        Ok(bytes)
    }

    fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()> {
        let mut options = options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if is_private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = is_private;
        options.open(path)?.write_all(bytes)
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = options().write(true).open(path)?;
        // What is there keeps its room on the disk until the new text is.
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    }

    fn imitate(&self, path: &Path, model: &Path) -> io::Result<()> {
        imitate(path, model)
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        exchange(one, other)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        match options().read(true).open(path)?.sync_all() {
            // Some disks keep the names of a folder at once, and have nothing to wait for.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            done => done,
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names = names.collect::<io::Result<Vec<OsString>>>()?;
        names.sort();
        Ok(names)
    }

    fn may_write(&self, path: &Path) -> bool {
        may_write(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let file = options().read(true).write(true).open(path);
        let file = file.or_else(|_| options().read(true).open(path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn temporary(&self) -> PathBuf {
        std::env::temp_dir()
    }
}

#[cfg(unix)]
fn names(found: &fs::Metadata) -> ((u64, u64), u64, bool) {
    use std::os::unix::fs::MetadataExt as _;
    let is_own = found.uid() == rustix::process::geteuid().as_raw();
    ((found.dev(), found.ino()), found.nlink(), is_own)
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> ((u64, u64), u64, bool) {
    ((0, 0), 1, true)
}

#[cfg(unix)]
fn may_write(path: &Path) -> bool {
    use rustix::fs::{Access, access};
    let wanted = match path.is_dir() {
        true => Access::WRITE_OK | Access::EXEC_OK,
        false => Access::WRITE_OK,
    };
    access(path, wanted).is_ok()
}

#[cfg(not(unix))]
fn may_write(path: &Path) -> bool {
    path.is_dir() || OpenOptions::new().write(true).open(path).is_ok()
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The owner first, as who gives a file away may lose what its mode allowed; the attributes last, as some are finer modes.
#[cfg(unix)]
fn imitate(path: &Path, model: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let (own, wanted) = (fs::symlink_metadata(path)?, fs::symlink_metadata(model)?);
    let user = (own.uid() != wanted.uid()).then(|| wanted.uid());
    let group = (own.gid() != wanted.gid()).then(|| wanted.gid());
    if user.is_some() || group.is_some() {
        chown(path, user, group)?;
    }
    fs::set_permissions(path, wanted.permissions())?;
    imitate_attributes(path, model)
}

#[cfg(not(unix))]
fn imitate(path: &Path, model: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::metadata(model)?.permissions())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn imitate_attributes(path: &Path, model: &Path) -> io::Result<()> {
    use rustix::fs::{XattrFlags, lgetxattr, llistxattr, lsetxattr};
    use rustix::io::Errno;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    /// No system allows more.
    const MOST: usize = 64 << 10;
    let mut room = vec![0; MOST];
    let length = match llistxattr(model, &mut room[..]) {
        Ok(length) => length,
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for name in room[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let name = OsStr::from_bytes(name);
        let value = |path: &Path| {
            let mut room = vec![0; MOST];
            lgetxattr(path, name, &mut room[..]).map(|length| room[..length].to_vec())
        };
        let wanted = value(model)?;
        if value(path).ok().as_ref() != Some(&wanted) {
            lsetxattr(path, name, &wanted, XattrFlags::empty())?;
        }
    }
    Ok(())
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
fn imitate_attributes(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}
