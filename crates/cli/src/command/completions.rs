//! `groma completions`: prints a shell's completion script, and answers the script's requests while the user types. A script
//! calls the installed program, so it stays valid when commands and flags are added.

use super::row::CommandRow;
use super::{ALIASES, COMMANDS};
use crate::flag::{FlagRow, FlagValue, set};
use crate::offer::{CompletionOffer, KnownCommands, offers};
use crate::session::{EarlyStop, ExitStatus};

/// Maximum time for one completion request, after which it ends like a run with `--timeout`.
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(2);

/// The command `groma completions`: its flags, help and behaviour.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "completions",
    about: "Print a shell's completion script",
    operand: Some(("SHELL", "bash, elvish, fish, powershell or zsh")),
    flags: &[&[FlagRow {
        name: "line",
        takes: FlagValue::Value("TEXT"),
        about: "Print the completions for this command line instead, one per line: the word, a tab, a description",
        read: |args, text| {
            args.timeout = Some(TIMEOUT);
            set(&mut args.line, text.to_owned())
        },
    }]],
    more: "Completes commands, flags and their values, files, and the outputs, variables, resources and modules of \
           the code. Nothing is read from the network, and errors in the code are not reported.\n\n\
           Exit codes: 0 success, 2 wrong use.",
    run: |args, session| {
        let known: Vec<&str> = SHELLS.iter().map(|(name, _)| *name).collect();
        if let Some(line) = &args.line {
            let commands = KnownCommands { commands: COMMANDS, aliases: ALIASES };
            for CompletionOffer { text, about } in offers(line, commands, &known, session) {
                match about {
                    "" => writeln!(session.out, "{text}")?,
                    about => writeln!(session.out, "{text}\t{about}")?,
                }
            }
            return Ok(ExitStatus::SUCCESS);
        }
        let known = known.join(", ");
        let Some(asked) = &args.operand else {
            return Err(EarlyStop::Misuse(format!(
                "a shell is needed: one of {known}, as in `groma completions bash`"
            )));
        };
        let Some((_, script)) = SHELLS.iter().find(|(name, _)| name == asked) else {
            return Err(EarlyStop::Misuse(format!(
                "there is no script for the shell \"{asked}\"; choose one of {known}."
            )));
        };
        write!(session.out, "{script}")?;
        Ok(ExitStatus::SUCCESS)
    },
};

/// The supported shells with their completion scripts.
const SHELLS: &[(&str, &str)] =
    &[("bash", BASH), ("elvish", ELVISH), ("fish", FISH), ("powershell", POWERSHELL), ("zsh", ZSH)];

/// Completion script for Bash, which breaks words at `=`, `:` and quotes and replaces only what follows the last of them.
const BASH: &str = r#"_groma() {
    local line=${COMP_LINE:0:COMP_POINT} item about flat tail head=
    local word=${line##*[[:space:]]}
    COMPREPLY=()
    case $word in
        [\'\"]*) ;;
        *)
            flat=${word//\\?/xx}
            tail=${flat##*["$COMP_WORDBREAKS"]}
            head=${word:0:$((${#flat} - ${#tail}))}
            ;;
    esac
    while IFS=$'\t' read -r item about; do
        case $word in
            [\'\"]*) ;;
            *) printf -v item %q "$item" ;;
        esac
        COMPREPLY+=("${item#"$head"}")
    done < <(groma completions -line "$line" 2>/dev/null)
    case ${#COMPREPLY[@]}:${COMPREPLY[0]-} in
        1:*[/=]) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -F _groma groma
"#;

/// Completion script for Zsh.
const ZSH: &str = r#"#compdef groma
_groma() {
    local item about
    local -a values shown open opened
    while IFS=$'\t' read -r item about; do
        about="$item${about:+  -- $about}"
        case $item in
            *[/=]) open+=("$item"); opened+=("$about") ;;
            *) values+=("$item"); shown+=("$about") ;;
        esac
    done < <(groma completions -line "${(j: :)words[1,CURRENT]}" 2>/dev/null)
    (( $#open )) && compadd -S '' -l -d opened -a open
    (( $#values )) && compadd -l -d shown -a values
}
if [ "$funcstack[1]" = "_groma" ]; then
    _groma "$@"
else
    compdef _groma groma
fi
"#;

/// Completion script for fish.
const FISH: &str = r#"function __groma_complete
    groma completions -line (commandline -cp | string collect) 2>/dev/null
end
complete -c groma -f -a '(__groma_complete)'
"#;

/// Completion script for PowerShell.
const POWERSHELL: &str = r#"Register-ArgumentCompleter -Native -CommandName groma -ScriptBlock {
    param($word, $ast, $position)
    $line = $ast.ToString()
    $end = $position - $ast.Extent.StartOffset
    $line = if ($line.Length -gt $end) { $line.Substring(0, $end) } else { $line.PadRight($end) }
    groma completions -line $line 2>$null | ForEach-Object {
        $item, $about = $_ -split "`t", 2
        if (-not $about) { $about = $item }
        [System.Management.Automation.CompletionResult]::new($item, $item, 'ParameterValue', $about)
    }
}
"#;

/// Completion script for Elvish.
const ELVISH: &str = r#"use str
set edit:completion:arg-completer[groma] = {|@words|
    groma completions -line (str:join ' ' $words) 2>/dev/null | from-lines | each {|item|
        put [(str:split "\t" $item)][0]
    }
}
"#;
