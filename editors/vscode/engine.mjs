// Builds the engine as WebAssembly into dist/groma.wasm and prints its size. usage: node engine.mjs [--debian]
//
// The compiler is whichever is at hand: rustup's with its target for browsers (fetched if rustup can), or else Debian's second Rust
// (packages rustc-web, cargo-web, rust-web-src and lld-19), which compiles the standard library from its own source.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const here = import.meta.dirname;
const top = join(here, "../..");
const target = "wasm32-unknown-unknown";
const build = ["build", "--locked", "--package", "groma-wasm", "--profile", "wasm", "--target", target];

/** Runs a program in the workspace; returns true if it has ended well. */
function runs(program, args, settings = {}) {
  const { env, quiet, timeout } = settings;
  const made = spawnSync(program, args, { cwd: top, env: { ...process.env, ...env }, stdio: quiet ? "ignore" : "inherit", timeout });
  return made.status === 0;
}

function hasTarget() {
  const made = spawnSync("rustc", ["--print", "target-libdir", "--target", target], { cwd: top, encoding: "utf8" });
  return made.status === 0 && existsSync(made.stdout.trim());
}

function builtByRustup() {
  if (!hasTarget() && !(runs("rustup", ["target", "add", target], { quiet: true, timeout: 120_000 }) && hasTarget())) return undefined;
  const folder = process.env.CARGO_TARGET_DIR ?? join(top, "target");
  return runs("cargo", build) ? join(folder, target, "wasm/groma_wasm.wasm") : null;
}

function builtByDebian() {
  const parts = ["/usr/bin/cargo", "/usr/bin/rustc", "/usr/bin/wasm-ld-19"];
  if (!parts.every((part) => existsSync(part))) return undefined;
  // Its artefacts are not those of the other compiler.
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(top, "target"), "debian");
  const env = {
    RUSTC_BOOTSTRAP: "1",
    RUSTC: "/usr/bin/rustc",
    RUSTFLAGS: "-C linker=/usr/bin/wasm-ld-19",
    PATH: `/usr/bin:${process.env.PATH}`,
    CARGO_TARGET_DIR: folder,
  };
  const std = ["-Z", "build-std=std,panic_abort"];
  return runs("/usr/bin/cargo", [...build, ...std], { env }) ? join(folder, target, "wasm/groma_wasm.wasm") : null;
}

const ways = process.argv.includes("--debian") ? [builtByDebian] : [builtByRustup, builtByDebian];
let made;
for (const way of ways) {
  made = way();
  if (made !== undefined) break;
}
if (made === undefined) {
  console.error(`no compiler for ${target} is at hand: rustup cannot fetch the target, and Debian's rustc-web, cargo-web, rust-web-src and lld-19 are not installed`);
  process.exit(2);
}
if (made === null) process.exit(1);

mkdirSync(join(here, "dist"), { recursive: true });
copyFileSync(made, join(here, "dist/groma.wasm"));
const bytes = readFileSync(made);
const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
if (imports.length > 0) {
  console.error(`the engine imports ${imports.map((one) => one.name).join(", ")}: it has to import nothing`);
  process.exit(1);
}
console.log(`dist/groma.wasm: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} after gzip -9`);
