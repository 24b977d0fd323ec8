//! The reasons for changes, as plans give them to other programs. Their names in documents are those of the reference
//! programs.

/// The reason why a plan takes its action on an instance, as the JSON documents of plans name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeReason {
    /// The object is tainted.
    Tainted,
    /// A changed argument cannot be changed in place.
    CannotUpdate,
    /// The user requested the replacement.
    Requested,
    /// An instance that `replace_triggered_by` refers to changes.
    Triggered,
    /// No such resource is declared.
    NoResource,
    /// The kind of repetition of the resource has changed.
    WrongRepetition,
    /// The number is not below `count`.
    CountIndex,
    /// The key is not in `for_each`.
    EachKey,
    /// `enabled` is false.
    EnabledFalse,
    /// There is no such module instance.
    NoModule,
    /// A `moved` block has moved the object to an address that is not declared.
    NoMoveTarget,
    /// An argument of the data source is unknown until apply.
    ConfigUnknown,
    /// A dependency of the data source changes.
    DependencyPending,
    /// The data source belongs to a `check` block.
    CheckNested,
    /// The state says that the object is not destroyed.
    KeptByState,
    /// The configuration says that the object is not destroyed.
    KeptByConfiguration,
}

impl ChangeReason {
    /// Returns the name of the reason in the JSON documents of plans, such as `replace_because_tainted`.
    pub fn slug(self) -> &'static str {
        match self {
            ChangeReason::Tainted => "replace_because_tainted",
            ChangeReason::CannotUpdate => "replace_because_cannot_update",
            ChangeReason::Requested => "replace_by_request",
            ChangeReason::Triggered => "replace_by_triggers",
            ChangeReason::NoResource => "delete_because_no_resource_config",
            ChangeReason::WrongRepetition => "delete_because_wrong_repetition",
            ChangeReason::CountIndex => "delete_because_count_index",
            ChangeReason::EachKey => "delete_because_each_key",
            ChangeReason::EnabledFalse => "delete_because_enabled_false",
            ChangeReason::NoModule => "delete_because_no_module",
            ChangeReason::NoMoveTarget => "delete_because_no_move_target",
            ChangeReason::ConfigUnknown => "read_because_config_unknown",
            ChangeReason::DependencyPending => "read_because_dependency_pending",
            ChangeReason::CheckNested => "read_because_check_nested",
            ChangeReason::KeptByState => "forgot_because_lifecycle_destroy_in_state",
            ChangeReason::KeptByConfiguration => "forgot_because_lifecycle_destroy_in_config",
        }
    }

    /// Returns the reason that the JSON documents of plans call `slug`; `None` if no reason has that name.
    pub fn of(slug: &str) -> Option<ChangeReason> {
        /// All reasons for changes.
        const ALL: [ChangeReason; 16] = [
            ChangeReason::Tainted,
            ChangeReason::CannotUpdate,
            ChangeReason::Requested,
            ChangeReason::Triggered,
            ChangeReason::NoResource,
            ChangeReason::WrongRepetition,
            ChangeReason::CountIndex,
            ChangeReason::EachKey,
            ChangeReason::EnabledFalse,
            ChangeReason::NoModule,
            ChangeReason::NoMoveTarget,
            ChangeReason::ConfigUnknown,
            ChangeReason::DependencyPending,
            ChangeReason::CheckNested,
            ChangeReason::KeptByState,
            ChangeReason::KeptByConfiguration,
        ];
        ALL.into_iter().find(|reason| reason.slug() == slug)
    }
}
