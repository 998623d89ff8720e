// The page of `tayra watch`, whose data come from its server, and of `tayra report`, which has them inside.
// Whatever comes out of a run is set as text, never as markup.
"use strict";

const SOON = 700, LATER = 3000;  // ms between looks at a run under way, and at one that has ended
const MAGMA = "000004 0a0822 1d1147 36106b 51127c 6a1c81 832681 9c2e7f b73779 d0416f e75263 f56b5c fc8961 fea772 " +
  "fec488 fde2a3 fcfdbf";
const SIGNED = "053061 175290 2a71b2 3f8ec0 6bacd1 9bc9e0 c2ddec e0ecf3 f7f6f6 fbe5d8 fbccb4 f5aa89 e48066 d05548 " +
  "ba2832 930e26 67001f";
const STATES = {
  running: ["computing", "busy"], finished: ["finished", "good"], stopped: ["stopped", "care"],
  failed: ["failed", "bad"], lost: ["lost", "bad"], killed: ["killed", "bad"], silent: ["silent", "care"],
  unknown: ["end unknown", "care"], missing: ["no run", "idle"],
};
const AXES = ["x", "y", "z"];

const byId = (id) => document.getElementById(id);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function draw(tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// --- Numbers for people ---------------------------------------------------------------------------------

function digits(value, count = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(count))).replace("-", "−");
  const [mantissa, exponent] = value.toExponential(Math.max(0, Math.min(count, 3) - 1)).split("e");
  return `${Number(mantissa) === 1 ? "" : `${String(Number(mantissa)).replace("-", "−")}·`}10${raised(Number(exponent))}`;
}

function raised(power) {
  return [...String(power)].map((letter) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[letter] ?? "⁻").join("");
}

// Of an axis whose numbers would be long: 10 to this stands once above it.
function commonPower(values) {
  const most = Math.max(...values.map(Math.abs));
  const power = most > 0 ? Math.floor(Math.log10(most) + 1e-9) : 0;
  return power < -2 || power > 3 ? power : 0;
}

function duration(seconds) {
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  if (minutes < 10) return `${minutes} min ${Math.round(seconds % 60)} s`.replace(" 60 s", " 59 s");
  if (hours < 1) return `${Math.round(seconds / 60)} min`;
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function ticks(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) ?? 10);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) found.push(i * step);
  return found;
}

function powers(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / most)), found = [];
  for (let power = first; power <= last; power += every) found.push(10 ** power);
  return found.length > 1 ? found : ticks(low, high, most).filter((value) => value > 0);
}

// --- Curves ---------------------------------------------------------------------------------------------

class Chart {
  constructor() {
    this.host = make("section", "card chart");
    const header = make("header");
    this.title = make("h2");
    this.unit = make("span", "quiet");
    this.log = make("button", "", "log");
    this.log.type = "button";
    this.log.setAttribute("aria-pressed", "false");
    this.log.addEventListener("click", () => {
      this.log.setAttribute("aria-pressed", String(!this.isLog));
      this.draw();
    });
    header.append(this.title, this.unit, this.log);
    this.legend = make("div", "legend");
    this.room = make("div");
    this.host.append(header, this.legend, this.room);
    this.at = null;
    this.room.addEventListener("pointermove", (event) => this.point(event));
    this.room.addEventListener("pointerleave", () => { this.at = null; this.draw(); });
    this.width = 0;
    new ResizeObserver(() => { if (this.room.clientWidth !== this.width) this.draw(); }).observe(this.room);
  }

  get isLog() { return this.log.getAttribute("aria-pressed") === "true"; }

  // lines: label, y and, where they differ between lines, x.
  show(data) {
    this.data = data;
    if (data.title) this.title.textContent = data.title;
    this.unit.textContent = data.unit;
    this.draw();
  }

  point(event) {
    if (!this.scale) return;
    this.at = this.scale.back(event.clientX - this.room.getBoundingClientRect().left);
    this.draw();
  }

  shown(value) { return value !== null && (!this.isLog || value > 0); }

