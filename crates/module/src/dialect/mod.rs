//! Rows of the blocks in a module's files, and the conventions in which programs differ. A new difference is a column here, not
//! a branch on a dialect's name, which `cargo xtask tidy` refuses.

pub mod construct;
mod mocks;
mod rows;
mod tests;

use groma_runtime::{Availability, Dialect, Edition, Semantics};

pub use mocks::{MOCK, MOCKED};
pub use rows::{MODULE, QUERY};
pub use tests::TEST;

/// The differences between editions in declarations and plans, as flags; differences in blocks and arguments are rows instead.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    /// A target of an override in a test file may have the key `[*]`, for every instance.
    pub override_wildcards: bool,
    /// A value that does not fit its variable is reported at the declaration, not at the value.
    pub mismatch_at_declaration: bool,
    /// Only the first failing validation of a variable is reported.
    pub first_validation_only: bool,
    /// If a failing rule's message cannot be evaluated, the value is reported, too.
    pub blames_without_message: bool,
    /// A sensitive root variable is sensitive in its own rules, too, whose messages then cannot show it.
    pub root_rules_see_sensitive: bool,
    /// A sensitive variable of a called module is sensitive in its own rules, too.
    pub child_rules_see_sensitive: bool,
    /// The relevant attributes in a plan end at attributes without a type of their own.
    pub grounds_end_at_dynamic: bool,
    /// Errors in the `for_each` of an unused resource are left to the plan.
    pub leaves_for_each_to_plan: bool,
    /// References to all instances of a module skip instances without outputs.
    pub silent_instances_vanish: bool,
    /// A check assumes that a root's callers pass the provider configurations that it expects.
    pub assumes_root_aliases: bool,
    /// A plan refuses such expected configurations even if nothing uses them.
    pub needs_root_aliases: bool,
    /// A provider function is called through a provider configuration, which counts as used.
    pub functions_use_configurations: bool,
    /// A check looks for ephemeral values only in whole outputs, a plan also in their parts.
    pub checks_ephemeral_wholes: bool,
    /// An output may declare itself ephemeral and have a value that is not.
    pub takes_plain_ephemeral_outputs: bool,
    /// A plain value returned by a sensitive output of a child module carries the mark.
    pub child_outputs_marked: bool,
    /// An object attribute that its type does not have causes a warning.
    pub warns_of_extra_attributes: bool,
    /// `required_version` counts only in files that no other program reads.
    pub version_in_own_files_only: bool,
    /// Module sources may be computed from variables and locals.
    pub computed_sources: bool,
    /// Module sources and versions may use values that are known early: constant variables, local values, pure functions.
    pub early_sources: bool,
    /// A check evaluates given values, too.
    pub check_reads_values: bool,
    /// A `count` that is too large is reported without a plan, too.
    pub large_counts_checked: bool,
    /// In the `count` of a resource, a reference to the resource itself has no instances.
    pub count_sees_itself_empty: bool,
    /// Conflicting repetition arguments are reported as one range from the first to the second, not at the second alone.
    pub joins_repetitions: bool,
    /// Deprecations contain advice.
    pub deprecations_advise: bool,
    /// The command of a provisioner must not be empty.
    pub nonempty_provisioners: bool,
    /// `prevent_destroy` may be computed from variables.
    pub computed_prevent_destroy: bool,
    /// `destroy` in a lifecycle must be constant; elsewhere a plan evaluates it.
    pub destroy_is_setting: bool,
    /// An object that the lifecycle does not destroy is forgotten when replaced; elsewhere only if it is tainted.
    pub forgets_replaced: bool,
    /// A state records objects that are not destroyed, and reasons say which setting forgets an object.
    pub records_forgetting: bool,
    /// A plan lists every object that is no longer managed; elsewhere not those being replaced or part of a full destroy.
    pub lists_all_forgotten: bool,
    /// If the input of a `terraform_data` becomes null, its output does at once.
    pub null_input_settles: bool,
    /// The type of a resource is known before anything is planned.
    pub types_unknown_objects: bool,
    /// Attributes that a resource's schema declares sensitive are so before anything is planned.
    pub hides_unknown_objects: bool,
    /// `replace_triggered_by` is evaluated before anything changes.
    pub checks_triggers_early: bool,
    /// Called modules may contain `import` blocks; their faults are reported by a plan.
    pub imports_below_root: bool,
    /// An import may have an identity instead of an id, and its expressions must not refer to the imported object.
    pub import_identity: bool,
    /// An import is validated only if its target is declared.
    pub reads_declared_imports: bool,
    /// Actions and lists exist, and references may start with their keywords.
    pub has_actions: bool,
    /// An action is evaluated for each resource that triggers it, and can refer to that as `caller`. A trigger is evaluated
    /// whenever the resource is planned, before the resource.
    pub has_callers: bool,
    /// Values of deprecated outputs and resource attributes carry a mark that warns where they are used, and a deprecated root
    /// variable warns at its declaration.
    pub deprecation_follows_values: bool,
    /// Deprecation marks end at the first expression that uses the value; outputs carry them only where values are evaluated,
    /// and resources only on their parts.
    pub deprecation_ends_at_use: bool,
    /// An empty set of dynamic type makes no instances.
    pub any_empty_set_repeats: bool,
    /// A `cloud` block in a called module is reported as useless, and a check validates backends.
    pub state_keepers_checked: bool,
    /// Attributes in `replace_triggered_by` are looked up once the resource changes.
    pub looks_for_trigger_attributes: bool,
    /// The namespace of a provider may contain underscores.
    pub underscored_namespaces: bool,
    /// A provider configuration may be declared repeatedly.
    pub repeated_providers: bool,
    /// A created object counts as changed for `replace_triggered_by`; elsewhere only existing ones do.
    pub created_triggers: bool,
    /// The configuration in a plan contains the types of variables, and which are required, ephemeral or deprecated.
    pub describes_variables: bool,
    /// The summary event of a plan counts forgotten objects.
    pub counts_forgotten: bool,
    /// The plan document does not say if the plan is applyable.
    pub omits_applyable: bool,
    /// Forgetting an object has no order relative to the other steps of a plan.
    pub forgets_at_once: bool,
    /// A destroy plan does not evaluate imports.
    pub destroying_skips_imports: bool,
    /// A refresh-only plan counts every change of an output; elsewhere only those that can be recorded.
    pub refresh_counts_all_outputs: bool,
    /// A state is refused if a resource has an invalid provider address; elsewhere that resource is skipped.
    pub state_providers_checked: bool,
    /// A module call moves implicitly between a single instance and the first of a count, as a resource does.
    pub modules_move_implicitly: bool,
    /// A `removed` block without `destroy` forgets the object; elsewhere it destroys it.
    pub removed_is_forgotten: bool,
    /// A check advises to set `destroy` explicitly in a `removed` block.
    pub advises_removals: bool,
    /// A `removed` block has at most one `lifecycle` block.
    pub single_removed_lifecycle: bool,
    /// A fault of an import or removal is reported at the block, not at the argument or nested block.
    pub blames_blocks: bool,
    /// A `moved` block may name ephemeral resources; elsewhere that is an error, as is an unreadable address.
    pub moves_keep_ephemeral: bool,
    /// A check looks up the targets of root imports, including those in called modules and with keys; elsewhere a plan does.
    pub import_targets_checked_early: bool,
    /// A check refuses an import id that depends on the imported object.
    pub refuses_own_import_id: bool,
    /// An import needs either an id or an identity; elsewhere the id is a required argument.
    pub import_needs_one_name: bool,
    /// Keys in the address of an import may be any expression; elsewhere only one of `each`.
    pub computed_import_keys: bool,
    /// An import with an empty id is ignored, and the object is created; elsewhere it is an error.
    pub empty_import_id_creates: bool,
    /// The id of an import can be neither sensitive nor ephemeral, because it is displayed and stored.
    pub import_ids_shown: bool,
    /// `for_each` of an import accepts a map, an object, a tuple or a set of strings, not sensitive; elsewhere any collection.
    pub strict_import_for_each: bool,
    /// Map values in the `for_each` of an import must be known only if they are used.
    pub import_maps_may_be_pending: bool,
    /// An import without a key needs an existing instance; elsewhere the number of instances may be unknown.
    pub unkeyed_imports_need_instances: bool,
    /// A plan refuses a second import of the same instance.
    pub refuses_repeated_imports: bool,
    /// Runs, providers, mocks and overrides of a test file may have duplicate names or targets.
    pub tests_may_repeat: bool,
    /// A provider version in a test file only causes a warning; elsewhere it is an error.
    pub tests_may_set_versions: bool,
    /// A data override may name a managed resource and vice versa.
    pub overrides_any_mode: bool,
    /// The setting that names the language edition.
    pub language: LanguageSetting,
    /// Root names of references to the current run.
    pub run_roots: &'static [&'static str],
    /// Type keywords that are valid as references, such as the type argument of `convert`.
    pub type_words: &'static [&'static str],
    /// The name of the program in version constraints.
    pub program: &'static str,
}

