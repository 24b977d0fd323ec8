// The declarations of a module or a Packer template: what the outlines of its files name by an address. They are asked of the server, not of the editor, so
// that they are there when another extension answers for symbols.

import { FileType, Uri, workspace } from "vscode";
import type { DocumentSymbol, Position } from "vscode-languageclient";

import { isModuleFile, isTemplateFile } from "./languages";
import type { Session } from "./session";

/** A declaration with a value. */
export interface ModuleDeclaration {
  /** Its address in the module, such as `local.tags`. */
  readonly address: string;
  /** The word before the first dot for the named kinds; `resource` for others. */
  readonly kind: DeclarationKind;
  readonly file: Uri;
  /** The position of its name. */
  readonly position: Position;
}

export type DeclarationKind = "variable" | "local" | "module" | "data" | "source" | "resource" | "output";

/** The declarations of the module, or of the Packer template, that a file belongs to, by file and place. */
export async function declarationsAround(session: Session, file: Uri): Promise<ModuleDeclaration[]> {
  const folder = Uri.joinPath(file, "..");
  const isPart = isTemplateFile(file.path) ? isTemplateFile : isModuleFile;
  const entries = await workspace.fs.readDirectory(folder);
  const names = entries.filter(([name, type]) => (type & FileType.File) !== 0 && isPart(name)).map(([name]) => name);
  const lists = names.sort().map(async (name) => {
    const file = Uri.joinPath(folder, name);
    const params = { textDocument: { uri: session.address(file) } };
    const symbols = await session.ask<DocumentSymbol[] | null>("textDocument/documentSymbol", params);
    return (symbols ?? []).flatMap((symbol) => declared(symbol, file));
  });
  return (await Promise.all(lists)).flat();
}

function declared(symbol: DocumentSymbol, file: Uri): ModuleDeclaration[] {
  if (symbol.name === "locals") return (symbol.children ?? []).flatMap((child) => declared(child, file));
  const kind = kindOf(symbol.name);
  return kind === undefined ? [] : [{ address: symbol.name, kind, file, position: symbol.selectionRange.start }];
}

const KINDS: Readonly<Record<string, DeclarationKind>> = {
  var: "variable",
  local: "local",
  module: "module",
  data: "data",
  source: "source",
  output: "output",
};

/** The kinds whose addresses name a type, too. */
const TYPED: readonly DeclarationKind[] = ["data", "source"];

function kindOf(address: string): DeclarationKind | undefined {
  const parts = address.split(".");
  const known = KINDS[parts[0] ?? ""];
  if (known !== undefined) return parts.length === (TYPED.includes(known) ? 3 : 2) ? known : undefined;
  const isResource = parts.length === 2 && /^[a-z][\w-]*$/i.test(parts[0] ?? "") && parts[0]?.includes("_") === true;
  return isResource ? "resource" : undefined;
}
