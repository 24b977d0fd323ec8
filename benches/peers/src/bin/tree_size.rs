//! How many bytes our trees take for each byte of source, while all of them live.
//!
//! A program of its own: an allocator that counts would slow the sides of the parse benchmark unequally.

use groma_syntax::{FileId, parse_file};
use peers::corpus;

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

fn main() {
    let files = corpus::read();
    let bytes = corpus::size(&files);
    let before = MEMORY.current_usage();
    let trees: Vec<_> = files.iter().map(|text| parse_file(text, FileId(0))).collect();
    let taken = MEMORY.current_usage() - before;
    println!(
        "{} files, {bytes} bytes, {} diagnostics: {:.2} bytes of tree for each byte of source",
        files.len(),
        trees.iter().map(|parse| parse.diagnostics.len()).sum::<usize>(),
        taken as f64 / bytes as f64
    );
}
