//! Loading of a directory that a workspace keeps: if its texts are unchanged, the module of the earlier reading is returned, and
//! otherwise only the changed parts are read.

use std::sync::Arc;

use groma_config::{BlockRow, ModuleFile, RawBlock, path};
use groma_syntax::{
    Diagnostics, FileId, FolderNumbers, FolderTexts, NumberedPart, PlaceNumbers, Source,
    TEXT_LIMIT, Tree,
};
use rustc_hash::FxHashSet;

use crate::amend::SoundModule;
use crate::declare::{DeclarationReader, Module};
use crate::load::{ModuleLoader, elsewhere, parse};
use crate::module_cache::{CachedFolder, FolderKey, sorted_by_name};
use crate::reuse::{CachedFile, FileReading, PartReading};

/// A file to read, the rows of the blocks that it may contain, and what messages call this kind of file, such as "a query
/// file".
pub(crate) type ChosenFile = (ModuleFile, &'static [BlockRow], &'static str);

/// An earlier reading of the same directory, from which unchanged blocks are reused: its module and the parts with diagnostics.
#[derive(Default)]
pub(crate) struct EarlierReading {
    pub(crate) module: Option<Arc<Module>>,
    pub(crate) sound: Option<SoundModule>,
    pub(crate) distrusted: FxHashSet<FileId>,
}

/// The text of a file in a directory, with its syntax tree if the file was parsed before the load.
struct ReadText {
    source: Arc<Source>,
    tree: Option<Arc<Tree>>,
}

/// The blocks of a directory's files, with the numbers of their parts and the cached files for the next reading.
#[derive(Default)]
struct FolderBlocks {
    /// The numbers of the texts.
    files: Vec<FileId>,
    parts: Vec<NumberedPart>,
    base: Vec<Arc<RawBlock>>,
    /// The files without diagnostics, in the order of the texts.
    cached: Vec<Option<Arc<CachedFile>>>,
    /// False if a budget has left out a file.
    is_whole: bool,
}

