//! A root on a disk that is asked again and again: what has changed between two questions counts in the next answer, and where
//! nothing has, no question is repeated. The files are real; each test makes its own folder.
#![cfg(all(feature = "disk", unix))]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use groma::disk::{DiskContext, DiskHost};
use groma::hosts::{DirEntry, EntryKind, HostError, StampedLook};
use groma::states::StateFile;
use groma::{Host, LoadOptions, Workspace};

/// A host of the disk that counts how often it is asked to be looked at.
struct CountedHost {
    below: DiskHost,
    looks: Arc<AtomicUsize>,
}

impl Host for CountedHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.below.read(path)
    }
    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.below.length(path)
    }
    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        self.below.open(path)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        self.below.list(dir)
    }
    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.below.canonical(path)
    }
    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        self.below.kind(path)
    }
    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        self.below.check_code_access(path)
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
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.below.cached_view()
    }
    fn for_stamped_look(&self) -> Option<Box<dyn StampedLook>> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.below.for_stamped_look()
    }
}

/// A root on the disk, opened once and asked many times.
struct KeptRoot {
    top: PathBuf,
    workspace: Workspace,
    looks: Arc<AtomicUsize>,
}

/// The code of the root: its value is that of a variable, of a local value, a called module, a linked file and the state.
const CODE: &str = r#"
variable "given" { default = "none" }
locals { here = "one" }
module "net" { source = "./net" }
resource "terraform_data" "kept" {}
output "all" {
  value = [var.given, local.here, module.net.id, file("led.txt"), fileexists("more.txt"), length(fileset(".", "*.txt"))]
}
output "id" { value = terraform_data.kept.id }
"#;

impl KeptRoot {
    fn new(name: &str) -> KeptRoot {
        let top = std::env::temp_dir().join(format!("groma-kept-{name}-{}", std::process::id()));
        fs::create_dir_all(top.join("app/net")).unwrap();
        fs::create_dir_all(top.join("other")).unwrap();
        fs::create_dir_all(top.join(".git")).unwrap();
        let top = fs::canonicalize(top).unwrap();
        let files = [
            ("app/main.tf", CODE),
            ("app/net/main.tf", "output \"id\" { value = \"first\" }"),
            ("one.txt", "one"),
            ("two.txt", "two"),
        ];
        for (path, text) in files {
            fs::write(top.join(path), text).unwrap();
        }
        symlink("../one.txt", top.join("app/led.txt")).unwrap();
        let context = DiskContext::at(top.join("app"), BTreeMap::new());
        let looks = Arc::new(AtomicUsize::new(0));
        let below = context.host_of_module(".").unwrap();
        let workspace = Workspace::new(CountedHost { below, looks: looks.clone() });
        KeptRoot { top, workspace, looks }
    }

    /// The values of the outputs as they are now, with the state beside the root.
    fn outputs(&self) -> String {
        let snapshot = self.workspace.root(".", &LoadOptions::default());
        let recorded = snapshot.against(StateFile::Usual).value;
        let outputs = recorded.outputs().value;
        let values: Vec<String> =
            outputs.iter().map(|output| recorded.plain_json(&output.value)).collect();
        values.join(" ")
    }

    /// Waits until what was written is old enough for stamps, and asks until nothing is looked at any more.
    fn settle(&self) {
        std::thread::sleep(Duration::from_millis(80));
        for _ in 0..8 {
            self.outputs();
        }
        let before = self.looks.load(Ordering::Relaxed);
        let answers: Vec<String> = (0..20).map(|_| self.outputs()).collect();
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(self.looks.load(Ordering::Relaxed), before, "questions are repeated");
    }
}

impl Drop for KeptRoot {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.top).ok();
    }
}

