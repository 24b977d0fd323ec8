//! Missing modules that several roots of one report need. Documents for programs report them for each root; text for people
//! reports each once, at the first root, with the number of affected objects in all of them.

use std::borrow::Cow;

use groma::RootFindings;
use groma_project::AbsentSource;
use groma_syntax::Diagnostic;
use rustc_hash::FxHashMap;

use crate::gather::Report;

/// Maximum number of roots beside its own that a diagnostic about a missing source names; the others are only counted.
const MAX_NAMED: usize = 5;

/// A module source that is missing: the roots that call it, and the number of objects in all of them that its absence affects.
#[derive(Default)]
struct MissingSource<'r> {
    objects: usize,
    roots: Vec<(&'r RootFindings, &'r AbsentSource)>,
    is_reported: bool,
}

impl Report {
    /// Returns each root with the diagnostics to print for people: a module source that several roots lack is reported by the
    /// first of them alone.
    pub fn shown_diagnostics(&self) -> Vec<(&RootFindings, Vec<Cow<'_, Diagnostic>>)> {
        let mut sources: FxHashMap<&str, MissingSource<'_>> = FxHashMap::default();
        for root in self.roots().map(|(root, _)| root) {
            for absent in &root.absent {
                let missing = sources.entry(&*absent.source).or_default();
                missing.objects += absent.dependents;
                missing.roots.push((root, absent));
            }
        }
        let mut all = Vec::new();
        for (root, found) in self.roots() {
            let mut shown = Vec::with_capacity(found.len());
            for one in found {
                let about = root
                    .absent_source(one)
                    .and_then(|absent| Some((absent, sources.get_mut(&*absent.source)?)));
                match about {
                    Some((_, missing)) if missing.is_reported => {}
                    Some((absent, missing)) if missing.roots.len() > 1 => {
                        missing.is_reported = true;
                        shown.push(Cow::Owned(self.of_all_roots(root, one, absent, missing)));
                    }
                    _ => shown.push(Cow::Borrowed(one)),
                }
            }
            all.push((root, shown));
        }
        all
    }

    /// Returns the root's diagnostic about a missing module source, with the numbers of `missing` in place of the sentence of
    /// `absent`: how many roots call the source, and how many objects in all of them depend on it.
    fn of_all_roots(
        &self,
        root: &RootFindings,
        one: &Diagnostic,
        absent: &AbsentSource,
        missing: &MissingSource<'_>,
    ) -> Diagnostic {
        let mut whole = one.clone();
        if let Some(alone) = whole.detail.strip_suffix(&absent.sentence()) {
            whole.detail.truncate(alone.len());
        }
        let roots = missing.roots.len();
        whole.detail.push_str(&match missing.objects {
            0 => format!(" {roots} roots call it."),
            1 => format!(" {roots} roots call it, and one object depends on its outputs."),
            count => format!(" {roots} roots call it, and {count} objects depend on its outputs."),
        });
        let first = |root: &RootFindings, absent: &AbsentSource| {
            let (source, place) = root.sources.at(*absent.calls.first()?);
            let name = self.file(source.name())?;
            Some(format!("{name}:{}", source.position(place.span.start).line))
        };
        // Several roots may call it from a module that they share.
        let mut places: Vec<String> =
            missing.roots.iter().filter_map(|(root, absent)| first(root, absent)).collect();
        places.sort();
        places.dedup();
        places.retain(|place| Some(place) != first(root, absent).as_ref());
        if places.is_empty() {
            return whole;
        }
        let more = places.len().saturating_sub(MAX_NAMED);
        places.truncate(MAX_NAMED);
        let mut text = format!("Other roots call it in {}", places.join(", "));
        if more > 0 {
            text.push_str(&format!(" and in {more} more"));
        }
        text.push('.');
        whole.note(text)
    }
}
