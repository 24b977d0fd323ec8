// Tools for the editor's agents: the value of an expression, where a value comes from, and what is wrong. An editor that knows no tools
// leaves them out, so they are reached through the little of its face that is used here.

import * as vscode from "vscode";
import { Uri, workspace, type Disposable } from "vscode";
import type { Diagnostic, DocumentDiagnosticReport } from "vscode-languageclient";

import { declarationsAround } from "./declarations";
import type { Session } from "./session";

/** The face of `vscode.lm` that later editors have. */
interface ToolHost {
  registerTool(name: string, tool: { invoke(options: { input: Record<string, unknown> }): Promise<unknown> }): Disposable;
}

/** Parts of the editor that the oldest one this extension runs in does not have. */
interface LaterEditor {
  readonly lm?: Partial<ToolHost>;
  readonly LanguageModelToolResult?: new (parts: unknown[]) => unknown;
  readonly LanguageModelTextPart?: new (text: string) => unknown;
}

/** The names of severities, from 1. */
const SEVERITIES = ["error", "warning", "note", "hint"];

/** Registers the tools, where the editor has any. */
export function registerTools(session: Session): Disposable[] {
  const editor = vscode as unknown as LaterEditor;
  const { LanguageModelToolResult: Result, LanguageModelTextPart: Part } = editor;
  const host = editor.lm;
  if (host?.registerTool === undefined || Result === undefined || Part === undefined) return [];
  const tools: Readonly<Record<string, (input: Record<string, unknown>) => Promise<string>>> = {
    groma_eval: async (input) => {
      const params = { textDocument: document(session, input), expression: text(input, "expression") };
      return JSON.stringify(await session.ask("groma/eval", params));
    },
    groma_why: async (input) => {
      const file = fileOf(input);
      const address = text(input, "address");
      const all = await declarationsAround(session, file);
      const found = all.find((one) => one.address === address);
      if (found === undefined) return `There is no ${address} in the module. It declares ${all.map((one) => one.address).join(", ")}.`;
      const params = { textDocument: { uri: session.address(found.file) }, position: found.position };
      return JSON.stringify(await session.ask("groma/why", params));
    },
    groma_check: async (input) => {
      const report = await session.ask<DocumentDiagnosticReport>("textDocument/diagnostic", { textDocument: document(session, input) });
      const items = report.kind === "full" ? report.items : [];
      return items.length === 0 ? "No errors or warnings." : items.map(diagnosticLine).join("\n");
    },
  };
  const registered = Object.entries(tools).map(([name, run]) =>
    host.registerTool?.(name, {
      invoke: async ({ input }) => {
        const answer = await run(input).catch((why: unknown) => `Groma cannot answer: ${why instanceof Error ? why.message : String(why)}`);
        return new Result([new Part(answer)]);
      },
    }),
  );
  return registered.filter((one) => one !== undefined);
}

function diagnosticLine(one: Diagnostic): string {
  const severity = SEVERITIES[(one.severity ?? 1) - 1] ?? "error";
  const message = typeof one.message === "string" ? one.message : one.message.value;
  return `${one.range.start.line + 1}:${one.range.start.character + 1} ${severity} ${one.code ?? ""}: ${message}`;
}

function text(input: Record<string, unknown>, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new Error(`${name} has to be a text`);
  return value;
}

/** The file that the input names: a URI, an absolute path, or a path in the first folder that is open. */
function fileOf(input: Record<string, unknown>): Uri {
  const name = text(input, "file");
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) return Uri.parse(name);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const isAbsolute = name.startsWith("/") || /^[a-z]:[\\/]/i.test(name);
  if (folder === undefined) return Uri.file(name);
  return isAbsolute ? folder.with({ path: Uri.file(name).path }) : Uri.joinPath(folder, name);
}

function document(session: Session, input: Record<string, unknown>): { uri: string } {
  return { uri: session.address(fileOf(input)) };
}
