//! Revisions whose objects were made by anybody, and objects that are harmed: what is read is what is there, or is told as
//! lost. An input is one object after the other, `=== blob`, `=== tree` with lines `MODE NAME #OBJECT`, `=== commit` with
//! `#OBJECT` for names of objects. The last one is `main`. A head `OBJECT AT` says which bytes on the disk fall over.

use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use groma_git::{Repository, RevisionHost};
use groma_runtime::{EntryKind, Host, HostError, MemoryHost, MeteredHost};
use sha1::{Digest as _, Sha1};

use crate::budget;
use crate::folder::Folder;
use crate::scratch::Scratch;

/// Maximum number of git objects made from an input.
const MOST_OBJECTS: usize = 24;
/// Maximum number of folders of a revision that are listed.
const MOST_FOLDERS: usize = 200;

/// A git object as it is stored on disk.
struct Object {
    id: [u8; 20],
    packed: Vec<u8>,
}

/// Returns bytes in hexadecimal.
fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a git tree of the entries in a text; `#N` is the id of the object with that number.
fn tree(text: &str, made: &[Object]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut words = line.rsplitn(2, " #");
        let number = words.next().and_then(|number| number.parse::<usize>().ok());
        let id = number.and_then(|number| made.get(number)).map_or([0; 20], |object| object.id);
        out.extend(words.next().unwrap_or_default().as_bytes());
        out.push(0);
        out.extend(id);
    }
    out
}

/// Returns a git commit; `#N` in the text is the id of the object with that number.
fn commit(text: &str, made: &[Object]) -> Vec<u8> {
    let mut out = text.to_owned();
    for (at, object) in made.iter().enumerate().rev() {
        out = out.replace(&format!("#{at}"), &hex(&object.id));
    }
    out.into_bytes()
}

/// Returns a git object, compressed, with its id.
fn object(kind: &str, body: &[u8]) -> Object {
    let mut whole = format!("{kind} {}\0", body.len()).into_bytes();
    whole.extend(body);
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(&whole).and_then(|()| encoder.finish());
    Object { id: Sha1::digest(&whole).into(), packed: packed.expect("memory takes it") }
}

/// Returns the git objects that the files of an input describe, in their order.
fn objects(folder: &Folder<'_>) -> Vec<Object> {
    let mut made = Vec::new();
    for (kind, text) in folder.files.iter().take(MOST_OBJECTS) {
        let body = match *kind {
            "tree" => tree(text, &made),
            "commit" => commit(text, &made),
            _ => text.as_bytes().to_vec(),
        };
        made.push(object(if matches!(*kind, "tree" | "commit") { kind } else { "blob" }, &body));
    }
    made
}

/// Returns the path of a loose git object.
fn place(object: &Object) -> String {
    let name = hex(&object.id);
    format!(".git/objects/{}/{}", &name[..2], &name[2..])
}

/// Returns the files and changes of the last two commits as text (`None` without a repository), and true if a git
/// object that they need is missing or damaged.
fn read(scratch: &Scratch) -> (Option<Vec<String>>, bool) {
    let Ok(repository) = Repository::open(&scratch.0) else { return (None, true) };
    let mut seen = Vec::new();
    let revisions = ["main", "main~1"].map(|name| repository.revision(name));
    for revision in revisions.iter().flatten() {
        let top = repository.work_tree().to_owned();
        let machine = Arc::new(MemoryHost::new());
        let roots = [top.clone()];
        let host = RevisionHost::new(&repository, revision, machine, &roots, &[]);
        let host = MeteredHost::new(Arc::new(host), budget());
        let mut open = vec![String::new()];
        let mut folders = 0;
        while let Some(at) = open.pop() {
            folders += 1;
            let entries = host.list(&format!("{top}{at}"));
            let Ok(entries) = entries else {
                seen.push(format!("{at}: {:?}", entries.map(|_| ())));
                continue;
            };
            for entry in entries {
                assert!(!entry.name.contains('/') && !entry.name.is_empty(), "{:?}", entry.name);
                assert!(entry.name != "." && entry.name != "..", "{:?}", entry.name);
                let path = format!("{at}/{}", entry.name);
                let read = host.read(&format!("{top}{path}"));
                if let Err(HostError::Failed(why)) = &read {
                    assert!(!why.is_empty());
                }
                seen.push(format!("{path} {:?} {read:?}", entry.kind));
                if entry.kind == EntryKind::Directory && folders < MOST_FOLDERS {
                    open.push(path);
                }
            }
        }
    }
    if let [Ok(head), Ok(base)] = &revisions {
        seen.push(format!("{:?}", repository.changed(base, head, ".", &budget())));
    }
    seen.push(format!("{:?}", revisions.map(|one| one.map(|one| one.commit))));
    (Some(seen), repository.lost().is_some())
}

/// Checks that any git objects can be read as revisions, and that damaged ones give the same content or are reported.
pub(crate) fn revision(bytes: &[u8]) {
    let Some(folder) = Folder::read(bytes) else { return };
    let made = objects(&folder);
    let Some(last) = made.last() else { return };
    let scratch = Scratch::new();
    scratch.write(".git/HEAD", "ref: refs/heads/main\n");
    scratch.write(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
    scratch.write(".git/refs/heads/main", format!("{}\n", hex(&last.id)));
    for object in &made {
        scratch.write(place(object), &object.packed);
    }
    let (whole, is_lost) = read(&scratch);
    let mut is_harmed = false;
    for line in folder.head.lines().take(4) {
        let mut numbers = line.split(' ').map(str::parse::<usize>);
        let (Some(Ok(number)), Some(Ok(at))) = (numbers.next(), numbers.next()) else { continue };
        let object = &made[number % made.len()];
        let mut bytes = object.packed.clone();
        let length = bytes.len();
        match at % 9 {
            8 => bytes.truncate(at % length),
            bit => bytes[at / 9 % length] ^= 1 << bit,
        }
        is_harmed |= scratch.write(place(object), bytes);
    }
    if is_harmed {
        let (now, is_lost_now) = read(&scratch);
        assert!(
            now == whole || is_lost_now,
            "{now:#?} and nothing is told as lost; it was {whole:#?}"
        );
    } else {
        let (now, is_lost_now) = read(&scratch);
        assert_eq!((now, is_lost_now), (whole, is_lost));
    }
}
