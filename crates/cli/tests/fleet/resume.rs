//! The lines of an earlier run that `groma fleet --resume` keeps: each until something that it depends on changes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{FILES, command, roots, scratch};

/// Returns the number of lines kept from an earlier run, as the table on standard error states it.
pub(crate) fn kept_in(err: &str) -> usize {
    let kept = err.lines().find_map(|line| line.trim().strip_prefix("kept"));
    kept.map_or(0, |rest| rest.split_whitespace().next().unwrap().parse().unwrap())
}

/// Checks that `--resume` keeps a line until the question, an input, a shared module or a setting changes.
#[test]
fn a_line_stays_until_what_it_depends_on_changes() {
    let folder = scratch("resume", FILES);
    let run = |expected_kept: usize, more: &[&str]| {
        let line =
            [&["fleet", "live/a", "live/b", "live/wrong", "--out", "o.jsonl", "--resume"], more]
                .concat();
        let (_, out, err) = command::ran(&folder, &line);
        assert_eq!(out, "");
        assert_eq!(kept_in(&err), expected_kept, "{more:?}: {err}");
        fs::read_to_string(folder.join("o.jsonl")).unwrap()
    };
    let first = run(0, &["--outputs"]);
    assert_eq!(run(3, &["--outputs"]), first);
    // The lines change with the question and the inputs.
    run(0, &["--list"]);
    assert_eq!(run(0, &["--outputs"]), first);
    fs::write(folder.join("live/a/terraform.tfvars"), "other = 1\n").unwrap();
    run(2, &["--outputs"]);
    fs::remove_file(folder.join("live/a/terraform.tfvars")).unwrap();
    assert_eq!(run(2, &["--outputs"]), first);
    // A module that two roots share.
    let module = "variable \"n\" {}\noutput \"n\" { value = var.n * 10 }\n";
    fs::write(folder.join("modules/m/main.tf"), module).unwrap();
    assert_ne!(run(1, &["--outputs"]), first);
    // A line also depends on the settings file of its root.
    fs::write(folder.join("live/a/groma.toml"), "dialect = \"terraform@1.11\"\n").unwrap();
    run(2, &["--outputs"]);
    run(3, &["--outputs"]);
}

/// Asks three roots for their outputs with `--resume`. Returns the number of lines kept and the text of the result file.
fn resumed(folder: &Path) -> (usize, String) {
    let roots = ["fleet", "live/a", "live/b", "live/wrong"];
    let line = [&roots[..], &["--outputs", "--out", "o.jsonl", "--resume"]].concat();
    let (_, _, err) = command::ran(folder, &line);
    (kept_in(&err), fs::read_to_string(folder.join("o.jsonl")).unwrap())
}

/// Creates a folder whose results and stamps are old enough to be trusted. Returns it with the text of the result file.
fn settled(name: &str) -> (PathBuf, String) {
    let folder = scratch(name, FILES);
    wait();
    let (_, first) = resumed(&folder);
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    (folder, first)
}

/// Waits until written files are older than the resolution of the file system's clock.
fn wait() {
    std::thread::sleep(std::time::Duration::from_millis(120));
}

/// Checks that a run without changes writes no file, and that a run without valid stamps compares contents.
#[cfg(unix)]
#[test]
fn what_has_not_changed_is_not_written_again() {
    use std::os::unix::fs::MetadataExt;
    let (folder, first) = settled("stamps-same");
    let inodes = || {
        let files = ["o.jsonl", "o.jsonl.keys", "o.jsonl.stamps"];
        files.map(|file| fs::metadata(folder.join(file)).unwrap().ino())
    };
    let before = inodes();
    assert_eq!(resumed(&folder), (3, first.clone()));
    assert_eq!(inodes(), before);
    // A file written again with the same contents is read; then the stamps are new and the lines are kept.
    let main = folder.join("live/a/main.tf");
    fs::write(&main, fs::read(&main).unwrap()).unwrap();
    assert_eq!(resumed(&folder), (3, first.clone()));
    assert_eq!(inodes()[..2], before[..2]);
    assert_ne!(inodes()[2], before[2]);
    // Without valid stamps, the contents decide.
    fs::write(folder.join("o.jsonl.stamps"), "{\"root\":1}\n").unwrap();
    assert_eq!(resumed(&folder), (3, first.clone()));
    fs::remove_file(folder.join("o.jsonl.stamps")).unwrap();
    assert_eq!(resumed(&folder), (3, first));
    assert!(!folder.join("o.jsonl.journal").exists());
    assert!(!folder.join("o.jsonl.stamps.new").exists());
}

