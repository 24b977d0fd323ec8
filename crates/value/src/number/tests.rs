//! Recorded answers of arithmetic, reading and printing. The texts are exact: a digit more is a wrong answer.

use super::*;

fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn basic() {
    assert_eq!(number("0.1").add(&number("0.2")).unwrap().to_text(), "0.3");
}
