// The extension in a real VS Code, as a person uses it: each step does something, reads what is shown, and takes a picture.
// usage: node run.mjs [EXTENSION] [PICTURES]; CHROMIUM names the program (/usr/bin/chromium), BESIDE an unpacked extension that is
// installed, too, such as HashiCorp's: the same steps pass, as each asks that what is shown is shown once.
import assert from "node:assert/strict";
import { join, resolve } from "node:path";

import { Workbench } from "./drive.mjs";
import { serve } from "./serve.mjs";

const extension = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const pictures = resolve(process.argv[3] ?? join(import.meta.dirname, "../../../target/editor-pictures"));
const port = 8765 + (process.pid % 1000);

const beside = process.env.BESIDE ? resolve(process.env.BESIDE) : undefined;
const stop = await serve(extension, port, beside);
const code = await Workbench.open(`http://127.0.0.1:${port}/${beside === undefined ? "" : "?beside"}`, pictures, process.env.CHROMIUM ?? "/usr/bin/chromium");
const { page } = code;

const STEPS = {
  async "hints show values and numbers of instances"() {
    await code.openFile("/site/main.tf");
    await code.line('= "nørd-site"');
    assert.match(await code.lineText("prefix ="), /lower\("\$\{var\.name\}-site"\) ?= "nørd-site"$/);
    assert.match(await code.lineText('module "net"'), /× 3/);
    await page.locator(".codelens-decoration", { hasText: "root site: terraform.tfvars" }).waitFor();
    await code.picture("hints");
  },

  async "a hover shows the value and where it comes from"() {
    const text = await code.hover("for_each = local.subnets", "subnets", "10.20.1.0/24");
    assert.equal(text.match(/"b" = "10\.20\.1\.0\/24"/g)?.length, 1, text);
    assert.match(text, /main\.tf/);
    await code.picture("hover");
    await page.mouse.move(5, 5);
  },

  async "findings stand in the list of problems"() {
    await code.run("workbench.actions.view.problems");
    const rows = await code.rows(".markers-panel", "Interpolation around a whole value");
    assert.ok(rows.some((row) => row.includes("groma")), rows.join("\n"));
    assert.equal(rows.filter((row) => row.includes("Interpolation around a whole value")).length, 1, rows.join("\n"));
    await page.locator(".squiggly-warning").first().waitFor();
    await code.picture("diagnostics");
    await code.run("workbench.action.closePanel");
  },

  async "completion offers names with their values"() {
    await code.openFile("/site/main.tf");
    await code.goTo(42, 2);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await code.insert('output "first" {\n  value = $0\n}');
    await page.keyboard.type("local.pre", { delay: 30 });
    const rows = await code.rows(".suggest-widget", "prefix");
    assert.equal(rows.filter((row) => row.includes("nørd-site")).length, 1, rows.join("\n"));
    await code.picture("completion");
    await page.keyboard.press("Enter");
    // The edit comes a moment after the key.
    await code.line("value = local.prefix");
  },

  async "the value of what was just typed is there"() {
    await page.keyboard.press("Escape");
    const text = await code.hover("value = local.prefix", "prefix", "nørd-site");
    assert.match(text, /"nørd-site"/);
    await page.mouse.move(5, 5);
  },

  async "a rename reaches the file with values"() {
    await code.openFile("/site/main.tf");
    await code.goTo(3, 12);
    await page.keyboard.press("F2");
    const box = page.locator(".rename-box input");
    await box.waitFor();
    await box.fill("site_name");
    await code.picture("rename");
    await page.keyboard.press("Enter");
    await code.line('variable "site_name"');
    assert.match(await code.lineText("prefix ="), /var\.site_name/);
    await code.openFile("/site/terraform.tfvars");
    assert.match(await code.lineText("site_name"), /^site_name = "Nørd"$/);
    await code.picture("renamed");
  },

  async "the tree opens a value into what it was made of"() {
    await code.openFile("/site/main.tf");
    await code.run("groma.values.focus");
    // The view gets the height of the list of files.
    await page.locator(".pane-header", { hasText: /^site$/i }).click();
    const view = ".pane-body .tree-explorer-viewlet-tree-view";
    const rows = await code.rows(view, "local.prefix");
    assert.ok(rows.some((row) => /^local\.prefix ?"nørd-site"/.test(row)), rows.join("\n"));
    await page.locator(`${view} .monaco-list-row`, { hasText: "local.prefix" }).locator(".monaco-tl-twistie").click();
    const opened = await code.rows(view, "var.site_name");
    assert.ok(opened.length > rows.length);
    await code.picture("tree");
  },

  async "a finding is fixed by its action"() {
    await code.openFile("/site/main.tf");
    await code.goTo(41, 14);
    await page.keyboard.press("Control+.");
    const fix = page.locator(".action-widget .monaco-list-row", { hasText: "Write only the expression" });
    await fix.waitFor();
    await code.picture("actions");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => [...document.querySelectorAll(".view-line")].filter((line) => /value.=.local\.prefix$/.test(line.innerText.trim())).length >= 2);
  },

  async "the text gets its layout"() {
    await code.goTo(45, 2);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await code.insert("locals {\n  x=1\n  longer = 2\n}");
    await code.run("editor.action.formatDocument");
    await code.line("  x      = 1");
  },

  async "where a value comes from is a text of its own"() {
    await code.goTo(19, 4);
    await code.run("groma.showWhy");
    await page.waitForSelector(".tab.active[data-resource-name^='why']");
    assert.match(await code.lineText("local.prefix"), /^local\.prefix = "nørd-site" lower/);
    assert.match(await code.lineText("tfvars"), /\(tfvars, terraform\.tfvars:1\)$/);
    await code.picture("why");
    await code.run("workbench.action.closeActiveEditor");
  },

  async "an expression is evaluated where the cursor is"() {
    await code.openFile("/site/main.tf");
    const answered = code.run("groma.evaluate");
    const box = page.locator(".quick-input-widget .quick-input-box input");
    await box.waitFor();
    await box.fill('join("+", var.zones)');
    await page.keyboard.press("Enter");
    await answered;
    await page.waitForSelector(".tab.active[data-resource-name='value.txt']");
    await code.line('"a+b+c"');
    await code.run("workbench.action.closeActiveEditor");
  },

  async "a file that is saved and closed counts as it was saved"() {
    await code.openFile("/site/terraform.tfvars");
    await code.goTo(1, 1);
    await page.keyboard.press("Shift+End");
    await page.keyboard.type('site_name = "Süd"', { delay: 20 });
    await code.run("workbench.action.files.save");
    await code.run("workbench.action.closeActiveEditor");
    await code.openFile("/site/main.tf");
    await code.line('= "süd-site"');
    await code.picture("saved");
  },

  async "a Packer template has its values, too"() {
    await code.openFile("/site/image.pkr.hcl");
    const rows = await code.rows(".pane-body .tree-explorer-viewlet-tree-view", "source.null.box");
    assert.ok(rows.some((row) => /^local\.image ?"site-24-04"/.test(row)), rows.join("\n"));
    const text = await code.hover("name = local.image", "image", "site-24-04");
    assert.match(text, /"site-24-04"/);
    await code.picture("packer");
    await page.mouse.move(5, 5);
  },

  async "another root shows a module with the values of its caller"() {
    await code.openFile("/site/modules/net/main.tf");
    const lens = page.locator(".editor-group-container.active .codelens-decoration a", { hasText: "root net" });
    await lens.waitFor();
    await lens.click();
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: /^(site|\/site|\.)$/ }).first();
    await choice.waitFor();
    await code.picture("root-chooser");
    await choice.click();
    const text = await code.hover("cidrhost(var.range, 1)", "name", "süd-site-a");
    assert.match(text, /"süd-site-a"/);
    await page.locator(".codelens-decoration a", { hasText: "root site" }).waitFor();
    await code.picture("root-chosen");
  },
};

let failed = 0;
for (const [name, step] of Object.entries(STEPS)) {
  const begun = Date.now();
  try {
    await step();
    console.log(`ok   ${name} (${Date.now() - begun} ms)`);
  } catch (why) {
    failed += 1;
    console.log(`FAIL ${name}\n${why.stack ?? why}`);
    await code.picture("failed");
    // What is open must not take the keys of the next step.
    await page.keyboard.press("Escape");
  }
}
const errors = code.errors.filter((text) => /extension\/dist|groma/i.test(text));
if (errors.length > 0) {
  failed += 1;
  console.log(`FAIL errors of the extension:\n${errors.join("\n")}`);
}
await code.close();
stop();
console.log(failed === 0 ? "all well" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
