//! Rows of what a module's files may hold, and the conventions in which the programs differ. New differences are columns
//! here, not branches on a dialect's name, which `cargo xtask tidy` refuses.

pub mod construct;
mod mocks;
mod rows;
mod tests;

use groma_runtime::{Availability, Dialect, Edition, Semantics};

pub use mocks::{MOCK, MOCKED};
pub use rows::{MODULE, QUERY};
pub use tests::TEST;

/// In what the programs differ about declarations beyond their rows, as plain data.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    /// A target of an override in a test file may have the key `[*]`, for every instance.
    pub override_wildcards: bool,
    /// A value that does not fit its variable is reported at the declaration, not at the value.
    pub mismatch_at_declaration: bool,
    /// Only the first failing validation of a variable is reported.
    pub first_validation_only: bool,
    /// Of a broken rule whose message cannot be worked out, the value is blamed too.
    pub blames_without_message: bool,
    /// A sensitive variable of the root is so in its own rules, too, whose messages then cannot show it.
    pub root_rules_see_sensitive: bool,
    /// And so is one of a called module.
    pub child_rules_see_sensitive: bool,
    /// What a plan tells of its grounds ends at attributes without a type of their own.
    pub grounds_end_at_dynamic: bool,
    /// What goes wrong in the `for_each` of a resource is left to the plan where nothing comes of it.
    pub leaves_for_each_to_plan: bool,
    /// Instances of a module without outputs are not among those that a reference to all of them finds.
    pub silent_instances_vanish: bool,
    /// A check takes the configurations that a root expects of its callers for given.
    pub assumes_root_aliases: bool,
    /// A plan refuses such configurations even where nothing uses them.
    pub needs_root_aliases: bool,
    /// A function of a provider is called through a configuration of it, which is used so.
    pub functions_use_configurations: bool,
    /// A check looks for ephemeral values only at outputs as wholes, a plan in their parts, too.
    pub checks_ephemeral_wholes: bool,
    /// An output may say that it is ephemeral, and not be.
    pub takes_plain_ephemeral_outputs: bool,
    /// A plain value that leaves a child module by a sensitive output carries the mark.
    pub child_outputs_marked: bool,
    /// An attribute that an object type does not name is worth a warning.
    pub warns_of_extra_attributes: bool,
    /// `required_version` counts only in files that no other program reads.
    pub version_in_own_files_only: bool,
    /// Module sources may be computed from variables and locals.
    pub computed_sources: bool,
    /// Module sources and versions may be made of what is known early: constant variables, local
    /// values, pure functions.
    pub early_sources: bool,
    /// A check reads the values that are given, too.
    pub check_reads_values: bool,
    /// The count of a resource that asks for the resource itself sees no instances.
    pub count_sees_itself_empty: bool,
    /// Two kinds of repetition are reported from the first to the second, not at the second alone.
    pub joins_repetitions: bool,
    /// What is deprecated says what to use instead.
    pub deprecations_advise: bool,
    /// What a provisioner is to do may not be empty.
    pub nonempty_provisioners: bool,
    /// `prevent_destroy` may be computed from variables.
    pub computed_prevent_destroy: bool,
    /// `destroy` in a lifecycle is true or false before anything is evaluated; elsewhere a plan looks at what it says.
    pub destroy_is_setting: bool,
    /// What a lifecycle does not let be destroyed is let go when it is replaced; elsewhere only where it is tainted.
    pub lets_go_of_replaced: bool,
    /// A state remembers what is not to be destroyed, and reasons tell what lets an object go.
    pub remembers_letting_go: bool,
    /// A plan names every object that is no longer managed; elsewhere not those that make room for another, or go with
    /// everything.
    pub tells_all_forgotten: bool,
    /// The place where the input of a `terraform_data` becomes null, so does its output at once.
    pub null_input_settles: bool,
    /// What a resource looks like is known before anything is planned.
    pub types_unknown_objects: bool,
    /// What the schema of a resource calls sensitive is so before anything is planned.
    pub hides_unknown_objects: bool,
    /// What a resource is replaced for is looked at before anything changes.
    pub checks_triggers_early: bool,
    /// Called modules may import, too; what is wrong with that shows in a plan.
    pub imports_below_root: bool,
    /// What is imported may have an identity in place of an id, and nothing that says what is imported
    /// may refer to it.
    pub import_identity: bool,
    /// An import is looked into only where what it takes over is declared.
    pub reads_declared_imports: bool,
    /// There are actions and lists of what exists, and references may start with their words.
    pub has_actions: bool,
    /// An action is worked out for each resource that has it run, and can name that as its caller. What a trigger says is
    /// looked at whenever the resource is planned, and comes before it.
    pub has_callers: bool,
    /// Values of what is deprecated, outputs and parts of resources, carry a mark that warns where they are used, and a
    /// deprecated variable of the root warns where its declaration says so.
    pub deprecation_follows_values: bool,
    /// Such values carry that mark only to the first expression that is worth one; outputs have it only where values are
    /// looked at, and resources only on their parts.
    pub deprecation_ends_at_use: bool,
    /// A set of anything makes no instance if it is empty.
    pub any_empty_set_repeats: bool,
    /// A `cloud` block of a called module is told to be of no use, and a check knows the backends.
    pub state_keepers_checked: bool,
    /// Attributes of what a resource is replaced for are looked for once it changes.
    pub looks_for_trigger_attributes: bool,
    /// The namespace of a provider may hold underscores.
    pub underscored_namespaces: bool,
    /// A provider configuration may be there many times.
    pub repeated_providers: bool,
    /// An object that is made counts as changed for `replace_triggered_by`; elsewhere only what there was before.
    pub created_triggers: bool,
    /// The configuration in a plan tells the types of variables, and which are required, ephemeral or deprecated.
    pub describes_variables: bool,
    /// The summary among the events of a plan counts what is forgotten.
    pub counts_forgotten: bool,
    /// The document of a plan does not say whether it could be carried out.
    pub omits_applyable: bool,
    /// What is forgotten waits for no other step of a plan, and none for it.
    pub forgets_at_once: bool,
    /// A plan that destroys everything does not look at what imports say.
    pub destroying_skips_imports: bool,
    /// A plan that only refreshes counts every change of an output; elsewhere only what can be recorded.
    pub refresh_counts_all_outputs: bool,
    /// A state is refused if a resource's provider is no address; elsewhere that resource is passed over.
    pub state_providers_checked: bool,
    /// A call moves between a single instance and the first of a count without a block, as a resource does.
    pub modules_move_implicitly: bool,
    /// A `removed` block that does not say what becomes of the object forgets it; elsewhere it destroys it.
    pub removed_is_forgotten: bool,
    /// A check advises to say in a `removed` block what becomes of the object.
    pub advises_removals: bool,
    /// A `removed` block has at most one `lifecycle` block.
    pub single_removed_lifecycle: bool,
    /// A problem of an import or a removal is reported at the block, not at the argument or the block inside of it.
    pub blames_blocks: bool,
    /// A `moved` block may name what is ephemeral; elsewhere that is an error, as is a block with an address that cannot
    /// be read.
    pub moves_keep_ephemeral: bool,
    /// A check looks for what an import of the root takes over, in called modules and by its keys too; elsewhere a plan
    /// does.
    pub import_targets_checked_early: bool,
    /// A check refuses an id of an import that comes from the object it takes over.
    pub refuses_own_import_id: bool,
    /// An import has either an id or an identity; elsewhere an id is an argument that has to be set.
    pub import_needs_one_name: bool,
    /// Keys in the address of an import may be computed from anything; elsewhere only from what it repeats over.
    pub computed_import_keys: bool,
    /// An import with an empty id takes nothing over, and the object is made; elsewhere it is an error.
    pub empty_import_id_creates: bool,
    /// The id of an import can be neither sensitive nor ephemeral, because it is shown and kept.
    pub import_ids_shown: bool,
    /// `for_each` of an import takes a map, an object, a tuple or a set of texts, and nothing sensitive; elsewhere any
    /// collection.
    pub strict_import_for_each: bool,
    /// Values of a map that an import repeats over need to be known only where they are used.
    pub import_maps_may_be_pending: bool,
    /// An import without a key needs an instance to be there; elsewhere how many there are may be open.
    pub unkeyed_imports_need_instances: bool,
    /// A plan refuses a second import of the same instance.
    pub refuses_repeated_imports: bool,
    /// Runs, providers, mocks and overrides of a test file may have the same name or target twice.
    pub tests_may_repeat: bool,
    /// The version of a provider in a test file is only warned of; elsewhere it is an error.
    pub tests_may_set_versions: bool,
    /// An override of data may name a resource, and an override of a resource data.
    pub overrides_any_mode: bool,
    /// The setting that names the edition of the language.
    pub language: LanguageSetting,
    /// The names by which code asks about the run it is in.
    pub run_roots: &'static [&'static str],
    /// The words of types that a reference may consist of, as the type of `convert` does.
    pub type_words: &'static [&'static str],
    /// The name of the program, as its version constraints mean it.
    pub program: &'static str,
}

