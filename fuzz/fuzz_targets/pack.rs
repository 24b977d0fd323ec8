//! The target `pack` of `invariants`, for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::check("pack", input));
