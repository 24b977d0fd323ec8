//! Reviews of several roots as one comment: it never has more than a comment may, and what is left out is counted.

use groma::review::{PlainText, Review, write_several};
use groma::{LoadOptions, MemoryHost, PlanOptions, Workspace};

/// What a comment may have.
const LONGEST: usize = 65_536;

/// The review of a root with so many resources, each of about so many bytes.
fn review(count: usize, size: usize) -> Review {
    let workspace = Workspace::new(MemoryHost::new());
    let mut text = String::new();
    for at in 0..count {
        let input = "x ".repeat(size / 2);
        text.push_str(&format!(
            "resource \"terraform_data\" \"r{at}\" {{\n  input = \"{input}\"\n}}\n"
        ));
    }
    workspace.set("app/main.tf", text);
    let plan = workspace.root("app", &LoadOptions::default()).plan(PlanOptions::default());
    Review::of(&plan)
}

fn comment(roots: Vec<(String, Review)>) -> String {
    let mut text = String::new();
    write_several(&roots, &[], &mut PlainText(&mut text)).expect("a text takes everything");
    assert!(text.len() < LONGEST, "{}", text.len());
    text
}

/// How many objects a comment shows, and how many it says are left out.
fn counted(text: &str) -> (usize, usize) {
    let cut = text.lines().filter(|line| line.starts_with("*Truncated")).map(|line| {
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<usize>().expect("a number")
    });
    (text.matches("<details>").count(), cut.sum())
}

#[test]
fn who_needs_little_has_it_and_the_others_share() {
    let roots = vec![
        ("a".to_owned(), review(300, 400)),
        ("b".to_owned(), review(2, 10)),
        ("c".to_owned(), review(300, 400)),
    ];
    let text = comment(roots);
    let parts: Vec<&str> = text.split("### ").skip(1).collect();
    let names: Vec<&str> = parts.iter().filter_map(|part| part.lines().next()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(counted(parts[1]), (2, 0));
    for part in [parts[0], parts[2]] {
        let (shown, cut) = counted(part);
        assert_eq!(shown + cut, 300);
        assert!(shown > 20, "{shown}");
        assert!(part.contains("**Plan: 300 to add, 0 to change, 0 to destroy.**"));
    }
    assert!(text.len() > 50_000, "the room is used: {}", text.len());
}

#[test]
fn roots_without_room_are_counted() {
    let text = comment((0..900).map(|at| (format!("live/{at}"), review(3, 10))).collect());
    let shown = text.matches("### ").count();
    assert!(shown > 100 && shown < 900, "{shown}");
    let last = text.lines().last().unwrap_or_default();
    let left = 900 - shown;
    let want = format!(
        "*Truncated to fit into a comment: {left} more roots, with {} to add, 0 to change, 0 to destroy.*",
        3 * left
    );
    assert_eq!(last, want);
}

#[test]
fn what_is_cut_has_a_command_that_shows_it() {
    let command = Some("groma plan live".to_owned());
    let shown = " <code>groma plan live</code> shows all of it.*";
    for whole in [review(300, 400), review(1, 40_000)] {
        let text = Review { command: command.clone(), ..whole }.markdown();
        assert!(text.lines().any(|line| line.starts_with('*') && line.ends_with(shown)), "{text}");
        assert!(text.chars().count() <= 60_000);
    }
}

#[test]
fn one_root_has_all_the_room() {
    let alone = review(300, 400);
    let text = comment(vec![("a".to_owned(), alone)]);
    let (shown, cut) = counted(&text);
    assert_eq!(shown + cut, 300);
    assert!(text.len() > 55_000, "{}", text.len());
}

#[test]
fn the_same_reviews_give_the_same_comment() {
    let roots = || vec![("a".to_owned(), review(90, 900)), ("b".to_owned(), review(90, 900))];
    assert_eq!(comment(roots()), comment(roots()));
}