/// Checks that the line of a Packer template is kept until a file that it reads changes, with stamps and without.
#[test]
fn a_template_is_kept_until_what_it_reads_changes() {
    let main = "locals { text = file(\"note.txt\") }\n";
    let files = [("image/main.pkr.hcl", main), ("image/note.txt", "one")];
    let folder = scratch("stamps-template", &files);
    let line = ["fleet", "image/main.pkr.hcl", "-e", "local.text", "--out", "o.jsonl", "--resume"];
    let run = || {
        let (_, _, err) = command::ran(&folder, &line);
        (kept_in(&err), fs::read_to_string(folder.join("o.jsonl")).unwrap())
    };
    wait();
    let (kept, first) = run();
    assert_eq!((kept, first.contains("one")), (0, true), "{first}");
    wait();
    assert_eq!(run(), (1, first.clone()));
    fs::remove_file(folder.join("o.jsonl.stamps")).unwrap();
    assert_eq!(run(), (1, first.clone()));
    fs::write(folder.join("image/note.txt"), "two").unwrap();
    let (kept, second) = run();
    assert_eq!((kept, second.contains("two")), (0, true), "{second}");
    fs::remove_file(folder.join("o.jsonl.stamps")).unwrap();
    fs::write(folder.join("image/note.txt"), "one").unwrap();
    assert_eq!(run(), (0, first));
}

/// Checks that an edit which keeps a file's length and write time is detected.
#[cfg(unix)]
#[test]
fn an_edit_of_the_same_length_and_time_is_seen() {
    let (folder, first) = settled("stamps-time");
    let main = folder.join("live/a/main.tf");
    let time = fs::metadata(&main).unwrap().modified().unwrap();
    let text = fs::read_to_string(&main).unwrap().replace("n = 1", "n = 7");
    fs::write(&main, text).unwrap();
    fs::File::options().write(true).open(&main).unwrap().set_modified(time).unwrap();
    assert_eq!(fs::metadata(&main).unwrap().modified().unwrap(), time);
    let (kept, lines) = resumed(&folder);
    assert_eq!((kept, lines != first), (2, true));
    assert!(lines.contains("7"), "{lines}");
}

/// Checks that created, changed and removed files and folders are detected by `--resume`.
#[test]
fn what_comes_and_goes_is_seen() {
    let (folder, first) = settled("stamps-files");
    let more = folder.join("live/a/more.tf");
    fs::write(&more, "output \"more\" { value = 1 }\n").unwrap();
    assert_eq!(resumed(&folder).0, 2);
    wait();
    assert_eq!(resumed(&folder).0, 3);
    fs::remove_file(&more).unwrap();
    assert_eq!(resumed(&folder), (2, first.clone()));
    // A module that two roots share.
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    let module = folder.join("modules/m/main.tf");
    let text = fs::read_to_string(&module).unwrap();
    fs::write(&module, text.replace("= var.n", "= var.n + 1")).unwrap();
    assert_eq!(resumed(&folder).0, 1);
    fs::write(&module, text).unwrap();
    assert_eq!(resumed(&folder), (1, first.clone()));
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    // A new folder, and a root that is removed.
    fs::create_dir(folder.join("live/b/.terraform")).unwrap();
    fs::write(folder.join("live/b/.terraform/environment"), "other").unwrap();
    assert_eq!(resumed(&folder).0, 2);
    fs::remove_dir_all(folder.join("live/b")).unwrap();
    let (kept, lines) = resumed(&folder);
    assert_eq!((kept, lines == first), (2, false));
}

