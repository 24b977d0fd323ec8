// The declarations of a module: what the outlines of its files name by an address. They are asked of the server, not of the editor, so
// that they are there when another extension answers for symbols.

import { FileType, Uri, workspace } from "vscode";
import type { DocumentSymbol, Position } from "vscode-languageclient";

import { isModuleFile } from "./languages";
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

export type DeclarationKind = "variable" | "local" | "module" | "data" | "resource" | "output";

/** The declarations of the module in a folder, by file and place. */
export async function declarationsIn(session: Session, folder: Uri): Promise<ModuleDeclaration[]> {
  const entries = await workspace.fs.readDirectory(folder);
  const names = entries.filter(([name, type]) => (type & FileType.File) !== 0 && isModuleFile(name)).map(([name]) => name);
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

const KINDS: Readonly<Record<string, DeclarationKind>> = { var: "variable", local: "local", module: "module", data: "data", output: "output" };

function kindOf(address: string): DeclarationKind | undefined {
  const parts = address.split(".");
  const known = KINDS[parts[0] ?? ""];
  if (known !== undefined) return parts.length === (known === "data" ? 3 : 2) ? known : undefined;
  const isResource = parts.length === 2 && /^[a-z][\w-]*$/i.test(parts[0] ?? "") && parts[0]?.includes("_") === true;
  return isResource ? "resource" : undefined;
}
