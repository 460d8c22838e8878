"use strict";

const facts = JSON.parse(document.getElementById("facts").textContent);
const root = document.documentElement;
const byId = (id) => document.getElementById(id);

/* ---- elements ---------------------------------------------------------------------------- */

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

const TOKEN = new RegExp(
  "(#.*$)|(\"\"\".*?(?:\"\"\"|$)|\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')" +
    "|\\b(def|return|for|in|if|elif|else|while|break|continue|raise|class|import|from|as|not|and|or|is|None|True|False|pass|with|try|except|lambda)\\b" +
    "|\\b(\\d[\\w.]*(?:[eE][+-]?\\d+)?)",
  "gm",
);

function coloured(text) {
  const box = make("span");
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = ["c", "s", "k", "d"].find((_, k) => match[k + 1] !== undefined);
    box.append(text.slice(at, match.index), make("span", { class: kind }, match[0]));
    at = match.index + match[0].length;
  }
  box.append(text.slice(at));
  return box;
}

/* ---- sizes ------------------------------------------------------------------------------- */

function valueOf(size, known) {
  if (typeof size === "number") return size;
  if (typeof size === "string") return known[size];
  const [op, a, b] = size;
  const x = valueOf(a, known);
  const y = valueOf(b, known);
  switch (op) {
    case "+": return x + y;
    case "-": return x - y;
    case "*": return x * y;
    case "//": return y ? Math.floor(x / y) : 0;
    case "%": return y ? ((x % y) + y) % y : 0;
    case "max": return Math.max(x, y);
    default: return Math.min(x, y);
  }
}

function bytesText(count) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
  let k = 0;
  while (count >= 1000 && k < units.length - 1) {
    count /= 1000;
    k += 1;
  }
  return `${k && count < 100 ? count.toPrecision(3) : Math.round(count)} ${units[k]}`;
}

const STEPS = 60;
const sizeAt = (step) => Math.round(10 ** (step / 10)); // 1 to a million

/* ---- one function ------------------------------------------------------------------------ */

class View {
  constructor(module, one) {
    this.module = module;
    this.one = one;
    this.rows = []; // what lights up: {element, spots, code}
    this.known = Object.fromEntries(one.symbols.map((symbol) => [symbol.name, 100]));
    this.whole = false;
  }

  draw() {
    const { one, module } = this;
    const main = byId("main");
    main.replaceChildren(
      make("h1", {}, one.name),
      make("p", { class: "where" }, `${module.path}, line ${one.line}: ${one.state}, ${one.why}`),
    );
    if (one.sections.length === 0) return;
    main.append(this.remarks());
    main.append(make("h2", { class: "part" }, "Line by line"));
    main.append(
      make("p", { class: "note" },
        "Point at a line, tap it, or walk with the arrow keys: its partners light up. " +
        "The warmer a line, the more bytes are saved for it; pale lines carry no derivative."),
    );
    if (one.sweep.length > 0) main.append(this.switches());
    this.columns = make("div", { class: "columns" });
    main.append(this.columns);
    this.fill();
    if (one.pullback.length > 0) main.append(...this.tape());
    if (one.rules.length > 0) main.append(...this.rules());
    this.update();
  }

  remarks() {
    const list = make("dl", { class: "remarks" });
    for (const [word, text] of this.one.remarks) {
      list.append(make("dt", {}, word), make("dd", {}, text));
    }
    if (this.one.certificate) {
      list.append(make("dt", {}, "verified"), make("dd", { class: "certified" }, this.one.certificate));
    }
    return list;
  }

  switches() {
    const box = make("div", { class: "switch" });
    const texts = ["Forward and pullback", "Both in one sweep"];
    const buttons = texts.map((text, k) => {
      const button = make("button", { type: "button", "aria-pressed": String(k === 0) }, text);
      button.addEventListener("click", () => {
        this.whole = k === 1;
        buttons.forEach((other, j) => other.setAttribute("aria-pressed", String(j === k)));
        this.fill();
        this.update();
      });
      return button;
    });
    box.append(...buttons);
    return box;
  }

  fill() {
    const { one } = this;
    this.rows = this.rows.filter((row) => !row.code);
    this.columns.classList.toggle("two", this.whole || one.pullback.length === 0);
    const shown = [this.sourceColumn()];
    if (this.whole) {
      shown.push(this.writtenColumn("One sweep", one.sweep, "sweep"));
    } else {
      shown.push(this.writtenColumn("Forward", one.forward, "forward"));
      if (one.pullback.length > 0) shown.push(this.writtenColumn("Pullback", one.pullback, "pullback"));
    }
    this.columns.replaceChildren(...shown);
  }

  column(title) {
    const code = make("div", { class: "code", role: "group", "aria-label": title });
    const rows = make("div", { class: "rows" });
    code.append(rows);
    return [make("section", { class: "column" }, make("h3", {}, title), code), rows];
  }