/// The setting by which a module states the edition of the language: block, argument and the only value it may have.
#[derive(Clone, Copy, Debug)]
pub struct LanguageSetting {
    /// The kind of block.
    pub block: &'static str,
    /// The argument in it.
    pub argument: &'static str,
    /// The only edition that exists.
    pub edition: &'static str,
}

impl LanguageSetting {
    /// Terraform's setting: `language = TF2021` in the `terraform` block.
    const TERRAFORM: LanguageSetting =
        LanguageSetting { block: "terraform", argument: "language", edition: "TF2021" };
    /// OpenTofu's setting: `edition = tofu2024` in the `language` block.
    const OPENTOFU: LanguageSetting =
        LanguageSetting { block: "language", argument: "edition", edition: "tofu2024" };
}

/// A minor version above all others, for what a program does not support at all.
const NEVER: u32 = u32::MAX;

/// Returns the editions from `1.minor` of OpenTofu and of Terraform on; 0 includes all editions of a program, `NEVER` none.
const fn since(opentofu: u32, terraform: u32) -> Availability {
    let none = Availability { opentofu: None, terraform: None, packer: None };
    let own = match opentofu {
        NEVER => none,
        0 => Availability { opentofu: Availability::ALL.opentofu, ..none },
        minor => none.opentofu_since(minor),
    };
    match terraform {
        NEVER => own,
        0 => Availability { terraform: Availability::ALL.terraform, ..own },
        minor => own.terraform_since(minor),
    }
}

