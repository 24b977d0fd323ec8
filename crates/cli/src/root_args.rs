//! One root among many: its folder, and the arguments that hold for it by the settings of its own folder.

use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::session::EarlyStop;
use crate::{settings, template};

/// One of many roots, and the topmost folder whose settings apply to it.
#[derive(Clone, Debug)]
pub(crate) struct RootOfMany {
    /// The folder, or the template's file.
    pub dir: String,
    /// The topmost folder whose settings apply, if the root was found below a folder.
    pub highest: Option<String>,
    /// The folder outside of which nothing is read, where that is not the root's own matter; roots found together may read each
    /// other.
    pub bound: Option<String>,
}

/// The arguments of one root.
pub(crate) struct RootArgs {
    /// The arguments, with the settings.
    pub args: CommandArgs,
    /// Remarks about the settings.
    pub remarks: Vec<String>,
    /// True if the root is a Packer template.
    pub is_template: bool,
}

/// Reads the settings of a root; `args` are those of the command line.
pub(crate) fn settle(
    args: CommandArgs,
    root: &RootOfMany,
    machine: &MachineContext,
) -> Result<RootArgs, EarlyStop> {
    let mut args = CommandArgs {
        operand: Some(root.dir.clone()),
        root: root.bound.clone().or(args.root),
        // Many roots are worked on at once, each by one thread.
        threads: Some(1),
        ..args
    };
    let remarks = settings::settle_on(&mut args, true, root.highest.as_deref(), machine)?;
    let is_template = template::names_template_on(&args, Some(&root.dir), machine);
    Ok(RootArgs { args, remarks, is_template })
}
