//! Every operation of the disk fails once, the run ends before, within and behind each, the power goes, and meanwhile
//! somebody saves one of the files. No save is lost, the next run puts right what was half done, and what is said is so.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod memory;

use std::path::Path;

use groma_writer::{FileReplacement, FileWriter, RecoveryOutcome, UndoneOperation};
use memory::{Fault, Memory};

/// The files on a disk before a run, with their old texts.
const FILES: [(&str, &str); 4] = [
    ("/p/live/main.tf", "old text of main, which is long"),
    ("/p/net/a.tf", "old a"),
    ("/p/net/b.tf", "old text of b"),
    ("/tmp/x", ""),
];
/// The new texts of the first files.
const AFTER: [&str; 3] = ["new main", "new text of a", "new text of b"];
/// The text that another program saves while a run writes.
const SAVED: &str = "what somebody has saved";
/// The faults that are tried at each operation.
const FAULTS: [Fault; 4] = [Fault::Fail, Fault::KillBefore, Fault::KillWithin, Fault::KillAfter];

/// Returns disks on which files are written by different methods, each with a name and the number of files to write.
fn disks() -> Vec<(&'static str, Memory, usize)> {
    let plain = || Memory::with(&FILES);
    let linked = plain();
    linked.alias("/p/net/a.tf", "/p/net/other.tf");
    let closed = plain();
    closed.state().closed.insert("/p/net".into());
    let simple = plain();
    simple.state().has_exchange = false;
    let mounted = plain();
    mounted.state().mounted.insert("/p/net/b.tf".into());
    vec![
        ("one", plain(), 1),
        ("plain", plain(), 3),
        ("linked", linked, 3),
        ("closed", closed, 3),
        ("simple", simple, 3),
        ("mounted", mounted, 3),
    ]
}

/// Replaces the texts of the first `count` files in one operation.
fn write(memory: &Memory, run: &str, count: usize) -> Result<(), UndoneOperation> {
    let writer = FileWriter::new(memory.clone(), run);
    let changes: Vec<FileReplacement<'_>> = FILES
        .iter()
        .zip(AFTER)
        .take(count)
        .map(|((path, before), after)| FileReplacement {
            path: Path::new(path),
            before: before.as_bytes(),
            after: after.as_bytes(),
        })
        .collect();
    writer.replace_all(&changes)
}

/// Recovers from aborted runs in all folders.
fn recover(memory: &Memory, run: &str) {
    let writer = FileWriter::new(memory.clone(), run);
    for folder in ["/p/live", "/p/net", "/p"] {
        for one in writer.recover(Path::new(folder)) {
            assert_ne!(one.outcome, RecoveryOutcome::Foreign, "{one:?}");
        }
    }
}

/// Returns the present texts of the files that a run writes.
fn texts(memory: &Memory) -> Vec<String> {
    FILES[..3].iter().map(|(path, _)| memory.text(path)).collect()
}

/// Returns true if all files have their old texts or all have their new ones, apart from texts that another program has saved.
fn is_whole(texts: &[String], count: usize) -> bool {
    let all = |wanted: &dyn Fn(usize) -> &'static str| {
        texts.iter().take(count).enumerate().all(|(at, text)| text == SAVED || text == wanted(at))
    };
    all(&|at| FILES[at].1) || all(&|at| AFTER[at])
}

/// Returns the paths of all files that may exist after a run.
fn known() -> Vec<&'static str> {
    FILES.iter().map(|(path, _)| *path).chain(["/p/net/other.tf"]).collect()
}

/// Checks that the disk is in order after a run and the recovery that follows it.
fn judge(
    memory: &Memory,
    done: &Result<(), UndoneOperation>,
    count: usize,
    has_saved: bool,
    told: &str,
) {
    let now = texts(memory);
    let is_killed = memory.state().is_killed;
    if !is_killed {
        match done {
            Ok(()) => {
                for (at, text) in now.iter().take(count).enumerate() {
                    assert!(text == AFTER[at] || text == SAVED, "{told}: {now:?}");
                }
            }
            Err(undone) => {
                for ((path, before), text) in FILES.iter().zip(&now) {
                    let is_left = undone.left.iter().any(|left| left == Path::new(path));
                    assert!(
                        is_left || text == before || text == SAVED,
                        "{told}: {undone:?} {now:?}"
                    );
                }
            }
        }
    }
    let is_left = done.as_ref().is_err_and(|undone| !undone.left.is_empty());
    memory.next_run();
    recover(memory, "second");
    let then = texts(memory);
    // What was named as left may be another's work now; all else is whole.
    assert!(
        is_whole(&then, count) || is_left && !is_killed && then.contains(&SAVED.to_owned()),
        "{told}: {now:?} {then:?}"
    );
    memory.next_run();
    recover(memory, "third");
    let litter = memory.others(&known());
    assert!(litter.iter().all(|(_, text)| text == SAVED), "{told}: {litter:?}");
    let is_there = texts(memory).iter().any(|text| text == SAVED) || !litter.is_empty();
    assert!(!has_saved || is_there, "{told}: the save is lost: {now:?} {then:?}");
}