#[test]
fn each_change_counts_at_once() {
    let root = KeptRoot::new("changes");
    let app = root.top.join("app");
    let write = |path: &str, text: &str| fs::write(app.join(path), text).unwrap();
    let state = |id: &str| {
        let attributes = format!(r#"{{"id":"{id}"}}"#);
        format!(
            r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{{}},"resources":[{{"mode":"managed","type":"terraform_data","name":"kept","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{{"schema_version":0,"attributes":{attributes}}}]}}]}}"#
        )
    };
    assert_eq!(root.outputs(), r#"["none","one","first","one",false,1] null"#);
    let step = |change: &dyn Fn(), expected: &str| {
        root.settle();
        change();
        assert_eq!(root.outputs(), expected);
    };
    // The content of files, of the same length or another one.
    step(
        &|| write("net/main.tf", "output \"id\" { value = \"other\" }"),
        r#"["none","one","other","one",false,1] null"#,
    );
    step(
        &|| write("main.tf", &CODE.replace("\"one\"", "\"two\"")),
        r#"["none","two","other","one",false,1] null"#,
    );
    // A new file of values, its content and its end.
    step(
        &|| write("terraform.tfvars", "given = \"a\""),
        r#"["a","two","other","one",false,1] null"#,
    );
    step(
        &|| write("terraform.tfvars", "given = \"b\""),
        r#"["b","two","other","one",false,1] null"#,
    );
    step(&|| write("x.auto.tfvars", "given = \"c\""), r#"["c","two","other","one",false,1] null"#);
    step(
        &|| fs::remove_file(app.join("x.auto.tfvars")).unwrap(),
        r#"["b","two","other","one",false,1] null"#,
    );
    step(
        &|| fs::remove_file(app.join("terraform.tfvars")).unwrap(),
        r#"["none","two","other","one",false,1] null"#,
    );
    // A state beside the root.
    step(
        &|| write("terraform.tfstate", &state("k1")),
        r#"["none","two","other","one",false,1] "k1""#,
    );
    step(
        &|| write("terraform.tfstate", &state("k2")),
        r#"["none","two","other","one",false,1] "k2""#,
    );
    step(
        &|| fs::remove_file(app.join("terraform.tfstate")).unwrap(),
        r#"["none","two","other","one",false,1] null"#,
    );
    // A file that was asked for and was not there, and one that is read by a function of a folder.
    step(&|| write("more.txt", ""), r#"["none","two","other","one",true,2] null"#);
    step(
        &|| fs::remove_file(app.join("more.txt")).unwrap(),
        r#"["none","two","other","one",false,1] null"#,
    );
    // The target of a link, and its content.
    step(
        &|| fs::write(root.top.join("one.txt"), "1st").unwrap(),
        r#"["none","two","other","1st",false,1] null"#,
    );
    let relink = || {
        symlink("../two.txt", app.join("new")).unwrap();
        fs::rename(app.join("new"), app.join("led.txt")).unwrap();
    };
    step(&relink, r#"["none","two","other","two",false,1] null"#);
    // A folder that is exchanged for another one, and one that a link takes the place of.
    let exchange = || {
        fs::write(root.top.join("other/main.tf"), "output \"id\" { value = \"moved\" }").unwrap();
        fs::rename(app.join("net"), root.top.join("net")).unwrap();
        fs::rename(root.top.join("other"), app.join("net")).unwrap();
    };
    step(&exchange, r#"["none","two","moved","two",false,1] null"#);
    let link = || {
        fs::rename(app.join("net"), root.top.join("other")).unwrap();
        symlink("../net", app.join("net")).unwrap();
    };
    step(&link, r#"["none","two","other","two",false,1] null"#);
    // A new file of code, and a module that is gone.
    step(
        &|| write("more.tf", "output \"z\" { value = 1 }"),
        r#"["none","two","other","two",false,1] null 1"#,
    );
    step(
        &|| fs::remove_file(app.join("more.tf")).unwrap(),
        r#"["none","two","other","two",false,1] null"#,
    );
    root.settle();
}

#[test]
fn a_text_over_a_file_counts_at_once() {
    let root = KeptRoot::new("texts");
    root.settle();
    root.workspace.set("net/main.tf", "output \"id\" { value = \"text\" }");
    assert_eq!(root.outputs(), r#"["none","one","text","one",false,1] null"#);
    root.settle();
    root.workspace.remove("net/main.tf");
    assert_eq!(root.outputs(), r#"["none","one","first","one",false,1] null"#);
    root.settle();
}

#[test]
fn what_is_written_while_it_is_read_is_read_again() {
    let root = KeptRoot::new("young");
    // No pause: the times of the writes may be the same, and so are the lengths.
    for number in 100..160 {
        let text = format!("output \"id\" {{ value = \"{number}\" }}");
        fs::write(root.top.join("app/net/main.tf"), text).unwrap();
        for _ in 0..3 {
            assert_eq!(
                root.outputs(),
                format!("[\"none\",\"one\",\"{number}\",\"one\",false,1] null")
            );
        }
    }
}
