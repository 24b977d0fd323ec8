//! An HTTP server on this machine that serves modules, and temporary folders with a root module.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// The number of folders created so far, which makes their names unique.
static MADE: AtomicU32 = AtomicU32::new(0);

/// The responses of a server by path: status, headers and body.
pub(crate) type Answers = BTreeMap<String, (u16, Vec<(String, String)>, Vec<u8>)>;

/// A request that a server has received: its path, and the value of its `Authorization` header.
pub(crate) type Asked = (String, Option<String>);

/// An HTTP server on this machine that serves modules until the test ends.
pub(crate) struct Server {
    pub(crate) address: String,
    answers: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (answers, asked) = (Arc::new(Mutex::new(Answers::new())), Arc::default());
        let server = Server { address, answers: answers.clone(), asked: Arc::clone(&asked) };
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (answers, asked) = (answers.clone(), asked.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &answers, &asked));
            }
        });
        server
    }

    /// Sets the body with which a path is answered.
    pub(crate) fn says(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.answers.lock().unwrap().insert(path.to_owned(), (200, Vec::new(), body.into()));
    }

    /// Sets the status and one header with which a path is answered.
    pub(crate) fn leads(&self, path: &str, status: u16, header: &str, to: &str) {
        let headers = vec![(header.to_owned(), to.to_owned())];
        self.answers.lock().unwrap().insert(path.to_owned(), (status, headers, Vec::new()));
    }

    /// Returns the requests received so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Serves a module in the registry at `/v1`, with the files of each version packed in an archive.
    pub(crate) fn keeps(&self, module: &str, versions: &[(&str, &[(&str, &str)])]) {
        let mut listed = Vec::new();
        for (version, files) in versions {
            listed.push(format!("{{\"version\":\"{version}\"}}"));
            let base = format!("/v1/{module}/{version}");
            self.leads(
                &format!("{base}/download"),
                204,
                "X-Terraform-Get",
                "./module.tar.gz//pack",
            );
            let inside: Vec<(String, &str)> =
                files.iter().map(|(name, text)| (format!("pack/{name}"), *text)).collect();
            let inside: Vec<(&str, &str)> =
                inside.iter().map(|(name, text)| (&**name, *text)).collect();
            self.says(&format!("{base}/module.tar.gz"), tar_gz(&inside));
        }
        let versions = format!("{{\"modules\":[{{\"versions\":[{}]}}]}}", listed.join(","));
        self.says(&format!("/v1/{module}/versions"), versions);
    }
}

/// Answers one connection and records its request; an unknown path is answered with 404.
fn answer(mut stream: std::net::TcpStream, answers: &Mutex<Answers>, asked: &Mutex<Vec<Asked>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut line, mut token) = (String::new(), None);
    reader.read_line(&mut line).unwrap();
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        if let Some((_, value)) =
            header.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        {
            token = Some(value.trim().to_owned());
        }
        if header.trim().is_empty() {
            break;
        }
    }
    asked.lock().unwrap().push((path.clone(), token));
    let none = (404, Vec::new(), b"nothing here".to_vec());
    let (status, headers, body) = answers.lock().unwrap().get(&path).cloned().unwrap_or(none);
    let mut head =
        format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let _ = stream.write_all(format!("{head}\r\n").as_bytes());
    let _ = stream.write_all(&body);
}

/// Returns a `.tar.gz` archive of these files, given as paths and texts.
pub(crate) fn tar_gz(files: &[(&str, &str)]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(gzip);
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// Returns a zip archive of these files, given as paths and texts.
pub(crate) fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A temporary folder with a root module and the environment of its runs, removed on drop.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) environment: BTreeMap<String, String>,
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Folder {
    /// Creates a temporary folder with these files, given as paths and texts, and an empty `.git`.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let name = format!("get-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(path.join(".git")).unwrap();
        let path = fs::canonicalize(path).unwrap();
        let environment =
            BTreeMap::from([("HOME".to_owned(), path.join("home").display().to_string())]);
        let folder = Folder { path, environment };
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// Creates a temporary folder whose CLI configuration finds the registry `r.example` at a server.
    pub(crate) fn beside(server: &Server, files: &[(&str, &str)]) -> Folder {
        let folder = Folder::with(files);
        let address = &server.address;
        folder.write(
            "home/.terraformrc",
            &format!(
                "host \"r.example\" {{\n  services = {{ \"modules.v1\" = \"{address}/v1/\" }}\n}}\n"
            ),
        );
        folder
    }

    /// Writes a file in the folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the text of a file in the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap()
    }

    /// Returns the text of the list of installed modules, `modules.json`.
    pub(crate) fn manifest(&self) -> String {
        self.read(".terraform/modules/modules.json")
    }

    /// Runs a command line and returns its exit code, standard output and standard error.
    pub(crate) fn groma(&self, line: &str) -> (u8, String, String) {
        let arguments = line.split(' ').map(Into::into).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let session = RunSession {
            input: &mut Cursor::new(Vec::new()),
            out: &mut out,
            err: &mut err,
            terminal: TerminalStreams::default(),
            machine: MachineContext::at(self.path.clone(), self.environment.clone()),
            watch: RunWatch::polled(),
            painted: ColourChoice::default(),
        };
        let exit = run(arguments, session).0;
        (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    /// Runs a command line that must succeed, and returns its standard output.
    pub(crate) fn well(&self, line: &str) -> String {
        let (exit, out, err) = self.groma(line);
        assert_eq!(exit, 0, "{line}: {out}{err}");
        out
    }

    /// Runs a command line that must exit with 1, and returns its standard error.
    pub(crate) fn fails(&self, line: &str) -> String {
        let (exit, out, err) = self.groma(line);
        assert_eq!(exit, 1, "{line}: {out}{err}");
        err
    }

    /// Runs git in the folder, which must succeed.
    pub(crate) fn git(&self, line: &str) {
        let words = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-C"];
        let mut git = Command::new("git");
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").args(words).arg(&self.path);
        assert!(git.args(line.split(' ')).output().unwrap().status.success(), "git {line}");
    }
}
