//! Tests of the manifest while modules are replaced, and after a run that is aborted at any point.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use groma_syntax::{FileId, Span};

use super::*;
use crate::fault::tests::{end_after, is_ended};

/// Checks that the entries of a module to be replaced and of the modules that it calls are removed from the manifest, and no
/// others.
#[test]
fn replaced_modules_are_unlisted_first() {
    let name = format!("groma-install-unlist-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let config = HostSettings::default();
    let mut work = InstallWork {
        modules: &folder,
        list: ManifestFile::of(&folder, ListDisk::default()),
        seen: ".terraform/modules",
        config: &config,
        client: HttpClient::new(&config.proxy),
        versions: Mutex::default(),
        done: InstallResult::default(),
        tried: BTreeSet::new(),
    };
    let mut now = CalledModules::default();
    for key in ["net", "net.inner", "network"] {
        let entry = ManifestEntry {
            source: "r.example/a/b/aws".to_owned(),
            version: Some("1.0.0".to_owned()),
            dir: format!(".terraform/modules/{key}"),
        };
        now.listed.insert(key.to_owned(), entry);
    }
    let call = RemoteCall {
        key: "net".to_owned(),
        source: "r.example/a/b/aws".to_owned(),
        version: None,
        place: groma_syntax::Place::new(FileId(0), Span::new(0, 0)),
        is_installed: true,
    };
    work.unlist(&now, &[&call]).unwrap();
    let listed = std::fs::read_to_string(folder.join("modules.json")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(listed.contains("\"Key\":\"network\""), "{listed}");
    assert_eq!(listed.matches("\"Key\"").count(), 1, "{listed}");
}

/// Packs a `.tar.gz` archive whose files `main.tf` and `inner/main.tf` both contain a text.
fn packed(text: &str) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(gzip);
    for name in ["main.tf", "inner/main.tf"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// Starts an HTTP server that returns an archive for each path, with the path as content of its files, and returns its URL.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            let body = packed(first.split(' ').nth(1).unwrap());
            let head = "HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: ";
            write!(stream, "{head}{}\r\n\r\n", body.len()).unwrap();
            stream.write_all(&body).unwrap();
        }
    });
    address
}

/// A modules directory for a test, with the server from which modules are fetched; removed when dropped.
struct Scene {
    top: PathBuf,
    modules: PathBuf,
    server: String,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.top);
    }
}

/// An observer that ignores the progress of an installation.
struct Silent;

impl InstallObserver for Silent {}

impl Scene {
    /// Returns the entries of the manifest: the call, and the path of its module at the server.
    fn listed(&self) -> Vec<(String, String)> {
        let text = fs::read_to_string(self.modules.join("modules.json")).unwrap_or_default();
        let entries = text.split("\"Key\":\"").skip(1);
        let entries = entries.map(|rest| {
            let key = rest.split('"').next().unwrap().to_owned();
            let source = rest.split("\"Source\":\"").nth(1).unwrap().split('"').next().unwrap();
            (key, source.trim_start_matches(&self.server).to_owned())
        });
        entries.filter(|(key, _)| !key.is_empty()).collect()
    }

    /// Returns the module calls of a project, each given by its key and its module's path at the server, with the modules that
    /// the manifest lists.
    fn called_modules(&self, calls: &[(&str, &str)]) -> CalledModules {
        let mut called = CalledModules::default();
        let listed = self.listed();
        for (key, path) in &listed {
            let entry = ManifestEntry {
                source: format!("{}{path}", self.server),
                version: None,
                dir: format!(".terraform/modules/{key}"),
            };
            called.listed.insert(key.clone(), entry);
        }
        for (key, path) in calls {
            called.remote.push(RemoteCall {
                key: (*key).to_owned(),
                source: format!("{}{path}", self.server),
                version: None,
                place: groma_syntax::Place::new(FileId(0), Span::new(0, 0)),
                is_installed: listed.iter().any(|one| (&*one.0, &*one.1) == (*key, *path)),
            });
        }
        called
    }

    /// Installs the modules of some calls, each with a key and the path of its module at the server.
    fn install(&self, calls: &[(&str, &str)]) -> InstallResult {
        let folder =
            ModulesFolder { path: &self.modules, within: &self.top, seen: ".terraform/modules" };
        let config = HostSettings::default();
        install(folder, false, &config, &mut || self.called_modules(calls), &Silent)
    }

    /// Checks that the modules listed in the manifest are installed completely; `when` tells in the message of a failure where
    /// the test stands.
    fn agrees(&self, when: &str) {
        for (key, path) in self.listed() {
            for file in ["main.tf", "inner/main.tf"] {
                let text = fs::read_to_string(self.modules.join(&key).join(file));
                assert_eq!(text.ok().as_deref(), Some(&*path), "{when}: {key}/{file}");
            }
        }
    }
}

/// Checks that after a run is cut off at any point the manifest lists only complete modules, and the next run completes the rest.
#[test]
fn a_run_may_end_at_any_point() {
    let server = server();
    let before: [&[(&str, &str)]; 2] = [&[], &[("net", "/a.tar.gz"), ("dns", "/d.tar.gz")]];
    let calls = [("net", "/b.tar.gz"), ("dns", "/d.tar.gz")];
    let mut count = 0;
    for (number, before) in before.into_iter().enumerate() {
        for points in 0.. {
            let name = format!("groma-install-end-{}-{number}-{points}", std::process::id());
            let top = std::env::temp_dir().join(name);
            let modules = top.join(".terraform/modules");
            let scene = Scene { top, modules, server: server.clone() };
            let when = format!("{number}, ended after {points}");
            end_after(usize::MAX);
            assert!(scene.install(before).found.is_empty());
            end_after(points);
            let done = scene.install(&calls);
            let was_ended = is_ended();
            end_after(usize::MAX);
            scene.agrees(&when);
            // The next run can use the directory and leaves no rest.
            let next = scene.install(&calls);
            assert!(next.found.is_empty(), "{when}: {:?}", next.found);
            scene.agrees(&when);
            let mut listed = scene.listed();
            listed.sort();
            let wanted = [("dns", "/d.tar.gz"), ("net", "/b.tar.gz")];
            assert_eq!(listed, wanted.map(|(a, b)| (a.to_owned(), b.to_owned())), "{when}");
            let mut there: Vec<String> = fs::read_dir(&scene.modules)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            there.sort();
            assert_eq!(there, ["dns", "modules.json", "net"], "{when}");
            count += 1;
            if !was_ended {
                assert!(done.found.is_empty(), "{when}: {:?}", done.found);
                break;
            }
        }
    }
    assert!(count > 30, "{count} points are few");
}
