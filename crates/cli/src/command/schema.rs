//! `groma schema pack`: packs provider schemas into one file, from which each schema can be read without the others.

use std::collections::BTreeMap;

use groma::disk::DiskHost;
use groma::{
    Host,
    folders::ReleaseVersion,
    schemas::{LOCK_FILE, ProviderSchemas, locked_versions},
};

use super::row::CommandRow;
use crate::files;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, set};
use crate::session::{EarlyStop, ExitStatus, RunSession};

/// The command `groma schema`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "schema",
    about: "Pack provider schemas into one file for --schema",
    operand: Some((
        "pack FILE...",
        "Files printed by `providers schema -json`, plain or compressed with xz, or other packs",
    )),
    flags: &[OWN, &[flag::UNTRUSTED]],
    more: "`groma schema pack FILE...` writes all schemas to one pack; if a provider occurs twice, the last one \
           wins. Give the pack to --schema or name it in groma.toml. The files do not record the versions of \
           providers: those come from the lock file beside them or from flags. If code requires another version, its \
           schema is not used. A pack is complete, and only the parts that are needed are read.\n\n\
           Exit codes: 0 success, 2 wrong use, or a file cannot be read or written.",
    run,
};

/// The default path of the file that packed provider schemas are written to.
const DEFAULT_PACK: &str = "providers.schemas";

/// Flags that only `groma schema` has.
const OWN: &[FlagRow] = &[
    FlagRow {
        name: "out",
        takes: FlagValue::Value("FILE"),
        about: "Write the pack to FILE (default: providers.schemas)",
        read: |args, text| set(&mut args.out, text.to_owned()),
    },
    FlagRow {
        name: "provider-version",
        takes: FlagValue::Value("SOURCE=VERSION"),
        about: "Record VERSION as the version of a provider's schemas, whatever the lock file says (may repeat)",
        read: |args, text| match text.split_once('=') {
            Some((source, version)) if !source.is_empty() && is_version(version) => {
                args.provider_versions.push((source.to_owned(), version.to_owned()));
                Ok(())
            }
            _ => Err(format!(
                "-provider-version=\"{text}\" is not a provider and its version, as in hashicorp/aws=5.100.0."
            )),
        },
    },
    FlagRow {
        name: "lock-file",
        takes: FlagValue::Value("FILE"),
        about: "Read the versions of providers from FILE (default: .terraform.lock.hcl beside each file, if present)",
        read: |args, text| set(&mut args.lock, text.to_owned()),
    },
    FlagRow {
        name: "date",
        takes: FlagValue::Value("DATE"),
        about: "Record the date of the schemas, as in 2026-11-23",
        read: |args, text| match is_date(text) {
            true => set(&mut args.date, text.to_owned()),
            false => Err(format!("-date=\"{text}\" is not a date, as in 2026-11-23.")),
        },
    },
];

/// Returns true if a text is a released version, such as `5.100.0`.
fn is_version(text: &str) -> bool {
    ReleaseVersion::read(text).is_some()
}

/// Returns the path of the dependency lock file, `.terraform.lock.hcl`, in the folder of a schema file.
fn lock_file_for(file: &str) -> String {
    match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{LOCK_FILE}"),
        None => LOCK_FILE.to_owned(),
    }
}

/// Returns true if a text has the form of a date: `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [4, 2, 2] && parts.iter().all(is_number)
}

/// Returns the versions to record for the schemas in `file`, by provider address, from the lock file and the flags. Locked
/// providers without a schema in the file are left out.
fn versions(
    args: &CommandArgs,
    file: &str,
    schemas: &ProviderSchemas,
    host: &DiskHost,
) -> Result<BTreeMap<String, String>, EarlyStop> {
    let lock = args.lock.clone().unwrap_or_else(|| lock_file_for(file));
    let has = |source: &str| schemas.providers().iter().any(|(address, _)| *address == source);
    let mut found = BTreeMap::new();
    match host.read(&lock) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            // A pack has versions of its own, and the lock file in its folder may be newer.
            let counts = |source: &str| args.lock.is_some() || schemas.version_of(source).is_none();
            let locked = locked_versions(&text).into_iter();
            found.extend(locked.filter(|(source, _)| has(source) && counts(source)));
        }
        Err(why) if args.lock.is_some() => {
            return Err(EarlyStop::Misuse(format!("{lock}: the file cannot be read: {why}.")));
        }
        Err(_) => {}
    }
    for (source, version) in &args.provider_versions {
        if let Some(address) = schemas.address_of(source) {
            found.insert(address.to_owned(), version.clone());
        }
    }
    Ok(found)
}

