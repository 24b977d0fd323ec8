// The requests that are Groma's own, as `docs/guide/editors.md` describes them.

/** The answer to `groma/eval`. */
export interface EvaluatedExpression {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly console?: string;
  readonly unknown?: readonly string[];
  readonly sensitive?: readonly string[];
  readonly ephemeral?: readonly string[];
  readonly error?: unknown;
  readonly diagnostics?: readonly { readonly summary?: string; readonly detail?: string }[];
}

/** A node of the answer to `groma/why`: a value, and below it what it was made of. */
export interface ValueOrigin {
  readonly kind: string;
  readonly address: string;
  readonly place?: string;
  readonly text?: string;
  readonly type?: unknown;
  readonly value?: unknown;
  readonly unknown?: readonly string[];
  readonly sensitive?: readonly string[];
  /** True if the node stands further up with all that is below it. */
  readonly see?: boolean;
  readonly from?: readonly ValueOrigin[];
}

/** Maximum number of characters of a value in one line. */
const MAX_LINE = 100;

/** A value of an origin in one line. */
export function originValue(node: ValueOrigin): string {
  if (node.sensitive?.includes("")) return "(sensitive value)";
  if (node.unknown?.includes("")) return "(not known)";
  return node.value === undefined ? "" : oneLine(JSON.stringify(node.value));
}

/** A text in one line that is not too long to read. */
export function oneLine(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ").trim();
  const characters = [...line];
  return characters.length <= MAX_LINE ? line : `${characters.slice(0, MAX_LINE - 1).join("")}…`;
}

/** The file and the line, from 0, of a place such as `net/main.tf:6`. */
export function placeParts(place: string): { file: string; line: number } | undefined {
  const match = /^(.*):(\d+)$/.exec(place);
  return match === null ? undefined : { file: match[1] ?? "", line: Number(match[2]) - 1 };
}

/** The origin of a value as an indented text; `shown` says how the path of a file is written. */
export function originText(node: ValueOrigin, shown: (file: string) => string, depth = 0): string {
  const parts = ["  ".repeat(depth) + (node.address === "" ? node.kind : node.address)];
  const value = originValue(node);
  if (value !== "") parts.push(`= ${value}`);
  if (node.text !== undefined) parts.push(`  ${oneLine(node.text)}`);
  const place = node.place === undefined ? undefined : placeParts(node.place);
  parts.push(place === undefined ? `  (${node.kind})` : `  (${node.kind}, ${shown(place.file)}:${place.line + 1})`);
  if (node.see === true) parts.push("  as above");
  const below = (node.from ?? []).map((one) => originText(one, shown, depth + 1));
  return [parts.join(" "), ...below].join("\n");
}