  sourceColumn() {
    const [column, rows] = this.column("Source");
    this.one.sections.forEach((section, k) => {
      if (k > 0) rows.append(make("h4", {}, `${section.name}, ${section.path}`));
      for (const line of section.lines) {
        const spots = [`${section.path}:${line.start}`];
        const words = line.tags.length ? line.tags.join(", ") : undefined;
        const row = this.row(line.number, line.text, spots, words);
        if (line.tags.includes("inactive")) row.classList.add("inactive");
        if (line.number === line.start) row.dataset.spot = spots[0];
        rows.append(row);
      }
    });
    return this.entered(column);
  }

  writtenColumn(title, lines, part) {
    const [column, rows] = this.column(title);
    lines.forEach((line, k) => {
      const row = this.row(k + 1, line.text, line.spots);
      row.dataset.place = `${part}:${k}`;
      rows.append(row);
    });
    return this.entered(column);
  }

  entered(column) {
    const first = column.querySelector(".row");
    if (first) first.tabIndex = 0;
    return column;
  }

  row(number, text, spots, title) {
    const row = make("div", { class: "row", tabindex: "-1", title },
      make("span", { class: "n" }, String(number)), coloured(text), make("span", { class: "bytes" }));
    const entry = { element: row, spots, code: true };
    this.rows.push(entry);
    row.addEventListener("mouseenter", () => this.light(spots, row));
    row.addEventListener("mouseleave", () => this.light([]));
    row.addEventListener("focus", () => this.light(spots, row));
    row.addEventListener("click", () => row.focus({ preventScroll: true }));
    row.addEventListener("keydown", (event) => this.walk(event, row));
    return row;
  }

  walk(event, row) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...row.closest(".code").querySelectorAll(".row")];
    const next = all[all.indexOf(row) + step];
    if (next === undefined) return;
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /* Lights up all that shares a spot; other columns move to the first of theirs. */
  light(spots, from, places = []) {
    const wanted = new Set(spots);
    const moved = new Set(from ? [from.closest(".code")] : []);
    for (const { element, spots: own } of this.rows) {
      const on = element === from || own.some((spot) => wanted.has(spot)) || places.includes(element.dataset.place);
      element.classList.toggle("partner", on);
      const box = element.closest(".code");
      if (on && spots.length > 0 && box && !moved.has(box)) {
        moved.add(box);
        bring(element, box);
      }
    }
  }

  tape() {
    const { one } = this;
    this.total = make("strong", {}, "");
    const sum = make("p", { class: "total" }, this.total, make("code", {}, one.total));
    const box = make("div", { class: "tape" }, sum);
    const sliders = make("div", { class: "sliders" });
    for (const symbol of one.symbols) sliders.append(this.slider(symbol));
    if (one.symbols.length > 0) box.append(sliders);
    const body = make("tbody");
    this.cells = one.ledger.map((item) => this.entry(item, body));
    const heads = ["Saved", "Bytes", "From", "Needed by", "Why it is kept"];
    const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
    if (one.ledger.length > 0) {
      box.append(make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), body)));
    }
    const note = one.ledger.length > 0
      ? "What the forward function keeps for the pullback. Arguments are kept where they are; they cost nothing."
      : "The pullback needs nothing of the forward function.";
    return [make("h2", { class: "part" }, "The tape"), make("p", { class: "note" }, note), box];
  }

  slider(symbol) {
    const output = make("output", {}, String(this.known[symbol.name]));
    const input = make("input", { type: "range", min: 0, max: STEPS, value: 20, "aria-label": `${symbol.name}, ${symbol.meaning}` });
    input.addEventListener("input", () => {
      this.known[symbol.name] = sizeAt(Number(input.value));
      output.textContent = this.known[symbol.name].toLocaleString("en");
      this.update();
    });
    return make("label", { title: symbol.meaning }, make("code", {}, symbol.name), input, output);
  }

  entry(item, body) {
    const amount = make("span", {}, "");
    const formula = make("span", { class: "small" }, make("code", {}, item.formula));
    const readers = item.readers.map((k) => this.one.pullback[k].text.trim());
    const first = readers.slice(0, 2).map((text) => make("code", { class: "small" }, text));
    const rest = readers.length > 2 ? make("span", { class: "small" }, `and ${readers.length - 2} more lines`) : undefined;
    const row = make("tr", { tabindex: "0", class: item.held ? "held" : undefined },
      make("td", { "data-head": "Saved" }, make("code", {}, item.name), make("span", { class: "small" }, item.type)),
      make("td", { class: "number", "data-head": "Bytes" }, amount, item.held ? "" : formula),
      make("td", { "data-head": "From" }, item.spot ? `line ${item.spot.split(":").pop()}` : "–"),
      make("td", { "data-head": "Needed by" }, ...first, rest, readers.length ? "" : "its shape only"),
      make("td", { "data-head": "Why it is kept" }, item.reason));
    const places = item.readers.map((k) => `pullback:${k}`);
    const spots = item.spot ? [item.spot] : [];
    const on = () => { this.light(spots, undefined, places); row.classList.add("partner"); };
    const off = () => { this.light([]); row.classList.remove("partner"); };
    row.addEventListener("mouseenter", on);
    row.addEventListener("mouseleave", off);
    row.addEventListener("focus", on);
    row.addEventListener("blur", off);
    body.append(row);
    return amount;
  }

  rules() {
    const body = make("tbody");
    for (const rule of this.one.rules) {
      const row = make("tr", {},
        make("td", { "data-head": "Call" }, make("code", {}, rule.call)),
        make("td", { "data-head": "Line" }, String(rule.line)),
        make("td", { "data-head": "Derivative" }, make("code", {}, rule.formula)),
        make("td", { "data-head": "Stated in" }, make("code", {}, rule.home)));
      body.append(row);
    }
    const heads = ["Call", "Line", "Derivative", "Stated in"];
    const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
    const note = "f is the result of the call, x and y are its arguments, _bar marks cotangents.";
    return [
      make("h2", { class: "part" }, "The rules behind calls"),
      make("p", { class: "note" }, note),
      make("div", { class: "tape scroll" }, make("table", {}, make("thead", {}, head), body)),
    ];
  }

  /* The figures for the sizes that the sliders say. */
  update() {
    const amounts = this.one.ledger.map((item) => valueOf(item.bytes, this.known));
    const sum = amounts.reduce((a, b) => a + b, 0);
    if (this.total) this.total.textContent = bytesText(sum);
    (this.cells || []).forEach((cell, k) => {
      cell.textContent = this.one.ledger[k].held ? "–" : bytesText(amounts[k]);
    });
    const perSpot = new Map();
    this.one.ledger.forEach((item, k) => {
      if (item.spot) perSpot.set(item.spot, (perSpot.get(item.spot) || 0) + amounts[k]);
    });
    const most = Math.max(1, ...perSpot.values());
    for (const { element } of this.rows) {
      const amount = perSpot.get(element.dataset.spot) || 0;
      if (element.dataset.spot === undefined) continue;
      element.style.setProperty("--load", amount ? String(Math.log1p(amount) / Math.log1p(most)) : "0");
      element.querySelector(".bytes").textContent = amount ? bytesText(amount) : "";
    }
  }
}

