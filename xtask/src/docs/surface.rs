//! Generation of the list of the library's public items, `docs/reference/surface.txt`, so that changes of it appear in reviews.
//! Items re-exported from other crates are listed with their signatures; a crate re-exported as a whole is one line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use quote::ToTokens;
use syn::{
    Attribute, Expr, Fields, ImplItem, Item, ItemUse, Lit, Meta, TraitItem, UseTree, Visibility,
};
use testkit::workspace;

use super::made::Made;

/// The path of the generated list of the library's public items.
const LIST: &str = "docs/reference/surface.txt";

/// The crate whose public items are listed.
const LIBRARY: &str = "groma";

/// The public items of a crate, by name, and the methods of its types, by the type's name.
#[derive(Default)]
struct CrateItems {
    items: BTreeMap<String, DeclaredItem>,
    methods: BTreeMap<String, BTreeSet<String>>,
}

/// A public item: its signature, and its fields or variants.
struct DeclaredItem {
    signature: String,
    parts: Vec<String>,
    is_documented: bool,
}

/// Generates the list of the library's public items, or returns an error if one of them is not documented.
pub(super) fn made() -> Result<Made, String> {
    let mut crates: BTreeMap<String, CrateItems> = BTreeMap::new();
    let own = workspace().join("crates").join(LIBRARY).join("src");
    let mut shown = BTreeMap::new();
    exports(&own.join("lib.rs"), &own, LIBRARY, &mut shown)?;
    let mut text =
        String::from("The public face of the crate `groma`, as `cargo xtask docs` lists it.\n\n");
    for (path, (home, name)) in &shown {
        let folder = home.strip_prefix("groma_").unwrap_or(home);
        if !crates.contains_key(home) {
            let folder = workspace().join("crates").join(folder).join("src");
            let mut read = CrateItems::default();
            read_folder(&folder, &mut read)?;
            crates.insert(home.clone(), read);
        }
        let Some(read) = crates.get(home) else { continue };
        let Some(name) = name else {
            text.push_str(&format!("{path} = crate {home}\n"));
            continue;
        };
        let Some(item) = read.items.get(name) else {
            // A module that is re-exported as a whole.
            text.push_str(&format!("{path} = {home}::{name}\n"));
            continue;
        };
        if !item.is_documented {
            return Err(format!("{path} is shown by the library and not documented"));
        }
        text.push_str(&format!("{path}: {}\n", item.signature));
        let mut parts: Vec<&String> = item.parts.iter().collect();
        let methods = [home.as_str(), LIBRARY]
            .into_iter()
            .filter_map(|home| crates.get(home).and_then(|read| read.methods.get(name)));
        let methods: BTreeSet<&String> = methods.flatten().collect();
        parts.extend(methods);
        parts.iter().for_each(|part| text.push_str(&format!("    {part}\n")));
    }
    Ok((LIST, text))
}

/// The exported items by path: the declaring crate, and the name in it; `None` for the crate itself.
type Shown = BTreeMap<String, (String, Option<String>)>;

/// Adds the items that a file of the library exports to `shown`, by their paths, which begin with `path`.
fn exports(file: &Path, folder: &Path, path: &str, shown: &mut Shown) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|why| format!("{}: {why}", file.display()))?;
    exported(&parsed.items, folder, path, shown)
}

/// Adds the items that some parsed items export to `shown`, by their paths, which begin with `path`.
fn exported(items: &[Item], folder: &Path, path: &str, shown: &mut Shown) -> Result<(), String> {
    for item in items {
        match item {
            Item::Use(one) if is_public(&one.vis) => re_exported(one, path, shown),
            Item::Mod(one) if is_public(&one.vis) => {
                let inner = format!("{path}::{}", one.ident);
                if let Some((_, items)) = &one.content {
                    exported(items, folder, &inner, shown)?;
                    continue;
                }
                let flat = folder.join(format!("{}.rs", one.ident));
                let below = folder.join(one.ident.to_string());
                let file = if flat.exists() { flat } else { below.join("mod.rs") };
                exports(&file, &below, &inner, shown)?;
            }
            other => {
                let Some((name, vis)) = named(other) else { continue };
                if is_public(vis) {
                    let home = (LIBRARY.to_owned(), Some(name.clone()));
                    shown.insert(format!("{path}::{name}"), home);
                }
            }
        }
    }
    Ok(())
}

/// Adds the items that a `pub use` re-exports to `shown`, by their paths.
fn re_exported(one: &ItemUse, path: &str, shown: &mut Shown) {
    let mut leaves = Vec::new();
    leaves_of(&one.tree, &mut Vec::new(), &mut leaves);
    for (from, called) in leaves {
        let Some((first, rest)) = from.split_first() else { continue };
        let home = match first.starts_with("groma_") {
            true => first.clone(),
            false => LIBRARY.to_owned(),
        };
        let name = match (rest.last(), home == LIBRARY) {
            (None, false) => None,
            (Some(last), _) if last == "self" => None,
            (last, _) => last.cloned().or(Some(first.clone())),
        };
        shown.insert(format!("{path}::{called}"), (home, name));
    }
}

