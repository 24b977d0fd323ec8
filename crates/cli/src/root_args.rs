//! One root among many: its folder, the arguments that result from the settings of its own folder, and the module or template
//! still to load.

use groma::LoadPurpose;
use groma::folders::RootToLoad;

use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::session::EarlyStop;
use crate::template::{TemplateRequest, TemplateToLoad};
use crate::{project, settings, template};

/// A root that is processed together with others: its path, the topmost folder whose settings apply to it, and the folder outside
/// of which it reads nothing.
#[derive(Clone, Debug)]
pub(crate) struct RootOfMany {
    /// The folder, or the template's file.
    pub dir: String,
    /// The topmost folder whose settings apply, if the root was found below a folder.
    pub highest: Option<String>,
    /// The folder outside of which nothing is read; `None` if the root alone determines it. Roots found by one search share it.
    pub bound: Option<String>,
}

/// A root whose settings are read, with the arguments that result for it.
pub(crate) struct SettledRoot {
    /// The arguments, with the settings.
    pub args: CommandArgs,
    /// Remarks about the settings.
    pub remarks: Vec<String>,
    /// The module or the template to load.
    pub opening: RootOpening,
}

/// A root that is ready to be loaded: a module, together with others that share its code, or a template by itself.
pub(crate) enum RootOpening {
    /// A module.
    Module(Box<RootToLoad>),
    /// A Packer template.
    Template(Box<TemplateToLoad>),
}

/// Reads the settings of a root, and prepares its module or Packer template for loading; `args` are those of the command line.
pub(crate) fn settle(
    args: CommandArgs,
    root: &RootOfMany,
    purpose: LoadPurpose,
    schemas: &ReadSchemas,
    machine: &MachineContext,
) -> Result<SettledRoot, EarlyStop> {
    let mut args = CommandArgs {
        operand: Some(root.dir.clone()),
        root: root.bound.clone().or(args.root),
        // Many roots are worked on at once, each by one thread.
        threads: Some(1),
        ..args
    };
    let remarks = settings::settle_on(&mut args, true, root.highest.as_deref(), machine)?;
    let dir = root.dir.clone();
    let opening = if template::names_template_on(&args, Some(&dir), machine) {
        let wants = match purpose {
            LoadPurpose::Check => TemplateRequest::of_check(&args),
            LoadPurpose::Plan => TemplateRequest::of_plan(),
            LoadPurpose::Evaluate => TemplateRequest::default(),
        };
        RootOpening::Template(Box::new(template::to_open(&args, Some(&dir), wants, machine)?))
    } else {
        let (options, host) = project::to_open(&args, &dir, purpose, schemas, machine)?;
        RootOpening::Module(Box::new(RootToLoad { dir, options, host }))
    };
    Ok(SettledRoot { args, remarks, opening })
}
