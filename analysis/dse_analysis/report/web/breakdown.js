// Parts of the iteration time and of the memory of the numbered points.
function partsOf(kind) {
  return data.parts[kind].map((part) => ({ ...part, column: metricOf.get(part.name) }))
    .filter((part) => part.column && part.column.values.some((value) => value > 0));
}

// Each part's column has a display unit of its own: to the unit of the whole.
const unitSizes = { d: 86400, s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9, TiB: 2 ** 40, GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, B: 1 };

function inUnitOf(whole, column, point) {
  return column.values[point] * (unitSizes[column.unit] / unitSizes[whole.unit]);
}

function nameOf(point, place) {
  const differing = axes.filter((column) => new Set(state.chosen.map((other) => textOf(column, other))).size > 1);
  const text = differing.slice(0, 6).map((column) => `${column.title} ${textOf(column, point)}`).join(", ");
  return `${place + 1}${text && window.innerWidth >= 960 ? `  ${text}` : ""}`;
}

function drawParts(kind, whole, title) {
  const target = byId(`breakdown-${kind}`), table = byId(`table-${kind}`), parts = partsOf(kind);
  const points = state.chosen, names = points.map(nameOf);
  const count = whole && parts.length ? points.length : 0;
  target.hidden = count < 2;
  table.hidden = count !== 1;
  if (!count) return;
  const isKnown = (point) => parts.some((part) => Number.isFinite(part.column.values[point]));
  const traces = parts.filter((part) => points.some((point) => part.column.values[point] > 0)).map((part) => ({
    type: "bar", orientation: "h", name: part.title, y: names, x: points.map((point) => inUnitOf(whole, part.column, point) || 0),
    marker: { color: part.color, line: { color: "#fff", width: 0.6 }, pattern: { shape: part.pattern, fillmode: "overlay", fgcolor: "rgba(255,255,255,0.8)", size: 7, solidity: 0.22 } },
    hovertemplate: `${part.title}: <b>%{x:.4g} ${whole.unit}</b><extra></extra>`,
  }));
  if (!points.every(isKnown)) traces.push({
    type: "bar", orientation: "h", name: "parts not computed", y: names, x: points.map((point) => (isKnown(point) ? 0 : whole.values[point])),
    marker: { color: "#fff", line: { color: "#57606a", width: 1 } }, hovertemplate: `parts not computed: <b>%{x:.4g} ${whole.unit}</b><extra></extra>`,
  });
  if (count === 1) { fillPartsTable(table, traces, whole, title); return; }
  const totals = points.map((point, i) => ({ x: whole.values[point], y: names[i], text: number(whole.values[point]), xanchor: "left", showarrow: false, xshift: 3 }));
  Plotly.react(target, traces, layoutOf({
    height: 120 + 30 * points.length, barmode: "stack", bargap: 0.28, annotations: totals, margin: { l: 40, r: 60, t: 54, b: 44 },
    xaxis: { title: { text: `${title} [${whole.unit}]` } }, yaxis: { autorange: "reversed", type: "category", ticks: "", showgrid: false },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, traceorder: "normal" },
  }), plotSettings);
}

// One point is a table, not a chart of one bar.
function fillPartsTable(table, traces, whole, title) {
  const rows = traces.map((trace) => [trace.name, trace.x[0]]).filter(([, value]) => value > 0);
  const [point] = state.chosen, total = whole.values[point];
  table.replaceChildren(element("caption", {}, `${title} of point ${data.ids[point]}: ${number(total)} ${whole.unit}`),
    element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("td", { class: "name" }, name),
      element("td", {}, `${number(value)} ${whole.unit}`), element("td", {}, `${number(Math.round((1000 * value) / total) / 10)} %`)))));
}

function drawBreakdown() {
  drawParts("time", metricOf.get("iteration_time"), "iteration time");
  drawParts("memory", metricOf.get("memory_peak"), "memory peak");
}

function startBreakdown() {
  state.on("choice", drawBreakdown);
  drawBreakdown();
}