function bring(element, box) {
  const at = element.offsetTop;
  if (at < box.scrollTop || at + element.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = at - box.clientHeight / 3;
  }
}

/* ---- the list of functions, and the page ------------------------------------------------- */

const all = facts.modules.flatMap((module) => module.functions.map((one) => ({ module, one })));
const keyOf = ({ module, one }) => `${module.name}:${one.name}`;

function drawList() {
  const words = byId("filter").value.trim().toLowerCase();
  const current = chosen();
  byId("list").replaceChildren(...facts.modules.flatMap((module) => {
    const shown = module.functions.filter((one) => `${module.name}.${one.name}`.toLowerCase().includes(words));
    if (shown.length === 0) return [];
    const items = shown.map((one) => {
      const key = keyOf({ module, one });
      const quiet = { emitted: undefined, error: "error" };
      const link = make("a", {
        href: `#${encodeURIComponent(key)}`,
        class: one.state in quiet ? quiet[one.state] : "quiet",
        "aria-current": current && keyOf(current) === key ? "page" : undefined,
        title: `${one.state}: ${one.why}`,
      }, one.name);
      return make("li", {}, link);
    });
    return [make("h2", {}, module.name), make("ul", {}, ...items)];
  }));
}

function chosen() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  return all.find((item) => keyOf(item) === wanted) || all.find(({ one }) => one.state === "emitted") || all[0];
}

function drawPage() {
  const item = chosen();
  drawList();
  if (item === undefined) {
    byId("main").replaceChildren(make("p", {}, "There are no functions."));
    return;
  }
  document.title = `${item.one.name} – derivatives report`;
  new View(item.module, item.one).draw();
}

/* ---- light and dark ---------------------------------------------------------------------- */

const THEMES = ["system", "light", "dark"];
const system = matchMedia("(prefers-color-scheme: dark)");
let theme = "system";

function applyTheme() {
  root.dataset.theme = theme === "system" ? (system.matches ? "dark" : "light") : theme;
  byId("theme").textContent = `Theme: ${theme}`;
}

byId("theme").addEventListener("click", () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  applyTheme();
});
system.addEventListener("change", applyTheme);
byId("filter").addEventListener("input", drawList);
byId("filter").hidden = all.length < 8;
window.addEventListener("hashchange", () => { if (location.hash !== "#main") drawPage(); });
applyTheme();
drawPage();