/// Where a module says in which edition of the language it is written.
#[derive(Clone, Copy, Debug)]
pub struct LanguageSetting {
    /// The kind of block.
    pub block: &'static str,
    /// The argument in it.
    pub argument: &'static str,
    /// The only edition that there ever was.
    pub edition: &'static str,
}

impl LanguageSetting {
    const TERRAFORM: LanguageSetting =
        LanguageSetting { block: "terraform", argument: "language", edition: "TF2021" };
    const OPENTOFU: LanguageSetting =
        LanguageSetting { block: "language", argument: "edition", edition: "tofu2024" };
}

/// A minor version that no edition reaches.
const NEVER: u32 = u32::MAX;

/// In which `1.minor` of OpenTofu and of Terraform something begins to hold; 0 stands for all that are known.
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
    /// Returns which arguments of a provisioner have to say something.
    pub fn nonempty_arguments_of(&self, provisioner: Option<&str>) -> &'static [&'static str] {
        match provisioner {
            Some("local-exec") if self.nonempty_provisioners => &["command"],
            Some("file") if self.nonempty_provisioners => &["destination"],
            _ => &[],
        }
    }

    /// Returns true if what a provider advises against is told where values rest on it, and not where references name
    /// it.
    pub fn advises_by_values(&self) -> bool {
        self.deprecation_follows_values || self.deprecation_ends_at_use
    }

    /// Returns true if it is an error of its own that the message of a rule about a variable holds a sensitive value.
    /// `declared`: whether the variable itself is sensitive, not only its value.
    pub fn refuses_sensitive_message(&self, declared: bool, is_root: bool) -> bool {
        !declared
            || match is_root {
                true => self.root_rules_see_sensitive,
                false => self.child_rules_see_sensitive,
            }
    }

    /// Those of an edition: of each the `1.minor` of OpenTofu and of Terraform since which it holds.
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
            count_sees_itself_empty: has(0, NEVER),
            joins_repetitions: has(0, NEVER),
            deprecations_advise: has(0, NEVER),
            nonempty_provisioners: has(0, NEVER),
            computed_prevent_destroy: construct::COMPUTED_PREVENT_DESTROY
                .editions
                .includes(edition),
            destroy_is_setting: has(NEVER, 16),
            lets_go_of_replaced: has(0, NEVER),
            remembers_letting_go: has(0, NEVER),
            tells_all_forgotten: has(NEVER, 0),
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
