//! Grapheme clusters by the rules of a fixed Unicode version.