/// Checks that each of many stamps is compared, wherever it stands in the stamp file, with one thread and with several.
#[test]
fn each_of_many_stamps_counts() {
    const ROOTS: usize = 160;
    let module = |at: usize, own: usize| format!("live/r{at:03}/{}{own}", "long-".repeat(24));
    let mut files: Vec<(String, String)> = Vec::new();
    for at in 0..ROOTS {
        let mut main = String::new();
        for own in 0..9 {
            let (path, text) = (module(at, own), format!("output \"n\" {{ value = {own} }}\n"));
            let folder = path.rsplit('/').next().unwrap_or_default();
            main += &format!("module \"m{own}\" {{ source = \"./{folder}\" }}\n");
            files.push((format!("{path}/main.tf"), text));
        }
        main += "output \"n\" { value = module.m8.n }\n";
        files.push((format!("live/r{at:03}/main.tf"), main));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = scratch("many-stamps", &files);
    let run = |threads: &str| {
        let line = ["fleet", "--find", "live", "--outputs", "--out=o.jsonl", "--resume", threads];
        let (_, _, err) = command::ran(&folder, &line);
        (kept_in(&err), fs::read_to_string(folder.join("o.jsonl")).unwrap())
    };
    wait();
    let (_, first) = run("-parallelism=2");
    wait();
    // Enough for several threads, which take parts of 32 KiB.
    assert!(
        fs::metadata(folder.join("o.jsonl.stamps")).unwrap().len() > 350_000,
        "the stamp file is too short for several threads"
    );
    for (at, own, threads) in
        [(0, 0, "-parallelism=2"), (83, 8, "-parallelism=3"), (159, 4, "-parallelism=1")]
    {
        assert_eq!(run(threads), (ROOTS, first.clone()));
        let path = folder.join(module(at, own)).join("main.tf");
        fs::write(&path, "output \"n\" { value = 7 }\n").unwrap();
        assert_eq!(run(threads).0, ROOTS - 1);
        fs::write(&path, format!("output \"n\" {{ value = {own} }}\n")).unwrap();
        assert_eq!(run(threads), (ROOTS - 1, first.clone()));
        wait();
        run(threads);
        wait();
    }
}

/// Searches for roots and asks them for their outputs with `--resume`. Returns the number of lines kept and the roots.
fn searched(folder: &Path, search: &[&str]) -> (usize, Vec<String>) {
    let line = [&["fleet"], search, &["--outputs", "--out", "o.jsonl", "--resume"]].concat();
    let (_, _, err) = command::ran(folder, &line);
    let kept = err.lines().find_map(|line| line.trim().strip_prefix("kept"));
    let kept = kept.map_or(0, |rest| rest.split_whitespace().next().unwrap().parse().unwrap());
    let lines = fs::read_to_string(folder.join("o.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (kept, roots(&lines).into_iter().map(str::to_owned).collect())
}

/// Checks that a search for roots is repeated when a folder or a call may have changed its result.
#[test]
fn a_search_is_made_again_where_its_result_may_differ() {
    for search in [&["--find", "live"][..], &["live/*"]] {
        let folder = scratch("stamps-search", FILES);
        let is_find = search.len() == 2;
        let run = || searched(&folder, search);
        let all = |names: &[&str]| names.iter().map(|name| format!("live/{name}")).collect();
        let four: Vec<String> = all(&["a", "b", "broken", "wrong"]);
        wait();
        assert_eq!(run(), (0, four.clone()));
        wait();
        assert_eq!(run(), (4, four.clone()));
        assert!(
            fs::read_to_string(folder.join("o.jsonl.stamps")).unwrap().contains("{\"search\":")
        );
        // A damaged entry of a search in the stamp file is ignored.
        let stamps = fs::read_to_string(folder.join("o.jsonl.stamps")).unwrap();
        let damaged = stamps.replace("\"live/b\",\"live/broken\"", "\"live/broken\"");
        assert_ne!(damaged, stamps);
        fs::write(folder.join("o.jsonl.stamps"), damaged).unwrap();
        assert_eq!(run(), (4, four.clone()));
        // A new folder, first without code and then with it, which is then removed.
        wait();
        fs::create_dir(folder.join("live/later")).unwrap();
        assert_eq!(run(), (4, four.clone()));
        wait();
        assert_eq!(run(), (4, four.clone()));
        fs::write(folder.join("live/later/main.tf"), "output \"l\" { value = 1 }\n").unwrap();
        assert_eq!(run(), (4, all(&["a", "b", "broken", "later", "wrong"])));
        fs::remove_dir_all(folder.join("live/later")).unwrap();
        assert_eq!(run(), (4, four.clone()));
        // For --find a folder that another root calls as a module is not a root; that depends on file contents.
        wait();
        assert_eq!(run(), (4, four.clone()));
        let wrong = folder.join("live/wrong/main.tf");
        fs::write(wrong, "module \"b\" {\n  source = \"../b\"\n}\n").unwrap();
        let expected = if is_find { (2, all(&["a", "broken", "wrong"])) } else { (3, four) };
        assert_eq!(run(), expected);
    }
}

/// Checks that `--resume` detects a symbolic link that gets another target.
#[cfg(unix)]
#[test]
fn links_that_lead_elsewhere_are_seen() {
    use std::os::unix::fs::symlink;
    let folder = scratch("stamps-links", FILES);
    for number in [1, 2] {
        let text = format!("output \"l\" {{ value = {number} }}\n");
        fs::create_dir_all(folder.join(format!("shared/{number}"))).unwrap();
        fs::write(folder.join(format!("shared/{number}/l.tf")), text).unwrap();
    }
    let link = folder.join("shared/now");
    symlink("1", &link).unwrap();
    symlink("../../shared/now/l.tf", folder.join("live/a/l.tf")).unwrap();
    wait();
    let (_, first) = resumed(&folder);
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    assert_eq!(resumed(&folder), (3, first.clone()));
    // This changes no folder of the root.
    fs::remove_file(&link).unwrap();
    symlink("2", &link).unwrap();
    let (kept, lines) = resumed(&folder);
    assert_eq!((kept, lines != first), (2, true));
    fs::remove_dir_all(folder.join("shared/2")).unwrap();
    assert_eq!(resumed(&folder).0, 2);
}
