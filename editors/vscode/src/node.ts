// The entry on the desktop: the server is the program `groma`, of the setting, of this package, or of the path.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { workspace, type ExtensionContext } from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";

import { start } from "./extension";
import type { Session } from "./session";

export function activate(context: ExtensionContext): Promise<{ readonly session: Session }> {
  return start(context, () =>
    Promise.resolve({
      hasOthers: true,
      schemes: ["file", "untitled"],
      options: {},
      createClient: (options) => new LanguageClient("groma", "Groma", server(context), options),
    }),
  );
}

/** The program and how it is started: for a folder of strangers with bounds. */
function server(context: ExtensionContext): ServerOptions {
  const args = workspace.isTrusted ? ["lsp"] : ["lsp", "--untrusted"];
  return { command: program(context), args };
}

function program(context: ExtensionContext): string {
  const chosen = workspace.isTrusted ? workspace.getConfiguration("groma").get<string>("server.path", "") : "";
  if (chosen !== "") return chosen;
  const bundled = join(context.extensionPath, "bin", process.platform === "win32" ? "groma.exe" : "groma");
  return existsSync(bundled) ? bundled : "groma";
}
