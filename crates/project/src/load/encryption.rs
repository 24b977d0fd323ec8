//! Validation of the root module's encryption settings. Nothing is encrypted here, and no key provider is contacted: only the
//! code is checked, and only the parts in use.

use groma_config::row::{block, optional, required};
use groma_config::{
    BlockRow, OpenContent, RawArgument, RawBlock, address_expression, did_you_mean,
};
use groma_module::declare::{DeclarationReader, Expression};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics, Expr, Place};
use groma_value::{Str, Value};

use super::setting;
use crate::codes;
use crate::evaluate::Evaluation;
use crate::tree::TreeModule;

/// The rows of the encryption methods that an `encryption` block can declare, with their arguments.
const METHODS: &[BlockRow] = &[
    block("aes_gcm", "Encrypts with AES-GCM.").arguments(&[optional("aad"), required("keys")]),
    block("external", "Has another program encrypt.").arguments(&[
        optional("decrypt_command"),
        optional("encrypt_command"),
        optional("keys"),
    ]),
    block("unencrypted", "Leaves all as it is."),
];
/// The rows of the key providers that an `encryption` block can declare, with their arguments.
const KEY_PROVIDERS: &[BlockRow] = &[
    block("aws_kms", "Keys of AWS KMS.").open(OpenContent::Arguments),
    block("azure_vault", "Keys of Azure Key Vault.").open(OpenContent::Arguments),
    block("external", "Keys that another program gives.").open(OpenContent::Arguments),
    block("gcp_kms", "Keys of Google Cloud KMS.").open(OpenContent::Arguments),
    block("openbao", "Keys of OpenBao.").open(OpenContent::Arguments),
    block("pbkdf2", "Keys made of a passphrase.").arguments(&[
        optional("chain"),
        optional("encrypted_metadata_alias"),
        optional("hash_function"),
        optional("iterations"),
        optional("key_length"),
        optional("passphrase"),
        optional("salt_length"),
    ]),
];

/// Minimum number of characters of an encryption passphrase.
const MIN_PASSPHRASE_LENGTH: usize = 16;

/// Validates the `encryption` block of the root module; arguments that are not constant are evaluated by the `evaluation` of the
/// modules.
pub(super) fn check(
    nodes: &[TreeModule],
    gatherer: &DeclarationReader<'_>,
    evaluation: &dyn Fn(&[TreeModule]) -> Evaluation,
    out: &mut Diagnostics,
) {
    let settings = nodes[0].module.settings.blocks.iter();
    let blocks: Vec<&RawBlock> = settings.flat_map(|raw| raw.blocks_of("encryption")).collect();
    let Some(first) = blocks.first() else { return };
    let declared: Vec<&RawBlock> = blocks.iter().flat_map(|block| &block.blocks).collect();
    if declared.iter().any(|one| &*one.kind == "method" && one.label(0) == "unencrypted") {
        let detail = "The method \"unencrypted\" leaves state or plans unencrypted. Keep it only during a migration.";
        out.push(Diagnostic::warning(&codes::NOT_ENCRYPTED, detail).at(first.header));
    }
    let mut checker = EncryptionChecker {
        nodes,
        gatherer,
        evaluation,
        declared: &declared,
        seen: Vec::new(),
        out,
    };
    for one in &declared {
        match &*one.kind {
            "state" | "plan" => checker.target(one),
            "remote_state_data_sources" => one.blocks.iter().for_each(|one| checker.target(one)),
            _ => {}
        }
    }
}

/// A validation of the `encryption` block of the root module, with the blocks checked so far.
struct EncryptionChecker<'c, 'g> {
    nodes: &'c [TreeModule],
    gatherer: &'c DeclarationReader<'g>,
    evaluation: &'c dyn Fn(&[TreeModule]) -> Evaluation,
    declared: &'c [&'c RawBlock],
    /// The methods and key providers checked so far.
    seen: Vec<Place>,
    out: &'c mut Diagnostics,
}