/// Packs the named schema files into one file and prints what it contains.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let mut operands = args.operands.iter().map(String::as_str);
    match operands.next() {
        Some("pack") => {}
        Some(other) => {
            return Err(EarlyStop::Misuse(format!(
                "unknown subcommand \"{other}\": the only one is `groma schema pack FILE...`"
            )));
        }
        None => {
            return Err(EarlyStop::Misuse(
                "a subcommand is needed: groma schema pack FILE...".to_owned(),
            ));
        }
    }
    let files: Vec<&str> = operands.collect();
    if files.is_empty() {
        return Err(EarlyStop::Misuse(
            "no files to pack: give the output of `terraform providers schema -json` or `tofu providers schema -json`."
                .to_owned(),
        ));
    }
    let machine = &session.machine;
    // Only files that the user names can be read.
    let root = machine.root(".", Some(".")).map_err(EarlyStop::Misuse)?;
    let beside: Vec<String> = files.iter().map(|file| lock_file_for(file)).collect();
    let named = files.iter().copied().chain(beside.iter().map(String::as_str));
    let host = machine.host(root, Vec::new(), named.chain(args.lock.as_deref()));
    let read = |file: &&str| {
        let wrong = |why| EarlyStop::Misuse(format!("{file}: {why}."));
        let schemas = ProviderSchemas::load(&host, file).map_err(wrong)?;
        let versions = versions(args, file, &schemas, &host)?;
        schemas.with_versions(&versions, args.date.as_deref()).map_err(wrong)
    };
    let all = files.iter().map(read).collect::<Result<Vec<ProviderSchemas>, EarlyStop>>()?;
    let unheard = args
        .provider_versions
        .iter()
        .find(|(one, _)| all.iter().all(|list| list.address_of(one).is_none()));
    if let Some((source, _)) = unheard {
        return Err(EarlyStop::Misuse(format!(
            "-provider-version names {source}, but no file contains its schemas."
        )));
    }
    let wrong = |why| EarlyStop::Misuse(format!("the schemas cannot be packed: {why}."));
    let pack = ProviderSchemas::pack(&all).map_err(wrong)?;
    let packed = ProviderSchemas::of(pack.clone()).map_err(wrong)?;
    let has_version = |address: &str| packed.version_of(address).is_some();
    if args.date.is_some() && !packed.providers().iter().any(|(address, _)| has_version(address)) {
        return Err(EarlyStop::Misuse(
            "-date is the date of the versions, but no version is known: add -lock-file or -provider-version."
                .to_owned(),
        ));
    }
    let out = args.out.as_deref().unwrap_or(DEFAULT_PACK);
    let bounds = machine.bounds(".", Some(".")).map_err(EarlyStop::Misuse)?;
    files::write(machine.path(out), out.to_owned(), &pack, true, bounds.as_deref())
        .map_err(|(shown, why)| EarlyStop::Misuse(format!("{shown}: {why}")))?;
    for (address, count) in packed.providers() {
        let what = if count == 1 { "schema" } else { "schemas" };
        let version = packed.version_of(address).map(|(_, one)| match &one.date {
            Some(date) => format!(" {} of {date}", one.version),
            None => format!(" {}", one.version),
        });
        writeln!(session.out, "{address}{}: {count} {what}", version.unwrap_or_default())?;
    }
    writeln!(session.out, "{out}: {} bytes", pack.len())?;
    Ok(ExitStatus::SUCCESS)
}