  draw() {
    if (!this.data) return;
    const lines = this.data.lines.map((line) => ({ ...line, x: line.x ?? this.data.x }));
    const width = this.width = this.room.clientWidth, height = 190;
    if (width < 60) return;
    const xs = lines.flatMap((line) => line.x.filter((x, i) => x !== null && this.shown(line.y[i])));
    const ys = lines.flatMap((line) => line.y.filter((y) => this.shown(y)));
    const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": this.data.title });
    this.room.replaceChildren(svg);
    if (!ys.length) {
      svg.append(draw("text", { x: width / 2, y: height / 2, "text-anchor": "middle" },
        this.isLog ? "nothing positive to show" : "no values yet"));
      this.tell(lines);
      return;
    }
    const box = { left: 58, right: width - 10, top: 16, bottom: height - 34 };
    let x0 = xs.reduce((a, b) => Math.min(a, b)), x1 = xs.reduce((a, b) => Math.max(a, b));
    let y0 = ys.reduce((a, b) => Math.min(a, b)), y1 = ys.reduce((a, b) => Math.max(a, b));
    if (x1 === x0) { x0 -= 0.5; x1 += 0.5; }
    if (this.isLog) {
      y0 = Math.max(y0, y1 * 1e-12);
      if (y1 === y0) { y0 /= 2; y1 *= 2; }
    } else {
      if (y0 > 0 && y0 < 0.6 * y1) y0 = 0;
      // A constant's rounding is no course of it.
      const least = Math.max(1e-9 * Math.max(Math.abs(y0), Math.abs(y1)), 1e-300);
      if (y1 - y0 < least) { const pad = Math.abs(y1) > 0 ? 0.1 * Math.abs(y1) : 1; y0 -= pad; y1 += pad; }
      else { const pad = 0.04 * (y1 - y0); y1 += pad; if (y0 !== 0) y0 -= pad; }
    }
    const way = this.isLog ? Math.log : (value) => value;
    const toX = (x) => box.left + (x - x0) / (x1 - x0) * (box.right - box.left);
    const toY = (y) => box.bottom - (way(y) - way(y0)) / (way(y1) - way(y0)) * (box.bottom - box.top);
    this.scale = { back: (px) => x0 + (px - box.left) / (box.right - box.left) * (x1 - x0) };
    const marks = this.isLog ? powers(y0, y1, 5) : ticks(y0, y1, 5);
    const common = this.isLog ? 0 : commonPower(marks);
    for (const y of marks) {
      svg.append(draw("line", { class: "grid", x1: box.left, x2: box.right, y1: toY(y), y2: toY(y) }),
        draw("text", { x: box.left - 7, y: toY(y) + 4, "text-anchor": "end" }, digits(y / 10 ** common, 4)));
    }
    if (common) svg.append(draw("text", { x: box.left, y: 10 }, `× 10${raised(common)}`));
    for (const x of ticks(x0, x1, Math.max(2, Math.floor(width / 95))))
      svg.append(draw("text", { x: toX(x), y: box.bottom + 16, "text-anchor": "middle" }, digits(x, 6)));
    svg.append(draw("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
      draw("text", { x: box.right, y: height - 3, "text-anchor": "end" }, this.data.x_label));
    lines.forEach((line, index) => {
      let path = "", isOn = false, points = 0;
      line.y.forEach((y, i) => {
        if (this.shown(y) && line.x[i] !== null && (!this.isLog || y >= y0)) {
          path += `${isOn ? "L" : "M"}${toX(line.x[i]).toFixed(1)} ${toY(y).toFixed(1)}`;
          isOn = true;
          ++points;
        } else isOn = false;
      });
      svg.append(draw("path", { class: `line line${index % 7}`, d: path }));
      const at = this.nearest(line);
      if (this.at !== null || points === 1) {
        if (at >= 0) svg.append(draw("circle", { class: `dot line${index % 7}`, cx: toX(line.x[at]), cy: toY(line.y[at]), r: 3.5 }));
      }
    });
    const at = this.at === null ? -1 : this.nearest(lines[0]);
    if (at >= 0) {
      const x = toX(lines[0].x[at]);
      svg.append(draw("line", { class: "cross", x1: x, x2: x, y1: box.top, y2: box.bottom }));
    }
    this.tell(lines);
  }

  // Where the pointer is, else the last point.
  nearest(line) {
    let best = -1;
    line.y.forEach((y, i) => {
      if (!this.shown(y) || line.x[i] === null) return;
      if (best < 0 || this.at === null || Math.abs(line.x[i] - this.at) <= Math.abs(line.x[best] - this.at)) best = i;
    });
    return best;
  }

  tell(lines) {
    const parts = lines.map((line, index) => {
      const part = make("span"), mark = draw("svg", { viewBox: "0 0 22 8", "aria-hidden": "true" });
      mark.append(draw("path", { class: `line line${index % 7}`, d: "M1 4H21" }));
      const at = this.nearest(line);
      part.append(mark, `${line.label} `, make("b", "", at < 0 ? "–" : digits(line.y[at], 4)));
      return part;
    });
    const at = this.at === null ? -1 : this.nearest(lines[0]);
    if (at >= 0) parts.push(make("span", "where", `at ${this.data.x_label} ${digits(lines[0].x[at], 5)}`));
    this.legend.replaceChildren(...parts);
  }
}

// --- A slice --------------------------------------------------------------------------------------------

const colours = (stops) => stops.split(" ").map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));