/// Collects the paths in a `use` declaration, each with the name that it introduces.
fn leaves_of(tree: &UseTree, before: &mut Vec<String>, out: &mut Vec<(Vec<String>, String)>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            leaves_of(&path.tree, before, out);
            before.pop();
        }
        UseTree::Name(name) => {
            let mut whole = before.clone();
            whole.push(name.ident.to_string());
            out.push((whole, name.ident.to_string()));
        }
        UseTree::Rename(name) => {
            let mut whole = before.clone();
            whole.push(name.ident.to_string());
            out.push((whole, name.rename.to_string()));
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|inner| leaves_of(inner, before, out));
        }
        UseTree::Glob(_) => out.push((before.clone(), "*".to_owned())),
    }
}

/// Returns true if a visibility is `pub` without restriction.
fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

/// Adds the public items of all files in and below a directory to `read`.
fn read_folder(folder: &Path, read: &mut CrateItems) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_folder(&path, read)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text =
                fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            if let Ok(parsed) = syn::parse_file(&text) {
                read_items(&parsed.items, read);
            }
        }
    }
    Ok(())
}

/// Adds the public items and methods among parsed items to `read`.
fn read_items(items: &[Item], read: &mut CrateItems) {
    for item in items {
        if let Item::Impl(one) = item {
            if one.trait_.is_some() {
                continue;
            }
            let syn::Type::Path(own) = &*one.self_ty else { continue };
            let Some(own) = own.path.segments.last() else { continue };
            let methods = read.methods.entry(own.ident.to_string()).or_default();
            for inner in &one.items {
                match inner {
                    ImplItem::Fn(method) if is_public(&method.vis) => {
                        methods.insert(written(&method.sig));
                    }
                    ImplItem::Const(one) if is_public(&one.vis) => {
                        methods.insert(format!("const {}: {}", one.ident, written(&one.ty)));
                    }
                    _ => {}
                }
            }
            continue;
        }
        if let Item::Mod(inner) = item
            && let Some((_, items)) = &inner.content
            && inner.ident != "tests"
        {
            read_items(items, read);
        }
        let Some((name, vis)) = named(item) else { continue };
        if is_public(vis) {
            read.items.entry(name).or_insert_with(|| declared(item));
        }
    }
}

/// Returns the name and the visibility of an item; `None` for items that cannot be exported.
fn named(item: &Item) -> Option<(String, &Visibility)> {
    Some(match item {
        Item::Const(one) => (one.ident.to_string(), &one.vis),
        Item::Enum(one) => (one.ident.to_string(), &one.vis),
        Item::Fn(one) => (one.sig.ident.to_string(), &one.vis),
        Item::Static(one) => (one.ident.to_string(), &one.vis),
        Item::Struct(one) => (one.ident.to_string(), &one.vis),
        Item::Trait(one) => (one.ident.to_string(), &one.vis),
        Item::Type(one) => (one.ident.to_string(), &one.vis),
        _ => return None,
    })
}

/// Returns the signature of an item and its public fields or variants.
fn declared(item: &Item) -> DeclaredItem {
    let mut parts = Vec::new();
    let (attributes, signature) = match item {
        Item::Const(one) => (&one.attrs, format!("const {}: {}", one.ident, written(&one.ty))),
        Item::Static(one) => (&one.attrs, format!("static {}: {}", one.ident, written(&one.ty))),
        Item::Enum(one) => {
            let variant = |one: &syn::Variant| format!("{}{}", one.ident, written(&one.fields));
            parts.extend(one.variants.iter().map(variant));
            (&one.attrs, format!("enum {}{}", one.ident, written(&one.generics)))
        }
        Item::Fn(one) => (&one.attrs, written(&one.sig)),
        Item::Struct(one) => {
            if let Fields::Named(fields) = &one.fields {
                let shown = fields.named.iter().filter(|field| is_public(&field.vis));
                parts.extend(shown.filter_map(|field| {
                    Some(format!("{}: {}", field.ident.as_ref()?, written(&field.ty)))
                }));
            }
            (&one.attrs, format!("struct {}{}", one.ident, written(&one.generics)))
        }
        Item::Trait(one) => {
            parts.extend(one.items.iter().filter_map(|inner| match inner {
                TraitItem::Fn(method) => Some(written(&method.sig)),
                TraitItem::Type(ty) => Some(format!("type {}", ty.ident)),
                _ => None,
            }));
            (&one.attrs, format!("trait {}{}", one.ident, written(&one.generics)))
        }
        Item::Type(one) => (&one.attrs, format!("type {} = {}", one.ident, written(&one.ty))),
        _ => unreachable!("only what has a name is declared"),
    };
    DeclaredItem { signature, parts, is_documented: attributes.iter().any(is_doc) }
}

/// Returns true if an attribute is a documentation comment with text.
fn is_doc(attribute: &Attribute) -> bool {
    let Meta::NameValue(meta) = &attribute.meta else { return false };
    let Expr::Lit(value) = &meta.value else { return false };
    let Lit::Str(text) = &value.lit else { return false };
    meta.path.is_ident("doc") && !text.value().trim().is_empty()
}

/// Formats a piece of Rust code on one line with the usual spacing.
fn written(code: &impl ToTokens) -> String {
    let mut text = code.to_token_stream().to_string();
    let tight = [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" > ", "> "),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" : ", ": "),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        (",)", ")"),
        (", }", " }"),
        (", >", ">"),
        ("' ", "'"),
        ("- >", "->"),
        (" ->", " ->"),
        ("->", " -> "),
        ("  ", " "),
        ("fn(", "fn ("),
        ("dyn(", "dyn ("),
    ];
    for (loose, close) in tight {
        text = text.replace(loose, close);
    }
    text.trim().to_owned()
}
