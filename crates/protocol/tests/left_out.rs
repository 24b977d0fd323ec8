//! What a build without the libraries of a few functions says: an error that nothing catches, since any other answer would
//! be a wrong one. In a whole build there is nothing to test.
#![cfg(not(feature = "whole"))]
#![allow(clippy::unwrap_used)]

use groma_protocol::{BatchOptions, EvaluationBatch};
use testkit::Json;

/// Returns the answer line for an expression.
fn found(expression: &str) -> String {
    let batch = EvaluationBatch::new(BatchOptions { seed: Some(1), ..BatchOptions::default() });
    let question = Json::Object([("expr".to_owned(), Json::Text(expression.to_owned()))].into());
    batch.answer(&question.to_string())
}

#[test]
fn what_is_left_out_is_an_error_that_nothing_catches() {
    for (call, feature) in [
        ("base64gzip(\"a\")", "gzip"),
        ("base64gunzip(\"H4sIAAAAAAAA/0oEAAAA//8=\")", "gzip"),
        ("bcrypt(\"a\", 4)", "bcrypt"),
        ("textencodebase64(\"a\", \"Shift_JIS\")", "charsets"),
        ("textdecodebase64(\"YQ==\", \"hz-gb-2312\")", "charsets"),
    ] {
        for expression in [call.to_owned(), format!("try({call}, 1)"), format!("can({call})")] {
            let answer = found(&expression);
            assert!(answer.contains("Function is not part of this build"), "{answer}");
            assert!(answer.contains(&format!("does not include \\\"{feature}\\\"")), "{answer}");
        }
    }
}

#[test]
fn the_rest_answers() {
    for (call, value) in [
        ("textencodebase64(\"a\", \"UTF-16LE\")", "YQA="),
        ("textencodebase64(\"ä\", \"ISO-8859-1\")", "5A=="),
        ("sha256(\"a\")", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
    ] {
        assert!(found(call).contains(value), "{call}");
    }
}
