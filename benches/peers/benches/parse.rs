//! Parsing: our lossless tree beside `hcl-edit` and `tree-sitter-hcl`, on the same bytes.
//!
//! All three keep comments and blanks, so all three do the same job; dropping what was built counts too.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group};
use groma_syntax::{FileId, parse_file};
use peers::{Side, compare, corpus};

fn ours(files: &[Arc<str>]) {
    for text in files {
        black_box(parse_file(text, FileId(0)));
    }
}

fn hcl_edit(files: &[Arc<str>]) {
    for text in files {
        let _ = black_box(hcl_edit::parser::parse_body(text));
    }
}

fn tree_sitter_parser() -> tree_sitter::Parser {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_hcl::LANGUAGE.into()).expect("the grammar fits the library");
    parser
}

fn tree_sitter(parser: &mut tree_sitter::Parser, files: &[Arc<str>]) {
    for text in files {
        black_box(parser.parse(text.as_bytes(), None));
    }
}

/// What was refused, so that nobody is fast by giving up.
fn refused(files: &[Arc<str>]) {
    let mut parser = tree_sitter_parser();
    let broken = |refuses: &mut dyn FnMut(&Arc<str>) -> bool| {
        files.iter().filter(|text| refuses(text)).count()
    };
    println!(
        "files with errors of {}: ours {}, hcl-edit {}, tree-sitter {}",
        files.len(),
        broken(&mut |text| !parse_file(text, FileId(0)).diagnostics.is_empty()),
        broken(&mut |text| hcl_edit::parser::parse_body(text).is_err()),
        broken(&mut |text| parser
            .parse(text.as_bytes(), None)
            .is_none_or(|tree| tree.root_node().has_error())),
    );
}

fn parse(criterion: &mut Criterion) {
    let files = corpus::read();
    let bytes = corpus::size(&files);
    println!("{} files, {bytes} bytes", files.len());
    refused(&files);
    let mut parser = tree_sitter_parser();
    let rate = |time: Duration| format!("{:.1} MB/s", bytes as f64 / time.as_secs_f64() / 1e6);
    let sides = vec![
        Side::new("groma", || ours(&files)),
        Side::new("hcl-edit", || hcl_edit(&files)),
        Side::new("tree-sitter-hcl", || tree_sitter(&mut parser, &files)),
    ];
    compare("parse", sides, 7, rate);

    let mut parser = tree_sitter_parser();
    let mut group = criterion.benchmark_group("parse");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(10);
    group.bench_function("groma", |bench| bench.iter(|| ours(&files)));
    group.bench_function("hcl-edit", |bench| bench.iter(|| hcl_edit(&files)));
    group
        .bench_function("tree-sitter-hcl", |bench| bench.iter(|| tree_sitter(&mut parser, &files)));
    group.finish();
}

criterion_group!(benches, parse);

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
