// A person at a VS Code: opens files, moves the pointer, types, and reads what is shown. Every wait is for something that appears.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const QUIET = [
  "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
  "--disable-quic",
];

/** The longest wait for something to appear, in milliseconds. */
const PATIENCE = 60_000;

export class Workbench {
  constructor(browser, page, pictures) {
    this.browser = browser;
    this.page = page;
    this.pictures = pictures;
    this.errors = [];
    this.count = 0;
  }

  static async open(url, pictures, program) {
    mkdirSync(pictures, { recursive: true });
    // Those of an earlier run would look like this one's.
    for (const name of readdirSync(pictures).filter((name) => /^\d\d-.*\.png$/.test(name))) rmSync(join(pictures, name));
    const browser = await chromium.launch({ executablePath: program, args: QUIET });
    const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    const made = new Workbench(browser, page, pictures);
    // Parts of the workbench that its page does not need are not served.
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) made.errors.push(message.text());
    });
    page.on("pageerror", (error) => made.errors.push(String(error)));
    await page.goto(url);
    await page.waitForSelector(".monaco-workbench .explorer-folders-view .monaco-list-row");
    return made;
  }

  close() {
    return this.browser.close();
  }

  /** Takes a picture. */
  async picture(name) {
    this.count += 1;
    const file = join(this.pictures, `${String(this.count).padStart(2, "0")}-${name}.png`);
    await this.page.screenshot({ path: file });
    console.log(`  ${file}`);
  }

  async openFile(path) {
    await this.page.evaluate((name) => self.openFile(name), path);
    const name = path.split("/").pop();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
    await this.page.waitForSelector(".editor-group-container.active .view-line");
  }

  run(command, ...args) {
    return this.page.evaluate(([name, rest]) => self.runCommand(name, ...rest), [command, args]);
  }

  /** The line of the editor that contains a text, once there is one. */
  async line(text) {
    const line = this.page.locator(".editor-group-container.active .view-line", { hasText: text }).first();
    await line.waitFor();
    return line;
  }

  async lineText(text) {
    return plain(await (await this.line(text)).innerText());
  }

  /**
   * Writes a snippet at the cursor, and leaves the cursor at its `$0`. Typing would have brackets closed, or not, by what the editor has
   * taken the line for so far, which on a busy machine is not settled yet.
   */
  async insert(snippet) {
    await this.run("editor.action.insertSnippet", { snippet });
  }

  /** Puts the cursor at a line and a column, both from 1. */
  async goTo(line, column) {
    await this.page.keyboard.press("Control+g");
    await this.page.waitForSelector(".quick-input-widget .quick-input-box input:visible");
    await this.page.keyboard.type(`${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.waitForSelector(`.statusbar-item :text("Ln ${line}, Col ${column}")`);
  }

  /** Moves the pointer over a word in a line, and returns the text of the hover that contains `wanted`. */
  async hover(text, word, wanted) {
    const line = await this.line(text);
    await line.locator("span", { hasText: word }).last().hover();
    const hover = this.page.locator(".monaco-hover:visible", { hasText: wanted }).first();
    await hover.waitFor();
    return plain(await hover.innerText());
  }

  /** The rows of a list, once one contains a text. */
  async rows(list, text) {
    await this.page.locator(`${list} .monaco-list-row`, { hasText: text }).first().waitFor();
    return (await this.page.locator(`${list} .monaco-list-row`).allInnerTexts()).map(plain);
  }
}

/** A text with plain blanks. */
export function plain(text) {
  return text.replace(/[\u00a0\s]+/g, " ").trim();
}
