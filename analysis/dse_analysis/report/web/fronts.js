// Selected points over any two metrics, with their front.
const symbols = ["circle", "square", "diamond", "triangle-up", "x", "cross", "triangle-down", "star"];
const mostDrawnPlainly = 4000;  // as SVG; above it by WebGL where the browser has it
const mostBars = 60;  // of a front; more hide its points
let usesWebGl = null;

function hoverText(point) {
  const lines = [...axes, ...new Set([...objectives, metricOf.get(byId("x").value), metricOf.get(byId("y").value)])]
    .map((column) => `${column.title}: <b>${withBars(column, point)}</b>`);
  return `point ${data.ids[point]}<br>${lines.join("<br>")}`;
}

function scatter(points, x, y, marker, extra) {
  return {
    type: usesWebGl ? "scattergl" : "scatter", mode: "markers", x: points.map((point) => x.values[point]),
    y: points.map((point) => y.values[point]), marker, customdata: points, ...extra,
  };
}

// A seeded shuffle: in file order the last value of an axis would hide the first.
function shuffled(points) {
  let seed = 1;
  const drawn = points.slice();
  for (let i = drawn.length - 1; i > 0; i--) {
    seed = (seed * 48271) % 2147483647;
    const j = seed % (i + 1);
    [drawn[i], drawn[j]] = [drawn[j], drawn[i]];
  }
  return drawn;
}

function pointTraces(points, x, y, color) {
  const size = points.length > 3000 ? 4 : points.length > 500 ? 6 : 8, line = { width: 0 };
  const isOther = Uint8Array.from(state.isSelected, (is) => 1 - is);
  const others = state.selected < pointCount ? fitting(Array.from(isOther.keys()).filter((point) => isOther[point])) : [];
  const traces = others.length ? [scatter(others, x, y, { color: "#dfe3e7", size: 4, line }, { hoverinfo: "skip", name: "filtered out" })] : [];
  const classes = color ? classesOf(color) : { names: ["points"], of: () => 0 };
  const members = classes.names.map(() => []);
  for (const point of points) members[classes.of(point)].push(point);
  members.forEach((own, i) => {
    if (!own.length) return;
    const marker = { color: color ? tone(i / Math.max(members.length - 1, 1)) : tones[2], size, opacity: 0.65, line, symbol: symbols[i % symbols.length] };
    traces.push(scatter(own, x, y, marker, { name: classes.names[i], text: own.map(hoverText), hovertemplate: "%{text}<extra></extra>" }));
  });
  return traces;
}

// Without WebGL only some of many points are drawn; the front always is.
function fitting(points) {
  return usesWebGl || points.length <= mostDrawnPlainly ? points : shuffled(points).slice(0, mostDrawnPlainly);
}

// What plotly draws as error bars of some points.
function errorBars(column, points) {
  const bars = points.map((point) => barsOf(column, point));
  if (!bars.some((ends) => ends)) return {};
  const size = (end, sign) => bars.map((ends, i) => (ends ? sign * (ends[end] - column.values[points[i]]) : 0));
  return { type: "data", symmetric: false, array: size(1, 1), arrayminus: size(0, -1), thickness: 0.8, width: 2, color: "#99a3ad" };
}

function frontTrace(front, x, y, name, color) {
  const line = front.slice().sort((a, b) => x.values[a] - x.values[b]);
  return {
    type: "scatter", mode: "lines+markers", name, x: line.map((point) => x.values[point]), y: line.map((point) => y.values[point]),
    customdata: line, text: line.map(hoverText), hovertemplate: "%{text}<extra>front</extra>",
    line: { color, width: 1.4, shape: x.better === "more" ? "vh" : "hv" }, marker: { color: "#fff", size: 6, line: { color, width: 1.3 } },
    ...(byId("bars").checked && line.length <= mostBars ? { error_x: errorBars(x, line), error_y: errorBars(y, line) } : {}),
  };
}

// The front of each class of an axis, in its colour.
function frontsOfEach(column, x, y) {
  const classes = classesOf(column), last = Math.max(classes.names.length - 1, 1);
  return classes.names.map((name, i) => {
    const isIn = Uint8Array.from(state.isSelected, (is, point) => is && classes.of(point) === i);
    const front = frontOf(x, y, isIn);
    return { ...frontTrace(front, x, y, `front of ${name} (${front.length.toLocaleString("en")})`, tone(i / last)), legendgroup: `front ${i}` };
  }).filter((trace) => trace.x.length);
}

