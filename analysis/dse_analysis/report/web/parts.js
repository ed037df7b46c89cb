// Small pieces of the page that several sections use.
const byId = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function fillSelect(select, columns, chosen) {
  select.replaceChildren(...columns.map((column) => element("option", { value: column.name }, column.title)));
  if (chosen) select.value = chosen.name;
}

// What several values have in common in ink: lines, type and margins of every plot.
const plotSettings = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };

function layoutOf(extra) {
  const axis = { gridcolor: "#e6e9ec", linecolor: "#57606a", zeroline: false, automargin: true, ticks: "outside", ticklen: 4 };
  return {
    font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: "#1b1f24" },
    paper_bgcolor: "#fff", plot_bgcolor: "#fff", margin: { l: 60, r: 16, t: 28, b: 48 }, hoverlabel: { bgcolor: "#fff", align: "left", font: { size: 12 } },
    ...extra, xaxis: { ...axis, ...extra.xaxis }, yaxis: { ...axis, ...extra.yaxis },
  };
}

// Dark to mid tones of viridis: as legible in grey, and nothing yellow on white.
const tones = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#8bc34a"];

function tone(share) {
  const place = Math.min(Math.max(share, 0), 1) * (tones.length - 1), low = Math.min(Math.floor(place), tones.length - 2);
  const parse = (text) => [1, 3, 5].map((start) => parseInt(text.slice(start, start + 2), 16));
  const a = parse(tones[low]), b = parse(tones[low + 1]);
  return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * (place - low))).join(",")})`;
}

// Classes of a column: its values where they are few, ranges with equally many points where they are not.
function classesOf(column) {
  if (column.isCoded && column.texts.length <= 8) return { names: column.texts, of: (point) => column.values[point] };
  const sorted = Array.from(column.values).filter(Number.isFinite).sort((a, b) => a - b);
  const starts = [...new Set(Array.from({ length: 7 }, (_, i) => sorted[Math.floor((i * sorted.length) / 7)]))];
  const show = (value) => (column.isCoded ? column.texts[value] : number(value));
  return {
    names: starts.map((start, i) => (i + 1 < starts.length ? `${show(start)} …` : `≥ ${show(start)}`)),
    of: (point) => Math.max(starts.findLastIndex((start) => column.values[point] >= start), 0),
  };
}

// Whether a graphics processor draws: WebGL in software is slower than SVG with fewer points.
function hasWebGl() {
  const context = document.createElement("canvas").getContext("webgl");
  if (!context) return false;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const renderer = context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|software/i.test(renderer);
}

function endsOf(column) {
  let low = Infinity, high = -Infinity;
  for (const value of column.values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  return [low, high];
}

// Whether values span close to a decade or more.
function isLogarithmic(column) {
  const [low, high] = endsOf(column);
  return low > 0 && high / low > 8;
}

// Ticks of a logarithmic axis, each written out: 1, 2, 5, 10, …; of many decades, whole ones.
function logTicks(column) {
  const [low, high] = endsOf(column), from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
  const digits = to - from > 4 ? [1] : [1, 2, 5], ticks = [];
  for (let power = from; power <= to; power++) for (const digit of digits) ticks.push(Number((digit * 10 ** power).toPrecision(1)));
  return { tickvals: ticks, ticktext: ticks.map(number) };
}
