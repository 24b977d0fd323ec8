// The languages of the server's documents: HashiCorp's and OpenTofu's names where these have one, so that their extensions and this one
// speak of the same documents. JSON counts only where the file's name says that it is code.

import type { TextDocumentFilter } from "vscode-languageclient";

/** The names of languages that belong to code. */
export const LANGUAGES: readonly string[] = [
  "terraform",
  "terraform-vars",
  "terraform-test",
  "terraform-mock",
  "terraform-stack",
  "terraform-deploy",
  "terraform-search",
  "terraform-policy",
  "terraform-template",
  "opentofu",
  "opentofu-vars",
  "opentofu-test",
  "opentofu-mock",
  "packer",
  "packer-vars",
  "hcl",
];

/** The names of files in JSON that are code. */
const JSON_FILES = "**/*.{tf,tofu,tfvars,pkr,pkrvars,tftest,tofutest,tfmock,tfquery}.json";

/** The endings of files that declare a module. */
const MODULE_FILE = /\.(tf|tofu)(\.json)?$/;

/** The endings of files that declare a Packer template. */
const TEMPLATE_FILE = /\.pkr\.(hcl|json)$/;

/** The documents of the server, of file systems with these schemes. */
export function documentSelector(schemes: readonly string[]): TextDocumentFilter[] {
  return schemes.flatMap((scheme) => [
    ...LANGUAGES.map((language) => ({ language, scheme })),
    { language: "json", scheme, pattern: JSON_FILES },
    { language: "jsonc", scheme, pattern: JSON_FILES },
  ]);
}

/** True for a file that declares a part of a module. */
export function isModuleFile(name: string): boolean {
  return MODULE_FILE.test(name);
}

/** True for a file that declares a part of a Packer template. */
export function isTemplateFile(name: string): boolean {
  return TEMPLATE_FILE.test(name);
}