// Between the values of the lowest and the highest colour, symmetric about zero where that lies between.
function paint(canvas, { header, values }, low, high) {
  [low, high] = [low ?? 0, high ?? 1];
  const isSigned = low < 0 && high > 0;
  if (isSigned) { high = Math.max(-low, high); low = -high; }
  if (high === low) { low -= 0.5; high += 0.5; }
  const stops = colours(isSigned ? SIGNED : MAGMA);
  const colour = (share) => {
    const place = Math.max(0, Math.min(1, share)) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(place));
    return stops[i].map((from, k) => from + (place - i) * (stops[i + 1][k] - from));
  };
  const table = Array.from({ length: 256 }, (_, i) => colour(i / 255));
  canvas.width = header.columns;
  canvas.height = header.rows;
  const context = canvas.getContext("2d"), image = context.createImageData(header.columns, header.rows);
  for (let row = 0; row < header.rows; ++row) {
    const from = (header.rows - 1 - row) * header.columns;  // z goes up
    for (let column = 0; column < header.columns; ++column) {
      const value = values[from + column], to = 4 * (row * header.columns + column);
      if (!Number.isFinite(value)) continue;  // left clear
      const [r, g, b] = table[Math.max(0, Math.min(255, Math.round((value - low) / (high - low) * 255)))];
      image.data[to] = r;
      image.data[to + 1] = g;
      image.data[to + 2] = b;
      image.data[to + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return { low, high, colour };
}

class Plane {
  constructor(room) {
    this.room = room;
    this.line = new Chart();
    this.width = 0;
    new ResizeObserver(() => { if (this.plane && this.room.clientWidth !== this.width) this.draw(); }).observe(room);
  }

  // cells: of the whole box.
  show(plane, cells) {
    this.plane = plane;
    this.cells = cells;
    this.draw();
  }

  draw() {
    const { header } = this.plane;
    this.width = this.room.clientWidth;
    if (header.line) this.drawLine(header);
    else this.drawPlane(header);
  }

  drawLine(header) {
    const [left, right] = header.extent, n = header.columns;
    const x = Array.from({ length: n }, (_, i) => left + (i + 0.5) / n * (right - left));
    if (!this.line.host.isConnected) this.room.replaceChildren(this.line.host);
    this.line.host.className = "chart";
    this.line.show({ title: `t = ${digits(header.time, 6)}`, unit: header.units === "1" ? "" : header.units,
      x_label: header.line, x,
      lines: [{ label: header.fields[header.field], y: Array.from(this.plane.values, (v) => Number.isFinite(v) ? v : null) }] });
  }

  drawPlane(header) {
    const [left, right, bottom, top] = header.extent;
    const box = { left: 44, top: 24, right: 74, bottom: 36 };
    const aspect = (right - left) / (top - bottom);
    const most = Math.max(260, Math.min(640, 0.72 * window.innerHeight));
    const width = Math.max(40, Math.min(this.width - box.left - box.right, most * aspect));
    const height = Math.max(30, width / aspect);
    const frame = make("div", "frame"), canvas = make("canvas");
    const svg = draw("svg", { width: this.width, height: height + box.top + box.bottom });
    frame.append(svg, canvas);
    // In the middle of its room.
    const x0 = box.left + Math.max(0, (this.width - box.left - box.right - width) / 2), y0 = box.top;
    canvas.style.left = `${x0}px`;
    canvas.style.top = `${y0}px`;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const scale = paint(canvas, this.plane, header.low, header.high);
    const text = (x, y, anchor, words) => svg.append(draw("text", { x, y, "text-anchor": anchor }, words));
    const toX = (x) => x0 + (x - left) / (right - left) * width;
    const toY = (y) => y0 + (top - y) / (top - bottom) * height;
    for (const x of ticks(left, right, Math.max(1, Math.min(4, width / 60)))) {
      svg.append(draw("line", { class: "axis", x1: toX(x), x2: toX(x), y1: y0 + height, y2: y0 + height + 4 }));
      text(toX(x), y0 + height + 17, "middle", digits(x, 3));
    }
    for (const y of ticks(bottom, top, Math.max(1, Math.min(6, height / 50)))) {
      svg.append(draw("line", { class: "axis", x1: x0 - 4, x2: x0, y1: toY(y), y2: toY(y) }));
      text(x0 - 8, toY(y) + 4, "end", digits(y, 3));
    }
    text(x0 + width, y0 + height + 32, "end", header.horizontal);
    text(x0 - 8, y0 - 9, "end", header.vertical);
    const units = header.units === "1" || !header.units ? "" : ` [${header.units.replace("^2", "²").replace("^3", "³")}]`;
    text(x0, y0 - 9, "start", `${header.fields[header.field]}${units}`);
    this.drawBar(svg, scale, x0 + width + 12, y0, Math.min(height, 260));
    const read = make("div", "read");
    const where = header.mean ? `mean along ${AXES[header.axis]}` : `${AXES[header.axis]} = ${digits(header.position, 4)}`;
    const usual = `t = ${digits(header.time, 6)}, step ${header.step}, ${where}${this.shareText(header)}`;
    read.textContent = usual;
    canvas.addEventListener("pointermove", (event) => {
      const place = canvas.getBoundingClientRect();
      const u = (event.clientX - place.left) / place.width, v = 1 - (event.clientY - place.top) / place.height;
      const column = Math.max(0, Math.min(header.columns - 1, Math.floor(u * header.columns)));
      const row = Math.max(0, Math.min(header.rows - 1, Math.floor(v * header.rows)));
      read.textContent = `${header.horizontal} = ${digits(left + u * (right - left), 4)}, ` +
        `${header.vertical} = ${digits(bottom + v * (top - bottom), 4)}: ` +
        `${digits(this.plane.values[row * header.columns + column], 5)}`;
    });
    canvas.addEventListener("pointerleave", () => { read.textContent = usual; });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${header.mean ? "mean" : "slice"} of ${header.fields[header.field]}`);
    this.room.replaceChildren(frame, read);
  }

  // Of a plane with more cells than are shown.
  shareText(header) {
    if (!header.live) return header.stride > 1 ? `; one cell of ${header.stride} along each axis is shown` : "";
    const [columns, rows] = [header.horizontal, header.vertical].map((axis) => this.cells[AXES.indexOf(axis)]);
    return columns > header.columns || rows > header.rows
      ? `; ${header.columns} × ${header.rows} of ${columns} × ${rows} cells are shown` : "";
  }

  drawBar(svg, scale, x, y, height) {
    const pieces = 64;
    for (let i = 0; i < pieces; ++i) {
      const [r, g, b] = scale.colour(1 - (i + 0.5) / pieces).map(Math.round);
      svg.append(draw("rect", { x, y: y + i * height / pieces, width: 11, height: height / pieces + 0.6, fill: `rgb(${r} ${g} ${b})` }));
    }
    for (const value of ticks(scale.low, scale.high, Math.max(1, Math.min(5, height / 40)))) {
      const at = y + (scale.high - value) / (scale.high - scale.low) * height;
      svg.append(draw("text", { x: x + 17, y: at + 4 }, digits(value, 3)));
    }
  }
}

function planeOf(buffer) {
  const bytes = new Uint8Array(buffer), end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return { header, values: new Float32Array(buffer.slice(end + 1)) };
}

// --- Where the data come from ---------------------------------------------------------------------------

class FromServer {
  constructor() { this.mark = ""; }

  // null: nothing has changed.
  async state(run, column, anyway) {
    const query = new URLSearchParams({ run, column, have: anyway ? "" : this.mark });
    const answer = await fetch(`state?${query}`, { signal: AbortSignal.timeout(30000) });
    if (answer.status === 204) return null;
    if (!answer.ok) throw new Error(await answer.text());
    this.mark = answer.headers.get("X-Mark") ?? "";
    return answer.json();
  }

  async plane(choice) {
    const answer = await fetch(`plane?${new URLSearchParams(choice)}`);
    if (!answer.ok) throw new Error(await answer.text());
    return planeOf(await answer.arrayBuffer());
  }
}

class FromPage {
  constructor(data) { this.data = data; }

  async state(run, column) {
    const { runs, details, compared } = this.data;
    const chosen = compared && (column in compared.curves ? column : compared.column);
    return { runs, run, detail: details[run],
      ...(compared ? { compared: { ...compared, column: chosen, curves: compared.curves[chosen] } } : {}) };
  }

  async plane(choice) {
    const of = this.data.planes.filter((one) => one.run === choice.run && one.series === (choice.series ?? 0) &&
      one.number === choice.number);
    // Of older moments it holds the usual field alone.
    const found = of.find((one) => one.field === choice.field) ?? of[0];
    if (!found) throw new Error("this report holds no such slice");
    return planeOf(Uint8Array.from(atob(found.data), (letter) => letter.charCodeAt(0)).buffer);
  }
}

// --- The page -------------------------------------------------------------------------------------------

class Page {
  constructor() {
    const inside = byId("inside");
    this.source = inside ? new FromPage(JSON.parse(inside.textContent)) : new FromServer();
    this.isReport = Boolean(inside);
    this.run = 0;
    this.column = "";
    this.choice = {};  // of the slice: series, field, axis, and a number unless it is the newest
    this.charts = new Map();
    this.plane = new Plane(byId("plane"));
    this.overlay = new Chart();
    this.overlay.host.className = "chart";
    byId("overlay").append(this.overlay.host);
    this.overlay.title.append(byId("pick"));
    for (const name of ["field", "axis", "series"])
      byId(name).addEventListener("change", (event) => this.choose(name, event.target.value));
    byId("number").addEventListener("input", (event) => {
      const numbers = this.numbers(), place = Number(event.target.value);
      if (place >= numbers.length - 1) delete this.choice.number;
      else this.choice.number = numbers[place];
      this.loadPlane();
    });
    byId("column").addEventListener("change", (event) => { this.column = event.target.value; this.look(true); });
    if (this.isReport) {
      byId("served").textContent = `wrote this report on ${this.source.data.written}.`;
    }
    this.tick();
  }

  async tick() {
    let wait = LATER;
    try {
      await this.look(false);
      if (this.state?.runs.some((run) => run.is_under_way)) wait = SOON;
      byId("lost").hidden = true;
    } catch (error) {
      byId("lost").textContent = error instanceof TypeError || error.name === "TimeoutError"
        ? "tayra watch has ended, or the way to it is cut: what stands here is the last it told" : error.message;
      byId("lost").hidden = false;
    }
    if (!this.isReport) setTimeout(() => this.tick(), document.hidden ? 2 * LATER : wait);
  }

  async look(anyway) {
    const asked = this.run, state = await this.source.state(asked, this.column, anyway);
    if (!state || asked !== this.run) return;
    // What is shown by itself may change when a run begins or ends, and has other fields then.
    if (state.detail.usual !== this.state?.detail.usual && this.choice.series === undefined) this.choice = {};
    this.state = state;
    this.show();
  }

  show() {
    const { runs, detail, compared } = this.state, run = runs[this.run];
    this.showRuns(runs);
    this.showCompared(runs, compared);
    this.showHead(run);
    this.showTiles(run, detail);
    this.showPhases(detail);
    this.showCharts(detail.charts);
    this.showFacts(detail.facts);
    this.showPictures(detail.pictures);
    if (this.isReport) this.showStrip(detail.pictures);
    if (compared?.tables) this.showTables(compared.tables);
  }

  // The usual field at all moments of a report, in the same colours.
  async showStrip(pictures) {
    const numbers = pictures[0]?.numbers ?? [];
    const planes = await Promise.all(numbers.map((number) => this.source.plane({ run: this.run, number })));
    byId("strip").hidden = planes.length < 2 || planes.some((plane) => plane.header.line);
    if (byId("strip").hidden) return;
    const low = Math.min(...planes.map((plane) => plane.header.low)), high = Math.max(...planes.map((plane) => plane.header.high));
    byId("strip").replaceChildren(...planes.map((plane) => {
      const figure = make("figure"), canvas = make("canvas");
      paint(canvas, plane, low, high);
      const [left, right, bottom, top] = plane.header.extent;
      canvas.style.aspectRatio = `${right - left} / ${top - bottom}`;
      figure.append(canvas, make("figcaption", "", `t = ${digits(plane.header.time, 4)}`));
      return figure;
    }));
  }

  showTables(tables) {
    byId("tables").hidden = false;
    if (!this.fresh("tables", tables)) return;
    byId("tables").replaceChildren(...tables.map(({ title, columns, rows, note }) => {
      const card = make("div", "card"), table = make("table");
      card.append(make("h2", "", title));
      const line = (cells, tag) => {
        const row = make("tr");
        row.append(...cells.map((cell) => make(tag, "", cell)));
        return row;
      };
      if (rows.length) table.append(line(columns, "th"), ...rows.map((cells) => line(cells, "td")));
      card.append(table);
      if (note) card.append(make("p", "quiet", note));
      return card;
    }));
  }

  // Rebuilt only where something has changed, so that nothing is lost under the pointer.
  fresh(place, data) {
    const text = JSON.stringify(data), kept = this.kept ??= new Map();
    if (kept.get(place) === text) return false;
    kept.set(place, text);
    return true;
  }

  showRuns(runs) {
    byId("runs").hidden = runs.length < 2;
    if (!this.fresh("runs", [runs.map((r) => [r.name, r.state, r.share, r.seconds_left, r.speed]), this.run])) return;
    const focused = [...byId("runs").children].indexOf(document.activeElement);
    byId("runs").replaceChildren(...runs.map((run, index) => {
      const [word, tone] = STATES[run.state] ?? [run.state, "idle"];
      const card = make("button"), top = make("span", "top"), bar = make("span", `bar ${tone}`), done = make("i");
      card.type = "button";
      card.setAttribute("aria-pressed", String(index === this.run));
      top.append(make("span", "", run.name), make("span", tone, word));
      done.style.width = `${100 * (run.share ?? 0)}%`;
      bar.append(done);
      const told = [run.share === null ? "" : `${(100 * run.share).toFixed(0)} %`,
        run.seconds_left === null ? "" : `${duration(run.seconds_left)} left`,
        run.speed ? `${digits(run.speed, 3)} cell-steps/s` : ""];
      card.append(top, bar, make("small", "", told.filter(Boolean).join(" · ")));
      card.addEventListener("click", () => {
        this.run = index;
        this.choice = {};
        this.loaded = null;
        this.look(true);
      });
      return card;
    }));
    if (focused >= 0) byId("runs").children[focused].focus();
  }

  showCompared(runs, compared) {
    byId("compared").hidden = !compared?.column;
    if (!compared?.column) return;
    this.options("column", compared.columns.map((name) => [name, name.replaceAll("_", " ")]), compared.column);
    this.overlay.show({ title: "", unit: "", x_label: "time", x: [],
      lines: runs.map((run, i) => ({ label: run.name, ...compared.curves[i] })).filter((line) => line.y.length) });
  }

  showHead(run) {
    const [word, tone] = STATES[run.state] ?? [run.state, "idle"];
    byId("name").textContent = run.name;
    byId("name").title = run.directory;
    byId("state").textContent = word;
    byId("state").className = `state ${tone}`;
    byId("flow").textContent = [run.problem, run.cells.length ? `${run.cells.join(" × ")} cells` : "", run.scheme, run.precision,
      run.machine].filter(Boolean).join(" · ");
    const percent = run.share === null ? null : Math.floor(100 * run.share + 1e-9);
    const bar = byId("bar");
    bar.hidden = percent === null;
    bar.className = `bar ${tone}`;
    bar.firstElementChild.style.width = `${100 * (run.share ?? 0)}%`;
    bar.setAttribute("aria-valuenow", percent ?? 0);
    byId("left").textContent = run.seconds_left !== null ? duration(run.seconds_left) : run.seconds_so_far !== null && !run.is_under_way
      ? duration(run.seconds_so_far) : "";
    byId("left-of").textContent = run.seconds_left !== null ? `left, ${duration(run.seconds_so_far ?? 0)} so far`
      : run.seconds_so_far !== null && !run.is_under_way ? "from start to end" : "";
    const of = (value, end, text) => value === null ? "" : `${text} ${value}${end ? ` of ${end}` : ""}`;
    byId("reached").textContent = [percent === null ? "" : `${percent} %`,
      of(run.time === null ? null : digits(run.time, 5), run.end_time && digits(run.end_time, 5), "time"),
      of(run.step, run.end_step, "step")].filter(Boolean).join(" · ");
    byId("waits").textContent = run.waits_for.join(" · ");
    byId("told").textContent = run.is_under_way && run.state === "running" ? "" : run.told;
    byId("told").hidden = !byId("told").textContent;
    byId("told").className = `told ${tone}`;
    document.title = `${percent === null || !run.is_under_way ? word : `${percent} %`} · ${run.name} – Tayra`;
    const warnings = [...run.warnings, ...run.missing];
    byId("warnings").hidden = !warnings.length;
    if (this.fresh("warnings", warnings)) byId("warnings").replaceChildren(...warnings.map((text) => make("li", "", text)));
  }

  showTiles(run, detail) {
    const tiles = [];
    if (run.speed) {
      const share = run.bound ? `${(100 * run.speed / run.bound).toFixed(0)} % of what the memory of ${run.bound_of} allows`
        : "cell-steps/s";
      tiles.push(["Speed", digits(run.speed, 3), run.bound ? `cell-steps/s, ${share}` : share]);
    }
    for (const tile of detail.tiles) tiles.push([tile.title, digits(tile.value, tile.digits), tile.unit]);
    byId("tiles").hidden = !tiles.length;
    if (!this.fresh("tiles", tiles)) return;
    byId("tiles").replaceChildren(...tiles.map(([title, value, unit]) => {
      const tile = make("div"), dd = make("dd", "", value);
      if (unit) dd.append(make("small", "", unit));
      tile.append(make("dt", "", title), dd);
      return tile;
    }));
  }

  showPhases(detail) {
    byId("phases").hidden = !detail.phases.length;
    if (!detail.phases.length || !this.fresh("phases", [detail.phases, detail.slabs])) return;
    const rows = detail.phases.map((phase) => {
      const row = make("div", "phase"), stack = make("div", "stack");
      const total = Object.values(phase.parts).reduce((a, b) => a + b, 0) || 1;
      Object.values(phase.parts).forEach((ms, index) => {
        const part = make("i", `part${index}`);
        part.style.width = `${100 * ms / total}%`;
        stack.append(part);
      });
      row.append(make("span", "quiet", phase.of), stack, make("span", "", `${digits(total, 3)} ms`));
      return row;
    });
    const keys = make("div", "keys"), now = detail.phases[0].parts;
    const total = Object.values(now).reduce((a, b) => a + b, 0) || 1;
    Object.entries(now).forEach(([name, ms], index) => {
      const key = make("span");
      key.append(make("i", `part${index}`), `${name} ${(100 * ms / total).toFixed(1)} %`);
      keys.append(key);
    });
    byId("bars").replaceChildren(...rows, keys);
    const slabs = detail.slabs, most = Math.max(...slabs.map((slab) => slab.compute + slab.exposed), 1e-9);
    byId("slabs").replaceChildren(...(slabs.length ? [make("h2", "", "By slab, from the lowest up")] : []), ...slabs.map((slab) => {
      const row = make("div", "phase"), stack = make("div", "stack");
      for (const [index, key] of ["compute", "exposed"].entries()) {
        const part = make("i", `part${index}`);
        part.style.width = `${100 * slab[key] / most}%`;
        stack.append(part);
      }
      row.append(make("span", "quiet", `slab ${slab.slab}`), stack, make("span", "", `${digits(slab.compute + slab.exposed, 3)} ms`));
      return row;
    }));
  }

  showCharts(charts) {
    byId("no-charts").hidden = charts.length > 0;
    const titles = charts.map((chart) => chart.title);
    if (this.fresh("charts", titles)) {
      for (const title of titles) if (!this.charts.has(title)) this.charts.set(title, new Chart());
      for (const [place, x] of [["charts", "time"], ["step-charts", "step"]])
        byId(place).replaceChildren(...charts.filter((one) => one.x_label === x).map((one) => this.charts.get(one.title).host));
    }
    for (const chart of charts) this.charts.get(chart.title).show(chart);
  }

  showFacts(facts) {
    if (!this.fresh("facts", facts)) return;
    const open = new Set([...byId("facts").querySelectorAll("details[open]")].map((one) => one.dataset.title));
    byId("facts").replaceChildren(...facts.map(({ title, rows = [], text }) => {
      const details = make("details"), table = make("table");
      details.dataset.title = title;
      details.open = this.isReport || open.has(title);
      for (const [key, value] of rows) {
        const row = make("tr");
        row.append(make("td", "", key), make("td", "", value));
        table.append(row);
      }
      details.append(make("summary", "", title), text === undefined ? table : make("pre", "", text));
      return details;
    }));
  }

  // --- The slice and its choices

  options(id, pairs, value) {
    if (this.fresh(id, pairs)) {
      byId(id).replaceChildren(...pairs.map(([key, text]) => {
        const option = make("option", "", text);
        option.value = key;
        return option;
      }));
    }
    byId(id).value = value;
  }

  get series() { return this.choice.series ?? this.state.detail.usual; }

  numbers() {
    return this.state.detail.pictures[this.series]?.numbers ?? [];
  }

  momentText(number) {
    const numbers = this.numbers();
    return number === numbers.at(-1) ? `snapshot ${number}, the newest of ${numbers.length}` : `snapshot ${number}; the newest is ${numbers.at(-1)}`;
  }

  showPictures(pictures) {
    const numbers = this.numbers();
    byId("no-plane").hidden = numbers.length > 0;
    byId("no-plane").textContent = "No snapshot yet.";
    byId("axis").parentElement.hidden = this.isReport || Boolean(pictures[this.series]?.live);
    byId("series-pick").hidden = pictures.length < 2;
    this.options("series", pictures.map((one, index) => [String(index), one.name]), String(this.series));
    if (!numbers.length) {
      byId("plane").replaceChildren();
      byId("moment").hidden = true;
      this.loaded = null;
      return;
    }
    byId("moment").hidden = numbers.length < 2;
    const chosen = this.choice.number === undefined ? numbers.length - 1 : numbers.indexOf(this.choice.number);
    byId("number").max = numbers.length - 1;
    byId("number").value = chosen;
    byId("moment-of").textContent = this.momentText(numbers[chosen]);
    this.loadPlane();
  }

  choose(name, value) {
    if (name === "series") this.choice = {};
    this.choice[name] = Number(value);
    this.showPictures(this.state.detail.pictures);
  }

  async loadPlane() {
    const numbers = this.numbers(), number = this.choice.number ?? numbers.at(-1);
    if (number === undefined) return;
    const asked = { run: this.run, ...this.choice, series: this.series, number }, mark = JSON.stringify(asked);
    if (this.loaded === mark) return;
    this.loaded = mark;
    byId("moment-of").textContent = this.momentText(number);
    try {
      const plane = await this.source.plane(asked);
      if (this.loaded !== mark) return;  // another was asked for meanwhile
      const { header } = plane;
      const fields = header.fields.map((name, index) => [String(index), name.replaceAll("_", " ")]);
      this.options("field", fields, String(header.field));
      this.options("axis", AXES.map((axis, index) => [String(index), axis]), String(header.axis));
      this.plane.show(plane, this.state.runs[this.run].cells);
    } catch (error) {
      if (this.loaded !== mark) return;
      byId("plane").replaceChildren();
      byId("no-plane").textContent = error.message;
      byId("no-plane").hidden = false;
    }
  }
}

new Page();
