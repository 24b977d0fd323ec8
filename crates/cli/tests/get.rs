//! `groma get` against a server and repositories of the test's own: what is brought, what stays, and what is refused.
//! Nothing here leaves the machine.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use groma_cli::{Machine, Painted, Session, Terminal, Watch, run};

static MADE: AtomicU32 = AtomicU32::new(0);

/// What a server answers to a path: a status, headers, and a body.
type Answers = BTreeMap<String, (u16, Vec<(String, String)>, Vec<u8>)>;

/// A request: its path, and the token that was shown.
type Asked = (String, Option<String>);

/// A server on this machine; it goes on until the test ends.
struct Server {
    address: String,
    answers: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    fn start() -> Server {
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

    fn says(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.answers.lock().unwrap().insert(path.to_owned(), (200, Vec::new(), body.into()));
    }

    fn leads(&self, path: &str, status: u16, header: &str, to: &str) {
        let headers = vec![(header.to_owned(), to.to_owned())];
        self.answers.lock().unwrap().insert(path.to_owned(), (status, headers, Vec::new()));
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// A module in a registry at `/v1`, in these versions, each packed.
    fn keeps(&self, module: &str, versions: &[(&str, &[(&str, &str)])]) {
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

fn tar_gz(files: &[(&str, &str)]) -> Vec<u8> {
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

fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A folder with a root module in it; gone when dropped.
struct Folder {
    path: PathBuf,
    environment: BTreeMap<String, String>,
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
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

    /// One whose command line is configured to find the modules of `r.example` at a server.
    fn beside(server: &Server, files: &[(&str, &str)]) -> Folder {
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

    fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap()
    }

    fn manifest(&self) -> String {
        self.read(".terraform/modules/modules.json")
    }

    /// Runs `groma` with these words: the exit code, and what it says.
    fn groma(&self, line: &str) -> (u8, String, String) {
        let arguments = line.split(' ').map(Into::into).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let session = Session {
            input: &mut Cursor::new(Vec::new()),
            out: &mut out,
            err: &mut err,
            terminal: Terminal::default(),
            machine: Machine::at(self.path.clone(), self.environment.clone()),
            watch: Watch::kept(),
            painted: Painted::default(),
        };
        let exit = run(arguments, session).0;
        (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    /// The same of what has to be well; gives what it prints.
    fn well(&self, line: &str) -> String {
        let (exit, out, err) = self.groma(line);
        assert_eq!(exit, 0, "{line}: {out}{err}");
        out
    }

    /// The same of what has to fail; gives what it says.
    fn fails(&self, line: &str) -> String {
        let (exit, out, err) = self.groma(line);
        assert_eq!(exit, 1, "{line}: {out}{err}");
        err
    }

    fn git(&self, line: &str) {
        let words = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-C"];
        let mut git = Command::new("git");
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").args(words).arg(&self.path);
        assert!(git.args(line.split(' ')).output().unwrap().status.success(), "git {line}");
    }
}

#[test]
fn repositories_are_cloned_and_listed_as_the_other_programs_list_them() {
    let upstream = Folder::with(&[
        (
            "main.tf",
            "module \"s\" {\n  source = \"./sub\"\n}\noutput \"o\" {\n  value = module.s.o\n}\n",
        ),
        ("sub/main.tf", "output \"o\" {\n  value = 1\n}\n"),
    ]);
    fs::remove_dir_all(upstream.path.join(".git")).unwrap();
    upstream.git("init -q -b main");
    upstream.git("add -A");
    upstream.git("commit -q -m one");
    upstream.git("tag v1.0.0");
    upstream.write("sub/main.tf", "output \"o\" {\n  value = 2\n}\n");
    upstream.git("commit -q -a -m two");
    let url = format!("git::file://{}", upstream.path.display());
    let folder = Folder::with(&[
        ("local/main.tf", ""),
        (
            "main.tf",
            &format!(
                "module \"a\" {{\n  source = \"{url}?ref=v1.0.0\"\n}}\nmodule \"b\" {{\n  source = \"{url}//sub\"\n}}\n\
                 module \"l\" {{\n  source = \"./local\"\n}}\noutput \"o\" {{\n  value = [module.a.o, module.b.o]\n}}\n"
            ),
        ),
    ]);
    let out = folder.well("get");
    assert_eq!(
        out,
        "a in .terraform/modules/a\nb in .terraform/modules/b/sub\n2 modules brought, 0 as before.\n"
    );
    assert_eq!(
        folder.manifest(),
        format!(
            "{{\"Modules\":[{{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"}},\
             {{\"Key\":\"a\",\"Source\":\"{url}?ref=v1.0.0\",\"Dir\":\".terraform/modules/a\"}},\
             {{\"Key\":\"a.s\",\"Source\":\"./sub\",\"Dir\":\".terraform/modules/a/sub\"}},\
             {{\"Key\":\"b\",\"Source\":\"{url}//sub\",\"Dir\":\".terraform/modules/b/sub\"}},\
             {{\"Key\":\"l\",\"Source\":\"./local\",\"Dir\":\"local\"}}]}}"
        )
    );
    assert_eq!(folder.well("output -json o"), "[1,2]\n");
    assert_eq!(folder.well("get"), "0 modules brought, 2 as before.\n");
    let entries: Vec<String> = fs::read_dir(folder.path.join(".terraform/modules"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(entries.iter().all(|name| !name.starts_with('.')), "{entries:?}");
}

#[test]
fn a_registry_says_which_versions_there_are_and_where() {
    let server = Server::start();
    server.keeps("a/net/aws", &[
        ("1.0.0", &[("main.tf", "output \"v\" {\n  value = \"1.0.0\"\n}\n")]),
        ("1.2.0", &[(
            "main.tf",
            "module \"in\" {\n  source = \"r.example/a/inner/aws//deep\"\n  version = \"~> 2.0\"\n}\noutput \"v\" {\n  value = \"1.2.0 ${module.in.v}\"\n}\n",
        )]),
        ("2.0.0-beta", &[("main.tf", "")]),
    ]);
    server.keeps(
        "a/inner/aws",
        &[("2.5.0", &[("deep/main.tf", "output \"v\" {\n  value = \"in\"\n}\n")])],
    );
    let call = |version: &str| {
        format!(
            "module \"net\" {{\n  source  = \"r.example/a/net/aws\"\n  version = \"{version}\"\n}}\noutput \"v\" {{\n  value = module.net.v\n}}\n"
        )
    };
    let mut folder = Folder::beside(&server, &[("main.tf", &call(">= 1.0"))]);
    folder.environment.insert("TF_TOKEN_r_example".to_owned(), "s3cret".to_owned());
    let out = folder.well("get");
    assert_eq!(
        out,
        "net 1.2.0 in .terraform/modules/net/pack\nnet.in 2.5.0 in .terraform/modules/net.in/pack/deep\n2 modules brought, 0 as before.\n"
    );
    assert_eq!(folder.well("output v"), "\"1.2.0 in\"\n");
    assert!(folder.manifest().contains(
        "{\"Key\":\"net.in\",\"Source\":\"r.example/a/inner/aws//deep\",\"Version\":\"2.5.0\",\"Dir\":\".terraform/modules/net.in/pack/deep\"}"
    ));
    for (path, token) in server.asked() {
        let is_registry = !path.ends_with(".tar.gz");
        assert_eq!(token.as_deref(), is_registry.then_some("Bearer s3cret"), "{path}");
    }

    // Another constraint that what is there satisfies changes nothing; one that it does not brings another version.
    folder.write("main.tf", &call("~> 1.1"));
    assert_eq!(folder.well("get"), "0 modules brought, 2 as before.\n");
    folder.write("main.tf", &call("< 1.2"));
    let out = folder.well("get");
    assert_eq!(out, "net 1.0.0 in .terraform/modules/net/pack\n1 module brought, 0 as before.\n");
    assert_eq!(folder.well("output v"), "\"1.0.0\"\n");
    folder.write("main.tf", &call(">= 1.0"));
    assert_eq!(folder.well("get"), "0 modules brought, 1 as before.\n");
    assert!(folder.well("get -upgrade").starts_with("net 1.2.0 in"));

    // What cannot be had leaves what is there.
    let before = folder.manifest();
    folder.write("main.tf", &call("> 9"));
    let said = folder.fails("get");
    assert!(
        said.contains(
            "r.example/a/net/aws has no version that is \"> 9\"; the newest is 2.0.0-beta."
        ),
        "{said}"
    );
    assert!(folder.read(".terraform/modules/net/pack/main.tf").contains("1.2.0"));
    folder.write("main.tf", &call(">= 1.0"));
    assert_eq!(folder.well("get"), "0 modules brought, 2 as before.\n", "{before}");
}

#[test]
fn archives_come_by_their_endings_by_a_page_and_through_redirections() {
    let server = Server::start();
    let module = [("main.tf", "output \"v\" {\n  value = \"here\"\n}\n")];
    server.says("/m.zip", zip_of(&module));
    server.says("/plain", tar_gz(&module));
    server.says(
        "/page?terraform-get=1",
        "<html><meta name=\"terraform-get\" content=\"/m.zip\" /></html>",
    );
    server.leads("/moved.zip", 302, "Location", "/m.zip");
    let address = &server.address;
    let sources = ["m.zip", "plain?archive=tar.gz", "page", "moved.zip"]
        .map(|path| format!("{address}/{path}"));
    for source in sources {
        let text = format!(
            "module \"m\" {{\n  source = \"{source}\"\n}}\noutput \"v\" {{\n  value = module.m.v\n}}\n"
        );
        let folder = Folder::with(&[("main.tf", &text)]);
        assert_eq!(
            folder.well("get"),
            "m in .terraform/modules/m\n1 module brought, 0 as before.\n"
        );
        assert_eq!(folder.well("output v"), "\"here\"\n");
    }
}

#[test]
fn what_must_not_be_is_refused_and_leaves_nothing() {
    let server = Server::start();
    server.says("/good.zip", zip_of(&[("main.tf", "")]));
    server.says("/up.zip", zip_of(&[("../../../x.tf", "")]));
    server.says("/broken.zip", "PK and then nothing");
    server.says("/bare", "no page that names anything");
    server.leads("/away.zip", 302, "Location", "http://example.com/m.zip");
    server.leads("/ring.zip", 302, "Location", "/ring.zip");
    let address = server.address.clone();
    for (source, said) in [
        (format!("{address}/up.zip"), "leads out of it"),
        (format!("{address}/broken.zip"), "the archive cannot be read"),
        (format!("{address}/absent.zip"), "answers with 404"),
        (format!("{address}/bare"), "answers with 404"),
        (format!("{address}/away.zip"), "over plain http anybody"),
        (format!("{address}/ring.zip"), "leads on more than 10 times"),
        (format!("{address}/good.zip//none"), "there is no folder \"none\" in it"),
        (format!("{address}/good.zip?checksum=sha256:00"), "it is not what its source says"),
        ("http://example.com/m.zip".to_owned(), "over plain http anybody"),
        ("s3::https://s3.amazonaws.com/b/m.zip".to_owned(), "are not brought by \"s3\""),
        ("git::ext::sh%20-c%20x".to_owned(), "reached by https, ssh or file"),
        ("git::https://example.com/m.git?ref=--upload-pack=x".to_owned(), "names no branch"),
        ("git::file:///nowhere/at/all".to_owned(), "git brings nothing"),
        ("r.example/a/none/aws".to_owned(), "r.example has no module a/none/aws"),
    ] {
        let text = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
        let folder = Folder::beside(&server, &[("main.tf", &text)]);
        let err = folder.fails("get");
        assert!(err.contains(said), "{source}: {err}");
        assert!(!folder.path.join(".terraform/modules/m").exists(), "{source}");
        assert!(!folder.path.join("x.tf").exists(), "{source}");
        assert!(!folder.path.join(".terraform/x.tf").exists(), "{source}");
    }
}

#[test]
fn nothing_is_brought_for_strangers_code_or_unasked() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let text = format!("module \"m\" {{\n  source = \"{}/m.zip\"\n}}\n", server.address);
    let folder = Folder::with(&[("main.tf", &text)]);
    assert_eq!(folder.groma("get --untrusted").0, 2);
    for line in ["check", "plan", "output", "eval -e 1", "list"] {
        folder.groma(line);
    }
    assert_eq!(server.asked(), []);
    assert!(!folder.path.join(".terraform").exists());
}

#[test]
fn one_that_fails_does_not_keep_the_others_away() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "output \"v\" {\n  value = 1\n}\n")]));
    let address = &server.address;
    let text = format!(
        "module \"bad\" {{\n  source = \"{address}/none.zip\"\n}}\nmodule \"good\" {{\n  source = \"{address}/m.zip\"\n}}\n"
    );
    let folder = Folder::with(&[("main.tf", &text)]);
    let (exit, out, err) = folder.groma("get");
    assert_eq!(
        (exit, &*out),
        (1, "good in .terraform/modules/good\n1 module brought, 0 as before.\n")
    );
    assert!(err.contains("Module \"bad\":") && err.contains("main.tf line 2"), "{err}");
}