function markTrace(point, x, y) {
  return {
    type: "scatter", mode: "markers", name: "marked", x: [x.values[point]], y: [y.values[point]], customdata: [point], text: [hoverText(point)],
    hovertemplate: "%{text}<extra>marked</extra>", marker: { symbol: "star", color: "#d55e00", size: 15, line: { color: "#111", width: 1.2 } },
  };
}

function drawFronts() {
  if (usesWebGl === null) usesWebGl = pointCount > mostDrawnPlainly && hasWebGl();
  const x = metricOf.get(byId("x").value), y = metricOf.get(byId("y").value), color = columnOf.get(byId("color").value);
  const points = fitting(shuffled(selectedPoints())), front = frontOf(x, y, state.isSelected);
  const traces = pointTraces(points, x, y, color);
  if (color && data.asked.by === color.name) traces.push(...frontsOfEach(color, x, y));
  traces.push(frontTrace(front, x, y, `front (${front.length.toLocaleString("en")})`, "#111"));
  if (data.asked.mark !== null) traces.push(markTrace(data.asked.mark, x, y));
  const isLog = byId("log").checked, type = (column) => (isLog && isLogarithmic(column) ? "log" : "linear");
  const range = (column) => ({ title: { text: column.label }, type: type(column), ...(type(column) === "log" ? logTicks(column) : {}) });
  const height = Math.min(Math.max(window.innerHeight * 0.62, 380), 640);
  Plotly.react("front-plot", traces, layoutOf({
    height, xaxis: range(x), yaxis: range(y), hovermode: "closest", annotations: state.chosen.map((point, i) => numberOf(point, i, x, y, type)),
    legend: { title: { text: color ? color.label : "", side: window.innerWidth < 960 ? "top" : undefined }, itemsizing: "constant", orientation: window.innerWidth < 960 ? "h" : "v",
      ...(window.innerWidth < 960 ? { y: 1.02, yanchor: "bottom" } : {}) },
  }), plotSettings);
  byId("front-note").textContent = noteOf(x, y, points);
}

function numberOf(point, place, x, y, type) {
  const at = (column) => (type(column) === "log" ? Math.log10(column.values[point]) : column.values[point]);
  return { x: at(x), y: at(y), text: `<b>${place + 1}</b>`, showarrow: false, font: { size: 12 },
    xshift: x.better === "more" ? 10 : -10, yshift: y.better === "more" ? 10 : -10 };
}

function noteOf(x, y, points) {
  const word = (column) => `${column.better} ${column.title}`;
  const few = points.length < state.selected ? ` ${points.length.toLocaleString("en")} of ${state.selected.toLocaleString("en")} points are drawn, including the whole front.` : "";
  return `Better: ${word(x)}, ${word(y)}.${few} Hover over a point to see all its axes; click it to number it.`;
}

function startFronts() {
  const [wantedX, wantedY] = data.asked.shown.map((name) => metricOf.get(name)).filter((column) => metrics.includes(column));
  // What a single objective is traded for: the memory of a step, or the latency of requests.
  const across = data.usual.includes("memory_peak") ? "memory_peak" : data.usual.find((name) => name !== (wantedX ?? objectives[0])?.name);
  const first = wantedX ?? objectives[0] ?? metrics[0], others = [...objectives.slice(1), ...metrics].filter((column) => column !== first);
  fillSelect(byId("x"), metrics, first);
  fillSelect(byId("y"), metrics, others.find((column) => column.name === across) ?? others[0] ?? first);
  if (wantedY) byId("y").value = wantedY.name;
  else if (objectives.length > 1 && objectives[1] !== first) byId("y").value = objectives[1].name;
  byId("color").append(element("option", { value: "" }, "nothing"));
  for (const column of data.columns.filter((column) => columnOf.get(column.name) === column)) byId("color").append(element("option", { value: column.name }, column.title));
  byId("color").value = (columnOf.get(data.asked.by) ?? axes[0] ?? { name: "" }).name;
  byId("log").checked = true;
  byId("bars").parentElement.hidden = !metrics.some((column) => column.bars);
  for (const id of ["x", "y", "color", "log", "bars"]) byId(id).addEventListener("change", drawFronts);
  drawFronts();
  byId("front-plot").on("plotly_click", (event) => {
    const point = event.points[0]?.customdata;
    if (point !== undefined) toggleChoice(point);
  });
  state.on("selection", drawFronts);
  state.on("choice", drawFronts);
}
