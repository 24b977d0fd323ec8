//! Version constraints (`>= 1.2, < 2.0`, `~> 1.5.0`). A pre-release (`1.2.0-beta`) is lower than its version, and is in a range
//! only if the constraint names a pre-release of the same version.

use std::cmp::Ordering;

/// A version number of three parts with an optional pre-release, as version constraints compare it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReleaseVersion {
    /// The three numbers; missing ones are 0.
    segments: [u64; 3],
    /// The number of segments as written, which `~>` depends on.
    written: usize,
    /// The pre-release, such as `beta1`; empty for a release.
    before: String,
}

impl ReleaseVersion {
    /// Creates a version without a pre-release from its three numbers.
    pub fn new(major: u64, minor: u64, patch: u64) -> ReleaseVersion {
        ReleaseVersion { segments: [major, minor, patch], written: 3, before: String::new() }
    }

    /// Parses a version number such as `1.2.0-beta1`; `None` if the text is not one.
    pub fn read(text: &str) -> Option<ReleaseVersion> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let text = text.split_once('+').map_or(text, |(version, _)| version);
        let (numbers, before) = text.split_once('-').unwrap_or((text, ""));
        let mut segments = [0; 3];
        let mut written = 0;
        for part in numbers.split('.') {
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let number = part.parse().ok()?;
            if written < 3 {
                segments[written] = number;
            } else if number != 0 {
                return None;
            }
            written += 1;
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '~');
        if !before.chars().all(plain) {
            return None;
        }
        Some(ReleaseVersion { segments, written: written.min(3), before: before.to_owned() })
    }

    /// Returns true if a constraint with this version as its bound may allow `version` as far as pre-releases matter: a
    /// pre-release only if the bound is one of the same version, and a release unless the operator is `~>` and the bound a
    /// pre-release.
    fn bounds(&self, operator: ConstraintOperator, version: &ReleaseVersion) -> bool {
        match (self.before.is_empty(), version.before.is_empty()) {
            (true, true) => true,
            (true, false) => false,
            (false, true) => operator != ConstraintOperator::Near,
            (false, false) => self.segments == version.segments,
        }
    }

    /// Compares two versions; a pre-release is lower than its release.
    fn compare(&self, other: &ReleaseVersion) -> Ordering {
        self.segments.cmp(&other.segments).then_with(|| {
            match (self.before.is_empty(), other.before.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_before(&self.before, &other.before),
            }
        })
    }
}

impl PartialOrd for ReleaseVersion {
    fn partial_cmp(&self, other: &ReleaseVersion) -> Option<Ordering> {
        Some(self.compare(other))
    }
}

/// Compares two pre-releases, such as `beta1`, part by part.
fn compare_before(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(x), Some(y)) => match (x.parse::<u64>(), y.parse::<u64>()) {
                (Ok(x), Ok(y)) => x.cmp(&y),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => x.cmp(y),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// A comparison operator of a version constraint, such as `>=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ConstraintOperator {
    /// `=`
    Equal,
    /// `!=`
    Not,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `~>`
    Near,
}

/// Version constraints such as `>= 1.2, < 2.0`, all of which must hold.
#[derive(Clone, Debug)]
pub struct VersionConstraints(Vec<(ConstraintOperator, ReleaseVersion)>);

impl VersionConstraints {
    /// Parses version constraints separated by commas; the error is the text of the invalid one.
    pub fn parse(text: &str) -> Result<VersionConstraints, String> {
        let mut all = Vec::new();
        for part in text.split(',') {
            let part = part.trim();
            let split = part.find(|c: char| !"=!<>~".contains(c)).unwrap_or(part.len());
            let (operator, version) = part.split_at(split);
            let operator = match operator {
                "" | "=" => ConstraintOperator::Equal,
                "!=" => ConstraintOperator::Not,
                ">" => ConstraintOperator::Greater,
                ">=" => ConstraintOperator::GreaterOrEqual,
                "<" => ConstraintOperator::Less,
                "<=" => ConstraintOperator::LessOrEqual,
                "~>" => ConstraintOperator::Near,
                _ => return Err(part.to_owned()),
            };
            let release = ReleaseVersion::read(version.trim()).ok_or_else(|| part.to_owned())?;
            all.push((operator, release));
        }
        Ok(VersionConstraints(all))
    }

    /// Returns true if `version` satisfies every constraint.
    pub fn allow(&self, version: &ReleaseVersion) -> bool {
        self.0.iter().all(|(operator, wanted)| {
            let order = version.compare(wanted);
            let is_range = !matches!(operator, ConstraintOperator::Equal | ConstraintOperator::Not);
            if is_range && !wanted.bounds(*operator, version) {
                return false;
            }
            match operator {
                ConstraintOperator::Equal => order.is_eq(),
                ConstraintOperator::Not => order.is_ne(),
                ConstraintOperator::Greater => order.is_gt(),
                ConstraintOperator::GreaterOrEqual => order.is_ge(),
                ConstraintOperator::Less => order.is_lt(),
                ConstraintOperator::LessOrEqual => order.is_le(),
                ConstraintOperator::Near => {
                    let fixed = wanted.written.saturating_sub(1).max(1);
                    order.is_ge()
                        && (wanted.written == 1
                            || version.segments[..fixed] == wanted.segments[..fixed])
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if constraints, given as text, allow a version.
    fn allows(constraints: &str, version: &str) -> bool {
        VersionConstraints::parse(constraints)
            .unwrap()
            .allow(&ReleaseVersion::read(version).unwrap())
    }

    /// Checks which versions each constraint operator allows.
    #[test]
    fn operators() {
        assert!(allows(">= 1.2, < 2.0", "1.12.6"));
        assert!(!allows(">= 99.0", "1.12.6"));
        assert!(allows("~> 1.2", "1.12.6"));
        assert!(!allows("~> 1.2.0", "1.12.6"));
        assert!(allows("~> 1.12.0", "1.12.6"));
        assert!(allows("~> 1", "2.0.0"));
        assert!(allows("1.12.6", "1.12.6"));
        assert!(allows("!= 1.12.5", "1.12.6"));
        assert!(allows("> 1.12.6-beta1", "1.12.6"));
        assert!(allows("<1.13", "1.12.6"));
    }

    /// Checks which constraints allow a pre-release.
    #[test]
    fn pre_releases() {
        for outside in [">= 1.2", ">= 1.2.0-alpha", "< 2"] {
            assert!(!allows(outside, "1.3.0-beta1"), "{outside}");
        }
        for inside in ["1.3.0-beta1", ">= 1.3.0-alpha", "!= 1.2", "~> 1.3.0-alpha"] {
            assert!(allows(inside, "1.3.0-beta1"), "{inside}");
        }
        assert!(!allows("~> 1.3.0-alpha", "1.3.5"));
    }

    /// Checks that invalid constraints are errors.
    #[test]
    fn what_is_no_constraint() {
        for text in ["soon", "", ">= ", "=> 1", "1..2", "~> x", ">= 1.0,"] {
            assert!(VersionConstraints::parse(text).is_err(), "{text}");
        }
    }
}