impl Conventions {
    /// Returns the names of the arguments that a provisioner must not leave empty; none for a connection.
    pub fn nonempty_arguments_of(&self, provisioner: Option<&str>) -> &'static [&'static str] {
        match provisioner {
            Some("local-exec") if self.nonempty_provisioners => &["command"],
            Some("file") if self.nonempty_provisioners => &["destination"],
            _ => &[],
        }
    }

    /// Returns true if a provider's deprecation is reported where a value that depends on the deprecated attribute is used, not
    /// where a reference names the attribute.
    pub fn advises_by_values(&self) -> bool {
        self.deprecation_follows_values || self.deprecation_ends_at_use
    }

    /// Returns true if a sensitive value in the `error_message` of a variable's violated `validation` is reported as an
    /// error besides the violation; `declared` is true if the variable is declared sensitive, `is_root` if it belongs to the
    /// root module.
    pub fn refuses_sensitive_message(&self, declared: bool, is_root: bool) -> bool {
        !declared
            || match is_root {
                true => self.root_rules_see_sensitive,
                false => self.child_rules_see_sensitive,
            }
    }

    /// Returns the conventions that hold for an edition.
    pub fn of(edition: Edition) -> Conventions {
        let has = |opentofu, terraform| since(opentofu, terraform).includes(edition);
        Conventions {
            override_wildcards: has(13, NEVER),
            mismatch_at_declaration: has(0, NEVER),
            first_validation_only: has(0, NEVER),
            blames_without_message: has(0, NEVER),
            root_rules_see_sensitive: has(0, 15),
            child_rules_see_sensitive: has(0, NEVER),
            grounds_end_at_dynamic: has(NEVER, 15),
            leaves_for_each_to_plan: has(0, NEVER),
            silent_instances_vanish: has(0, NEVER),
            assumes_root_aliases: has(0, NEVER),
            needs_root_aliases: has(NEVER, 0),
            functions_use_configurations: has(0, NEVER),
            checks_ephemeral_wholes: has(0, NEVER),
            takes_plain_ephemeral_outputs: has(0, 15),
            child_outputs_marked: has(0, 15),
            warns_of_extra_attributes: has(11, NEVER),
            version_in_own_files_only: has(12, NEVER),
            computed_sources: has(0, NEVER)
                && construct::COMPUTED_SOURCE.editions.includes(edition),
            early_sources: has(NEVER, 0) && construct::COMPUTED_SOURCE.editions.includes(edition),
            check_reads_values: has(8, 15),
            deprecation_follows_values: has(NEVER, 15),
            deprecation_ends_at_use: has(0, NEVER),
            any_empty_set_repeats: has(NEVER, 0),
            state_keepers_checked: has(NEVER, 15),
            large_counts_checked: has(13, 0),
            count_sees_itself_empty: has(0, NEVER),
            joins_repetitions: has(0, NEVER),
            deprecations_advise: has(0, NEVER),
            nonempty_provisioners: has(0, NEVER),
            computed_prevent_destroy: construct::COMPUTED_PREVENT_DESTROY
                .editions
                .includes(edition),
            destroy_is_setting: has(NEVER, 16),
            forgets_replaced: has(0, NEVER),
            records_forgetting: has(0, NEVER),
            lists_all_forgotten: has(NEVER, 0),
            reads_declared_imports: has(0, NEVER),
            null_input_settles: has(NEVER, 16),
            imports_below_root: has(NEVER, 16),
            import_identity: has(NEVER, 12),
            has_actions: has(NEVER, 14),
            has_callers: has(NEVER, 16),
            types_unknown_objects: has(0, 15),
            hides_unknown_objects: has(0, NEVER),
            checks_triggers_early: has(0, NEVER),
            looks_for_trigger_attributes: has(NEVER, 15),
            underscored_namespaces: has(NEVER, 16),
            repeated_providers: has(9, NEVER),
            created_triggers: has(0, NEVER),
            describes_variables: has(0, NEVER),
            counts_forgotten: has(0, NEVER),
            omits_applyable: has(0, NEVER),
            forgets_at_once: has(0, NEVER),
            destroying_skips_imports: has(0, NEVER),
            refresh_counts_all_outputs: has(0, NEVER),
            state_providers_checked: has(0, NEVER),
            modules_move_implicitly: has(0, NEVER),
            removed_is_forgotten: has(0, NEVER),
            advises_removals: has(0, NEVER),
            single_removed_lifecycle: has(0, NEVER),
            blames_blocks: has(0, NEVER),
            moves_keep_ephemeral: has(NEVER, 0),
            import_targets_checked_early: has(NEVER, 0),
            refuses_own_import_id: has(NEVER, 0),
            import_needs_one_name: has(0, 12),
            computed_import_keys: has(0, NEVER),
            empty_import_id_creates: has(0, NEVER),
            import_ids_shown: has(0, NEVER),
            strict_import_for_each: has(0, NEVER),
            import_maps_may_be_pending: has(0, NEVER),
            unkeyed_imports_need_instances: has(0, NEVER),
            refuses_repeated_imports: has(0, NEVER),
            tests_may_repeat: has(0, NEVER),
            tests_may_set_versions: has(0, NEVER),
            overrides_any_mode: has(0, NEVER),
            language: match has(NEVER, 0) {
                true => LanguageSetting::TERRAFORM,
                false => LanguageSetting::OPENTOFU,
            },
            run_roots: if has(0, NEVER) { &["terraform", "tofu"] } else { &["terraform"] },
            type_words: match Semantics::TYPE_WORDS_REFER.includes(edition) {
                true => &["any", "bool", "number", "string"],
                false => &[],
            },
            program: match edition.dialect {
                Dialect::OpenTofu => "OpenTofu",
                Dialect::Terraform => "Terraform",
                Dialect::Packer => "Packer",
            },
        }
    }
}