impl<'c> EncryptionChecker<'c, '_> {
    /// Reports an error in the encryption settings, with its code, message and source range.
    fn report(&mut self, code: &'static DiagnosticCode, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(code, detail).at(place));
    }

    /// Validates a block that selects an encryption method, such as `state` or `plan`, and its fallbacks.
    fn target(&mut self, target: &'c RawBlock) {
        let Some(argument) = target.argument("method") else {
            let detail = format!(
                "\"{}\" has no encryption method. Add method = method.TYPE.NAME.",
                &*target.kind
            );
            self.report(&codes::ENCRYPTION_METHOD, detail, target.edge);
            return;
        };
        let found = self.find("method", argument, &codes::ENCRYPTION_METHOD);
        let is_enforced = target.argument("enforced").is_some_and(|enforced| {
            let value = Expression::new(&enforced.expr, &self.gatherer.library).constant();
            matches!(value, Some(Value::Bool(true)))
        });
        if let Some(method) = found {
            if is_enforced && method.label(0) == "unencrypted" {
                let detail =
                    "Encryption is enforced here, but the method \"unencrypted\" does not encrypt.";
                self.report(&codes::NOT_ENCRYPTED, detail, argument.expr.place());
            }
            self.method(method);
        }
        for fallback in target.blocks_of("fallback") {
            self.target(fallback);
        }
    }

    /// Validates the block of an encryption method, and that of the key provider it refers to.
    fn method(&mut self, method: &'c RawBlock) {
        if !self.is_known(method, METHODS, &codes::ENCRYPTION_METHOD) {
            return;
        }
        if let Some(keys) = method.argument("keys")
            && let Some(provider) = self.find("key_provider", keys, &codes::ENCRYPTION_KEYS)
        {
            self.keys(provider);
        }
    }

    /// Validates the block of a key provider, and those of the key providers it refers to.
    fn keys(&mut self, provider: &'c RawBlock) {
        if !self.is_known(provider, KEY_PROVIDERS, &codes::ENCRYPTION_KEYS) {
            return;
        }
        if let Some(chain) = provider.argument("chain")
            && let Some(before) = self.find("key_provider", chain, &codes::ENCRYPTION_KEYS)
        {
            self.keys(before);
        }
        for argument in provider.arguments.iter().filter(|one| &*one.name != "chain") {
            let Some(value) = self.value(argument) else { continue };
            let Value::String(text) = value.bare() else { continue };
            let is_short = text.chars().count() < MIN_PASSPHRASE_LENGTH;
            if provider.label(0) == "pbkdf2" && &*argument.name == "passphrase" && is_short {
                let detail =
                    format!("A passphrase must have at least {MIN_PASSPHRASE_LENGTH} characters.");
                self.report(&codes::ENCRYPTION_PASSPHRASE, detail, argument.expr.place());
            }
        }
        let has = |name| provider.argument(name).is_some();
        if provider.label(0) == "pbkdf2" && !has("passphrase") && !has("chain") {
            let detail =
                "Keys are derived from a passphrase or from other keys: add passphrase or chain.";
            self.report(&codes::ENCRYPTION_PASSPHRASE, detail, provider.header);
        }
    }

    /// Returns the value of an argument of an `encryption` block; `None` if it is not known before evaluation, which is reported.
    fn value(&mut self, argument: &RawArgument) -> Option<Value> {
        setting::value(self.nodes, self.gatherer, self.evaluation, argument, self.out)
    }

    /// Returns true if a method or key provider exists and accepts its arguments; reports it otherwise.
    fn is_known(
        &mut self,
        block: &'c RawBlock,
        known: &[BlockRow],
        code: &'static DiagnosticCode,
    ) -> bool {
        if self.seen.contains(&block.header) {
            return false;
        }
        self.seen.push(block.header);
        let kind = block.label(0);
        let Some(row) = known.iter().find(|row| row.kind == kind) else {
            let names = known.iter().map(|row| row.kind);
            let hint = did_you_mean(kind, names.clone());
            let all: Vec<&str> = names.collect();
            let detail = format!(
                "There is no {} \"{kind}\"; the available ones are {}.{hint}",
                &*block.kind,
                all.join(", ")
            );
            self.report(code, detail, block.header);
            return false;
        };
        for argument in block.arguments.iter().filter(|_| row.open == OpenContent::Closed) {
            let name = &*argument.name;
            if row.arguments.iter().all(|row| row.name != name) {
                let hint = did_you_mean(name, row.arguments.iter().map(|row| row.name));
                let detail =
                    format!("{} \"{kind}\" has no argument \"{name}\".{hint}", &*block.kind);
                self.report(&codes::ENCRYPTION_ARGUMENT, detail, argument.name_place);
            }
        }
        let mut needed = row.arguments.iter().filter(|row| row.is_required);
        if let Some(row) = needed.find(|row| block.argument(row.name).is_none()) {
            let detail =
                format!("{} \"{kind}\" needs the argument \"{}\".", &*block.kind, row.name);
            self.report(&codes::ENCRYPTION_ARGUMENT, detail, block.header);
        }
        true
    }

    /// Returns the block of the type `kind` that an argument such as `method.aes_gcm.main` refers to; `None`, after a report with
    /// `code`, if there is none.
    fn find(
        &mut self,
        kind: &str,
        argument: &RawArgument,
        code: &'static DiagnosticCode,
    ) -> Option<&'c RawBlock> {
        let place = argument.expr.place();
        let named = address_expression(&argument.expr).and_then(|(names, _)| match &names {
            Expr::Native(native) => steps(native.view()),
            Expr::Json(_) => None,
        });
        let Some((ty, name)) =
            named.and_then(|[root, ty, name]| (*root == *kind).then_some((ty, name)))
        else {
            let detail =
                format!("A {kind} is referenced by its type and its name, as in {kind}.TYPE.NAME.");
            self.report(code, detail, place);
            return None;
        };
        let mut all = self.declared.iter().filter(|one| &*one.kind == kind);
        let found = all.find(|one| *one.label(0) == *ty && *one.label(1) == *name).copied();
        if found.is_none() {
            let detail = format!(
                "No {kind} \"{}\" \"{}\" is declared in the encryption block.",
                &*ty, &*name
            );
            self.report(code, detail, place);
        }
        found
    }
}

/// Returns the three names of a reference such as `method.aes_gcm.main`; `None` for other expressions.
fn steps(view: ExprView<'_>) -> Option<[Str; 3]> {
    let ExprCase::Attribute { object, name, .. } = view.case() else { return None };
    let ExprCase::Attribute { object, name: ty, .. } = object.case() else { return None };
    let ExprCase::Root(root) = object.case() else { return None };
    Some([Str::from(root), Str::from(ty), Str::from(name)])
}