impl ModuleLoader<'_> {
    /// Loads the files `chosen` of a directory as a module, and keeps their blocks for the next load; `None`, without
    /// diagnostics, if a file is unreadable or there is no cache or no room in it.
    pub(crate) fn load_kept(
        &mut self,
        dir: &str,
        chosen: &[ChosenFile],
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Option<Arc<Module>> {
        let (edition, queries) = (self.edition, self.queries);
        let key = FolderKey { dir: dir.to_owned(), edition, queries };
        let kept = self.kept.as_deref()?;
        let readings: Vec<_> = kept.readings(&key, self.schemas).collect();
        let store = kept.store.clone();
        let read = self.texts(dir, chosen, &readings)?;
        let texts: Vec<Arc<Source>> = read.iter().map(|one| one.source.clone()).collect();
        if let Some(same) = readings.iter().find(|one| one.has_texts(&texts)).cloned() {
            self.add_folder(&same, out);
            let module = same.module.clone();
            self.kept.as_deref_mut()?.hold(key, same);
            return Some(module);
        }
        if !store.numbers.has_room() {
            return None;
        }
        let older = readings.into_iter().next();
        let mut numbers = store.take_numbers(&key);
        let mut found = Diagnostics::new();
        let blocks = self.read_files(
            read,
            chosen,
            (older.as_deref(), &mut numbers, &store.numbers),
            &mut found,
        );
        let FolderBlocks { files, parts, base, cached, is_whole } = blocks;
        let before = older.map(|older| EarlierReading {
            module: Some(older.module.clone()),
            sound: older.sound.clone(),
            distrusted: older.distrusted.clone(),
        });
        let late = std::mem::take(self.late);
        let (module, sound, distrusted) =
            self.declared(files, (base, Vec::new()), gatherer, before, &mut found);
        let late = std::mem::replace(self.late, late);
        let folder = Arc::new(CachedFolder {
            module: module.clone(),
            sound,
            by_name: sorted_by_name(&texts),
            texts: Arc::new(FolderTexts::new(texts, parts)),
            files: cached.into(),
            distrusted,
            found,
            late,
            schemas: self.schemas.clone(),
        });
        self.add_folder(&folder, out);
        // A reading that a budget has cut short must not be shared with other roots.
        if is_whole && self.constants.budget.ended().is_none() {
            self.kept.as_deref_mut()?.keep(key, folder, numbers);
        }
        Some(module)
    }

    /// Reads the blocks of the files `chosen`, whose texts are `read` in the same order, and takes unchanged blocks from the
    /// reading `older` of the folder; new parts take `numbers`, a reserve of the folder, and more from `given` once these
    /// are used up.
    fn read_files(
        &self,
        read: Vec<ReadText>,
        chosen: &[ChosenFile],
        (older, numbers, given): (Option<&CachedFolder>, &mut FolderNumbers, &PlaceNumbers),
        out: &mut Diagnostics,
    ) -> FolderBlocks {
        let budget = &self.constants.budget;
        let edition = self.edition;
        let mut all = FolderBlocks { is_whole: true, ..FolderBlocks::default() };
        for (at, (one, (file, rows, whose))) in read.into_iter().zip(chosen).enumerate() {
            let (text, shown) = (one.source.text(), one.source.name());
            let before = older.and_then(|older| Some((older, older.position(shown)?)));
            let known = before.and_then(|(older, at)| older.module.files.get(at).copied());
            let id = known.unwrap_or_else(|| numbers.text(given));
            all.files.push(id);
            all.parts.push(NumberedPart { number: id, text: at as u32, by: 0 });
            let is_override = file.is_override;
            let (in_own_file, whose) = (file.is_tofu, *whose);
            let reading = FileReading { edition, rows, in_own_file, is_override, whose, elsewhere };
            let mut reading = PartReading { reading, numbers, all: given };
            let before = before.and_then(|(older, at)| older.files.get(at)?.as_ref());
            let updated = before.and_then(|before| reading.updated(before, text, id));
            let kept = match updated {
                Some(kept) => {
                    all.base.extend(kept.blocks());
                    Some(kept)
                }
                None => {
                    let count = out.len();
                    let parsed = parse(budget, shown, file, (id, text, one.tree), out);
                    let Some(body) = parsed else {
                        all.is_whole = false;
                        all.cached.push(None);
                        continue;
                    };
                    let is_sound = out.len() == count;
                    let (blocks, kept) = reading.whole(text, &body, is_sound, out);
                    all.base.extend(blocks);
                    kept
                }
            };
            kept.iter().for_each(|kept| kept.add_parts(at as u32, &mut all.parts));
            all.cached.push(kept);
        }
        all
    }

    /// Adds the texts and diagnostics of a folder to those of the current load.
    fn add_folder(&mut self, folder: &CachedFolder, out: &mut Diagnostics) {
        self.sources.add_folder(folder.texts.clone());
        out.extend(folder.found.iter().cloned());
        self.late.extend(folder.late.iter().cloned());
    }

    /// Reads the texts of the files `chosen` in a directory, sharing those that earlier readings hold; `None` if one cannot be
    /// read or is not UTF-8.
    fn texts(
        &self,
        dir: &str,
        chosen: &[ChosenFile],
        readings: &[Arc<CachedFolder>],
    ) -> Option<Vec<ReadText>> {
        let mut texts = Vec::with_capacity(chosen.len());
        for (file, ..) in chosen {
            let shown = path::join(dir, &file.name);
            let bytes = self.host.read_within(&shown, TEXT_LIMIT as u64).ok()?;
            let known = readings.iter().find_map(|folder| {
                let source = folder.texts.texts().get(folder.position(&shown)?)?;
                (source.text().as_bytes() == bytes).then(|| source.clone())
            });
            texts.push(match known {
                Some(source) => ReadText { source, tree: None },
                None => {
                    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
                    let tree = self.parsed.take(&shown);
                    let tree = tree.filter(|tree| **tree.text() == *text);
                    let text =
                        tree.as_ref().map_or_else(|| text.into(), |tree| tree.text().clone());
                    ReadText { source: Arc::new(Source::new(shown, text)), tree }
                }
            });
        }
        Some(texts)
    }
}
