//! Differences between modules and Packer templates in reading values of input variables, as data. Prefixes of environment
//! variables are defined here only.

use groma_config::FileKind;
use groma_runtime::Dialect;

/// The order in which the caller's values and variable files are applied; the last one wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignmentOrder {
    /// The order in which they are given.
    AsGiven,
    /// Variable files, then texts by variable name, then values.
    FilesFirst,
}

/// The choice which of the values given to one variable are evaluated: only that of the source with the highest precedence, or
/// each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedInputs {
    /// Only the winning one, after every source is read. Its conversion is checked where the variable is evaluated.
    Winner,
    /// Each when it is read, even if a later one wins or no variable has its name.
    Each,
}

/// The rules by which values of input variables are read for modules, or for Packer templates.
#[derive(Debug)]
pub struct InputConventions {
    /// The phrase for the declaring code in messages, such as `the root module`.
    pub root: &'static str,
    /// The phrase in messages for the files where blocks belong, used if a variable file contains a block.
    pub block_home: &'static str,
    /// The prefix of environment variables that set a variable.
    pub environment_prefix: &'static str,
    /// The dialect that owns the variable files that are read without being named, as in `FileKind`; `None` for files that no
    /// dialect owns alone.
    pub file_owner: Option<Dialect>,
    /// True if files in native syntax are read before those in JSON.
    pub native_first: bool,
    /// True if the name of a variable file must end with the name of its syntax.
    pub needs_syntax_suffix: bool,
    /// True if a name may be set only once in a variable file.
    pub refuses_repeated_names: bool,
    /// True if a name with surrounding spaces is an error.
    pub refuses_blank_names: bool,
    /// The order of the caller's values.
    pub order: AssignmentOrder,
    /// The choice of the values that are evaluated and checked.
    pub checked: CheckedInputs,
    /// Maximum number of undeclared names in variable files that get a warning each.
    pub undeclared_shown: usize,
}

impl InputConventions {
    /// The rules for reading the inputs of modules.
    pub const MODULE: InputConventions = InputConventions {
        root: "the root module",
        block_home: "a file of the module",
        environment_prefix: "TF_VAR_",
        file_owner: None,
        native_first: false,
        needs_syntax_suffix: false,
        refuses_repeated_names: false,
        refuses_blank_names: true,
        order: AssignmentOrder::AsGiven,
        checked: CheckedInputs::Winner,
        undeclared_shown: 2,
    };

    /// The rules for reading the inputs of Packer templates.
    pub const TEMPLATE: InputConventions = InputConventions {
        root: "the template",
        block_home: "a *.pkr.hcl file",
        environment_prefix: "PKR_VAR_",
        file_owner: Some(Dialect::Packer),
        native_first: true,
        needs_syntax_suffix: true,
        refuses_repeated_names: true,
        refuses_blank_names: false,
        order: AssignmentOrder::FilesFirst,
        checked: CheckedInputs::Each,
        undeclared_shown: 10,
    };

    /// Returns the variable files of a directory that are read without being named, in order of precedence. `names` are sorted.
    pub(crate) fn automatic<'n>(&self, names: &'n [String]) -> Vec<&'n str> {
        let kind = |name: &&'n str| {
            let kind = FileKind::of(name).filter(|_| FileKind::is_automatic(name))?;
            (kind.owner == self.file_owner).then_some((kind, *name))
        };
        let all = names.iter().map(String::as_str);
        let mut found: Vec<(FileKind, &str)> = all.filter_map(|name| kind(&name)).collect();
        found.sort_by_key(|(kind, name)| {
            // The file named after its program comes before those that end in `.auto`.
            let is_auto = kind.stem(name).ends_with(".auto");
            (is_auto, (!is_auto || self.native_first) && kind.is_json())
        });
        found.into_iter().map(|(_, name)| name).collect()
    }
}

/// Returns true if an environment variable has a name that sets an input variable: it begins with `TF_VAR_` or `PKR_VAR_`.
pub fn sets_variable(name: &str) -> bool {
    let all = [InputConventions::MODULE, InputConventions::TEMPLATE];
    all.iter().any(|conventions| name.starts_with(conventions.environment_prefix))
}

#[cfg(test)]
mod tests {
    use super::InputConventions;

    #[test]
    fn files_that_count_by_themselves_have_an_order() {
        let mut names: Vec<String> = [
            "terraform.tfvars.json",
            "b.auto.tfvars",
            "B.auto.tfvars.json",
            "terraform.tfvars",
            "prod.tfvars",
            "a.auto.pkrvars.json",
            "b.auto.pkrvars.hcl",
        ]
        .map(str::to_owned)
        .into();
        names.sort();
        let modules =
            ["terraform.tfvars", "terraform.tfvars.json", "B.auto.tfvars.json", "b.auto.tfvars"];
        assert_eq!(InputConventions::MODULE.automatic(&names), modules);
        let templates = ["b.auto.pkrvars.hcl", "a.auto.pkrvars.json"];
        assert_eq!(InputConventions::TEMPLATE.automatic(&names), templates);
    }
}
