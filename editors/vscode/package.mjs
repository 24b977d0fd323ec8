// Writes the extension's packages into OUT: the one for browsers with the engine as WebAssembly, and one for each platform whose program
// is named. usage: node package.mjs [--out DIR] [--web] [PLATFORM=PROGRAM …], such as linux-x64=target/dist/groma, after
// `node build.mjs` and, for browsers, `node engine.mjs`. `cargo xtask notices` says which packages of others are in them.
//
// The form is that of `vsce package --target`; vsce itself brings a part whose licence is not free, so that the archive is written here.
import { spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

const here = import.meta.dirname;

/** The platforms that the editor knows, with the compiler's names for them. */
const PLATFORMS = {
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "linux-armhf": "armv7-unknown-linux-gnueabihf",
  "alpine-x64": "x86_64-unknown-linux-musl",
  "alpine-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/** What every package holds. */
const SHARED = ["README.md", "languages", "syntaxes", "media", "walkthrough"];

const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

/** The manifest of a package: with the one entry that it has, and without what only builds it. */
export function packageManifest(platform) {
  const { scripts, devDependencies, dependencies, private: _, main, browser, ...rest } = manifest;
  return platform === "web" ? { ...rest, browser } : { ...rest, main };
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The description that the editor and its shops read. */
export function vsixManifest(platform) {
  const property = (id, value) => `      <Property Id="Microsoft.VisualStudio.${id}" Value="${escaped(value)}" />`;
  const kind = platform === "web" ? "web" : manifest.extensionKind.join(",");
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}" TargetPlatform="${platform}" />
    <DisplayName>${escaped(manifest.displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(manifest.description)}</Description>
    <Tags>${escaped(manifest.keywords.join(","))}</Tags>
    <Categories>${escaped(manifest.categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
${[
    property("Code.Engine", manifest.engines.vscode),
    property("Code.ExtensionDependencies", ""),
    property("Code.ExtensionPack", ""),
    property("Code.ExtensionKind", kind),
    property("Code.LocalizedLanguages", ""),
    property("Services.Links.Source", `${manifest.repository.url}.git`),
    property("Services.Links.GitHub", `${manifest.repository.url}.git`),
    property("Services.GitHubFlavoredMarkdown", "true"),
  ].join("\n")}
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${["json", "vsixmanifest", "js", "wasm", "md", "txt", "svg", "exe"]
  .map((ending) => `  <Default Extension=".${ending}" ContentType="${ending === "json" ? "application/json" : ending === "vsixmanifest" ? "text/xml" : "application/octet-stream"}" />`)
  .join("\n")}
  <Override PartName="/extension/bin/groma" ContentType="application/octet-stream" />
</Types>
`;

/** The files of a package by their path below `extension/`, with where they lie. */
function filesOf(platform, program) {
  const dist = platform === "web" ? ["web.js", "worker.js", "groma.wasm"] : ["node.js"];
  const names = SHARED.flatMap((name) => {
    const folder = join(here, name);
    return existsSync(folder) && !name.includes(".") ? readdirSync(folder, { recursive: true }).map((file) => join(name, file)) : [name];
  });
  const files = Object.fromEntries([...names, ...dist.map((name) => `dist/${name}`)].map((name) => [name, join(here, name)]));
  if (program !== undefined) files[platform.startsWith("win32") ? "bin/groma.exe" : "bin/groma"] = resolve(program);
  return files;
}

/** The licences, as one text. */
function licences() {
  const texts = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => readFileSync(join(here, "../..", name), "utf8").trim());
  return `Licensed under either of the two licences below, at your option.\n\n${texts.join(`\n\n${"-".repeat(78)}\n\n`)}\n`;
}

/** The notices of others whose work is in the package: the parts of the scripts, and those of the engine or of the program. */
function notices(platform) {
  const scripts = readFileSync(join(here, "dist/THIRD-PARTY.txt"), "utf8");
  const what = platform === "web" ? ["groma-wasm", "wasm32-unknown-unknown"] : ["groma-cli", PLATFORMS[platform]];
  const made = spawnSync("cargo", ["xtask", "notices", ...what], { cwd: join(here, "../.."), encoding: "utf8", maxBuffer: 1 << 28 });
  if (made.status !== 0) throw new Error(`cargo xtask notices ${what.join(" ")}: ${made.stderr}`);
  return `${scripts}\n${"=".repeat(78)}\n\n${made.stdout}`;
}

/** Writes a package and returns its path. Two runs on the same files give the same bytes. */
export async function writePackage(platform, out, program) {
  const zip = new ZipFile();
  // The first moment that the form can hold, so that no clock is in the archive.
  const mtime = new Date(1980, 0, 1);
  const text = (path, content) => zip.addBuffer(Buffer.from(content), path, { mtime, mode: 0o100644 });
  text("[Content_Types].xml", CONTENT_TYPES);
  text("extension.vsixmanifest", vsixManifest(platform));
  text("extension/package.json", `${JSON.stringify(packageManifest(platform), undefined, 2)}\n`);
  text("extension/LICENSE.txt", licences());
  text("extension/THIRD-PARTY.txt", notices(platform));
  const files = filesOf(platform, program);
  for (const path of Object.keys(files).sort()) {
    const mode = path.startsWith("bin/") ? 0o100755 : 0o100644;
    zip.addBuffer(readFileSync(files[path]), `extension/${path}`, { mtime, mode });
  }
  zip.end();
  mkdirSync(out, { recursive: true });
  const file = join(out, `${manifest.name}-${platform}-${manifest.version}.vsix`);
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const at = words.indexOf("--out");
  const out = resolve(at < 0 ? join(here, "../../target/dist-archives") : words.splice(at, 2)[1]);
  const wanted = words.length === 0 ? ["--web"] : words;
  for (const word of wanted) {
    const [platform, program] = word === "--web" ? ["web"] : word.split("=");
    if (platform !== "web" && (PLATFORMS[platform] === undefined || program === undefined)) {
      console.error(`${word} is not PLATFORM=PROGRAM with one of ${Object.keys(PLATFORMS).join(", ")}`);
      process.exit(2);
    }
    const file = await writePackage(platform, out, program);
    console.log(`${relative(process.cwd(), file)}: ${readFileSync(file).length} bytes`);
  }
}
