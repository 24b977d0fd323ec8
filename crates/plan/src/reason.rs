//! The reasons for changes, as plans give them to other programs. Their names in documents are those of the reference
//! programs.

/// The reason for a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeReason {
    /// The object is tainted.
    Tainted,
    /// A changed argument cannot be changed in place.
    CannotUpdate,
    /// It was asked for.
    Requested,
    /// Something that `replace_triggered_by` names changes.
    Triggered,
    /// No such resource is declared.
    NoResource,
    /// The resource is repeated in another way.
    WrongRepetition,
    /// The number is not below `count`.
    CountIndex,
    /// The key is not in `for_each`.
    EachKey,
    /// `enabled` is false.
    EnabledFalse,
    /// There is no such module instance.
    NoModule,
    /// What it was moved to is not declared.
    NoMoveTarget,
    /// An argument of the data source is not known before.
    ConfigUnknown,
    /// Something that the data source depends on changes.
    DependencyPending,
    /// The data source belongs to a check.
    CheckNested,
    /// The state says that the object is not destroyed.
    KeptByState,
    /// The configuration says that the object is not destroyed.
    KeptByConfiguration,
}

impl ChangeReason {
    /// The name in documents, such as `replace_because_tainted`.
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

    /// The reason of that name.
    pub fn of(slug: &str) -> Option<ChangeReason> {
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
