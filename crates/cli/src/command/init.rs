//! `groma init`: what there is to do here before a plan, which is to bring modules. Programs that call another one begin so.

use super::get;
use super::row::Command;
use crate::flag::{self, Args};
use crate::session::{Exit, Session, Stop};
use crate::template;

pub(crate) const COMMAND: Command = Command {
    name: "init",
    about: "Bring the modules that are called from elsewhere, as get does",
    operand: Some(("DIR", "The root module's directory (default: the current one)")),
    flags: &[get::FLAGS, flag::MODULE],
    more: "Providers and backends are not set up: nothing here asks them. Flags about them are taken and do nothing.\n\n\
           Exit codes: 0 all is well, 1 a module cannot be brought or the code has errors, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if template::is_meant(args, args.operand.as_deref(), session)? {
        writeln!(session.out, "Nothing is brought for a Packer template: no plugin is run here.")?;
        return Ok(Exit::WELL);
    }
    let exit = get::run(args, session)?;
    if exit == Exit::WELL {
        let told = "No provider is installed and no backend is set up: nothing here asks them.";
        writeln!(session.out, "{told}")?;
    }
    Ok(exit)
}