/// Returns the number of disk operations of a run without faults.
fn length(disk: &Memory, count: usize) -> u64 {
    let memory = disk.copy();
    write(&memory, "first", count).unwrap();
    let steps = memory.state().count;
    assert_eq!(memory.others(&known()), [], "litter");
    steps
}

/// Checks that after a fault at any disk operation the recovery leaves all old or all new texts.
#[test]
fn no_fault_leaves_a_half() {
    let mut points = 0;
    for (name, disk, count) in disks() {
        for at in 0..length(&disk, count) {
            for fault in FAULTS {
                for power in [None, Some(false), Some(true)] {
                    let memory = disk.copy();
                    memory.state().fault = Some((at, fault));
                    let done = write(&memory, "first", count);
                    if power.is_some() && !memory.state().is_killed {
                        continue;
                    }
                    power.into_iter().for_each(|names| memory.lose_power(names));
                    let told = format!("{name}, {fault:?} at {at}, power {power:?}");
                    judge(&memory, &done, count, false, &told);
                    points += 1;
                }
            }
        }
    }
    println!("{points} points");
    assert!(points > 3_000, "{points}");
}

/// Checks that a text that another program saves at any moment of a run is not lost.
#[test]
fn no_save_is_lost() {
    let mut points = 0;
    for (name, disk, count) in disks() {
        let length = length(&disk, count);
        for saved in 0..length {
            for (file, is_new) in [(0, true), (0, false), (2, true), (2, false)] {
                if file >= count {
                    continue;
                }
                let stride = usize::try_from(1 + length / 3).unwrap();
                let faults = (0..length)
                    .step_by(stride)
                    .flat_map(|at| FAULTS.map(|fault| Some((at, fault))));
                for fault in [None].into_iter().chain(faults) {
                    let memory = disk.copy();
                    memory.state().fault = fault;
                    memory.state().save = Some((saved, FILES[file].0.into(), SAVED.into(), is_new));
                    let done = write(&memory, "first", count);
                    let has_saved = memory.state().count > saved;
                    // Nobody can tell what is saved between the last look and a write in place.
                    if memory.state().overwrites.contains(&saved) {
                        continue;
                    }
                    let told = format!("{name}, {fault:?}, {file} saved at {saved}, new {is_new}");
                    judge(&memory, &done, count, has_saved, &told);
                    points += 1;
                }
            }
        }
    }
    println!("{points} points");
    assert!(points > 15_000, "{points}");
}

/// Checks that a recovery that is itself aborted at any operation can be completed by the next one.
#[test]
fn who_puts_right_may_be_ended_too() {
    let mut points = 0;
    for (name, disk, count) in disks() {
        let length = length(&disk, count);
        for at in (0..length).step_by(8) {
            let ended = disk.copy();
            ended.state().fault = Some((at, Fault::KillAfter));
            let _ = write(&ended, "first", count);
            ended.next_run();
            for second in 0.. {
                for fault in [Fault::Fail, Fault::KillWithin, Fault::KillAfter] {
                    let memory = ended.copy();
                    memory.state().fault = Some((second, fault));
                    recover(&memory, "second");
                    let done = Err(UndoneOperation {
                        trouble: groma_writer::WriteTrouble {
                            path: "/p".into(),
                            why: groma_writer::WriteObstacle::Changed,
                        },
                        left: Vec::new(),
                    });
                    memory.state().is_killed = true;
                    judge(
                        &memory,
                        &done,
                        count,
                        false,
                        &format!("{name}, {at}, then {fault:?} at {second}"),
                    );
                    points += 1;
                }
                let memory = ended.copy();
                recover(&memory, "second");
                if memory.state().count <= second {
                    break;
                }
            }
        }
    }
    println!("{points} points");
    assert!(points > 5_000, "{points}");
}
