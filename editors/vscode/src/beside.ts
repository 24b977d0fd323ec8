// Life beside HashiCorp's and OpenTofu's extensions: three parts of the work that both can do are done by one of them. Where no setting
// says by which, the other extension keeps what it has, and Groma adds values. Where extensions run in a browser's worker the others have no
// server; a browser that shows a desktop's or a container's editor is another matter, so that the entry says which it is.

import {
  ConfigurationTarget,
  commands,
  extensions,
  window,
  workspace,
  type ExtensionContext,
  type TextDocument,
} from "vscode";
import type { Middleware } from "vscode-languageclient";

/** A part of the work that other extensions can do, too: the name of a setting under `groma.beside`. */
type SharedPart = "formatting" | "diagnostics" | "navigation";

const PARTS: readonly SharedPart[] = ["formatting", "diagnostics", "navigation"];

/** Another extension with a language server for the same languages. */
interface OtherExtension {
  readonly id: string;
  readonly name: string;
  /** The setting that turns its server on and off. */
  readonly server: string;
  readonly languages: readonly string[];
}

const OTHERS: readonly OtherExtension[] = [
  {
    id: "hashicorp.terraform",
    name: "HashiCorp Terraform",
    server: "terraform.languageServer.enable",
    languages: ["terraform", "terraform-vars", "terraform-test", "terraform-mock", "terraform-stack", "terraform-deploy", "terraform-search"],
  },
  {
    id: "opentofu.vscode-opentofu",
    name: "OpenTofu",
    server: "opentofu.languageServer.enable",
    languages: ["opentofu", "opentofu-vars", "opentofu-test", "opentofu-mock"],
  },
];

/** The memory of the first question. */
const ASKED = "beside.asked";

/** Who does what, where other extensions are installed. */
export class SharedWork {
  /** `haveServers` is false where the servers of others cannot run. */
  constructor(private readonly haveServers: boolean) {}

  /** The other extensions that are installed and whose servers are not turned off. */
  private others(): OtherExtension[] {
    if (!this.haveServers) return [];
    return OTHERS.filter(
      (other) =>
        extensions.getExtension(other.id) !== undefined &&
        workspace.getConfiguration().get<boolean>(other.server) !== false,
    );
  }

  /** What is left to others, as a text: another one means that what is shown has to be asked for again. */
  state(): string {
    const languages = OTHERS.flatMap((other) => other.languages);
    return PARTS.map((part) => `${part}: ${languages.filter((language) => !this.isOurs(part, language)).join(" ")}`).join("\n");
  }

  /** True if Groma does a part of the work for documents of a language; of all languages without one. */
  isOurs(part: SharedPart, language?: string): boolean {
    const said = workspace.getConfiguration("groma.beside").get<string>(part);
    if (said === "groma") return true;
    return !this.others().some((other) => language === undefined || other.languages.includes(language));
  }

  /** The middleware that leaves to others what is theirs. */
  middleware(): Middleware {
    const formats = (document: TextDocument): boolean => this.isOurs("formatting", document.languageId);
    const leads = (document: TextDocument): boolean => this.isOurs("navigation", document.languageId);
    return {
      provideDocumentFormattingEdits: (document, options, token, next) => (formats(document) ? next(document, options, token) : undefined),
      provideDocumentRangeFormattingEdits: (document, range, options, token, next) =>
        formats(document) ? next(document, range, options, token) : undefined,
      provideOnTypeFormattingEdits: (document, position, ch, options, token, next) =>
        formats(document) ? next(document, position, ch, options, token) : undefined,
      provideDiagnostics: (document, previous, token, next) => {
        const language = "languageId" in document ? document.languageId : undefined;
        return this.isOurs("diagnostics", language) ? next(document, previous, token) : undefined;
      },
      provideWorkspaceDiagnostics: (ids, token, report, next) => (this.isOurs("diagnostics") ? next(ids, token, report) : { items: [] }),
      provideCompletionItem: (document, position, context, token, next) =>
        leads(document) ? next(document, position, context, token) : undefined,
      provideSignatureHelp: (document, position, context, token, next) =>
        leads(document) ? next(document, position, context, token) : undefined,
      provideDefinition: (document, position, token, next) => (leads(document) ? next(document, position, token) : undefined),
      provideDeclaration: (document, position, token, next) => (leads(document) ? next(document, position, token) : undefined),
      provideReferences: (document, position, options, token, next) =>
        leads(document) ? next(document, position, options, token) : undefined,
      provideDocumentSymbols: (document, token, next) => (leads(document) ? next(document, token) : undefined),
      provideWorkspaceSymbols: (query, token, next) => (this.isOurs("navigation") ? next(query, token) : undefined),
      provideDocumentLinks: (document, token, next) => (leads(document) ? next(document, token) : undefined),
      provideDocumentSemanticTokens: (document, token, next) => (leads(document) ? next(document, token) : undefined),
      provideDocumentSemanticTokensEdits: (document, previous, token, next) =>
        leads(document) ? next(document, previous, token) : undefined,
      provideDocumentRangeSemanticTokens: (document, range, token, next) => (leads(document) ? next(document, range, token) : undefined),
    };
  }

  /** Asks once who does what, where another extension is active and no setting says it. */
  async askOnce(context: ExtensionContext): Promise<void> {
    const settings = workspace.getConfiguration("groma.beside");
    const isSaid = PARTS.some((part) => {
      const found = settings.inspect<string>(part);
      return (found?.globalValue ?? found?.workspaceValue ?? found?.workspaceFolderValue) !== undefined;
    });
    if (isSaid || context.globalState.get<boolean>(ASKED) === true || this.others().length === 0) return;
    await context.globalState.update(ASKED, true);
    await this.ask();
  }

  /** Asks who does what, and writes the answer into the user's settings. */
  async ask(): Promise<void> {
    const others = this.others();
    const names = others.map((other) => other.name).join(" and ");
    if (others.length === 0) {
      await window.showInformationMessage("No other extension with a language server for this code is active: Groma does everything.");
      return;
    }
    const groma = "Groma";
    const split = `${names}, Groma adds values`;
    const settings = "Settings…";
    const question = `Groma and ${names} are both installed. Which of them formats, finds mistakes and completes?`;
    const answer = await window.showInformationMessage(question, groma, split, settings);
    if (answer === settings) {
      await commands.executeCommand("workbench.action.openSettings", "groma.beside");
    } else if (answer === groma) {
      await settle("groma", others, () => "groma-lang.groma");
      // Its server would answer the same questions a second time.
      for (const other of others) {
        await workspace.getConfiguration().update(other.server, false, ConfigurationTarget.Global);
      }
    } else if (answer === split) {
      await settle("other", others, (other) => other.id);
    }
  }
}

async function settle(
  said: "groma" | "other",
  others: readonly OtherExtension[],
  formatter: (other: OtherExtension) => string,
): Promise<void> {
  for (const part of PARTS) {
    await workspace.getConfiguration("groma.beside").update(part, said, ConfigurationTarget.Global);
  }
  for (const other of others) {
    for (const languageId of other.languages.slice(0, 2)) {
      const settings = workspace.getConfiguration("editor", { languageId });
      await settings.update("defaultFormatter", formatter(other), ConfigurationTarget.Global, true);
    }
  }
}
