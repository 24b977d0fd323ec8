//! The target `compared` of `invariants`, for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| invariants::check("compared", input));
