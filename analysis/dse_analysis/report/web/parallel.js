// Parallel coordinates with brushes: a canvas, so that 20,000 points follow the hand without WebGL.
const parallel = {
  canvas: null, pens: null, columns: [], brushes: new Map(), places: [], drag: null, waiting: false,
  top: 62, bottom: 26, height: 400, width: 0, ratio: 1,
};

function parallelColumns() {
  const wanted = byId("parallel-metrics").value;
  const shown = wanted === "objectives" ? (objectives.length ? objectives : metrics.slice(0, 2)) : metrics;
  return [...axes, ...shown];
}

// Where the values of a column lie between 0 (bottom) and 1: named ones side by side, numbers by size.
function sharesOf(column) {
  if (column.isCoded) {
    const last = Math.max(column.texts.length - 1, 1);
    return Float32Array.from(column.values, (code) => (column.texts.length === 1 ? 0.5 : code / last));
  }
  const [low, high] = endsOf(column);
  column.isLog = isLogarithmic(column);
  const scale = column.isLog ? Math.log : (value) => value;
  column.ends = [low, high];
  return Float32Array.from(column.values, (value) => (high > low ? (scale(value) - scale(low)) / (scale(high) - scale(low)) : 0.5));
}

function yOf(share) { return parallel.top + (1 - share) * (parallel.height - parallel.top - parallel.bottom); }
function shareOf(y) { return 1 - (y - parallel.top) / (parallel.height - parallel.top - parallel.bottom); }

function measureParallel() {
  const room = parallel.canvas.parentElement.clientWidth, needed = 84 * parallel.columns.length;
  parallel.width = Math.max(room, needed);
  parallel.ratio = window.devicePixelRatio || 1;
  for (const [name, size] of [["width", parallel.width], ["height", parallel.height]]) {
    parallel.canvas[name] = Math.round(size * parallel.ratio);
    parallel.canvas.style[name] = `${size}px`;
  }
  const side = 48, step = (parallel.width - 2 * side) / Math.max(parallel.columns.length - 1, 1);
  parallel.places = parallel.columns.map((_, i) => (parallel.columns.length > 1 ? side + i * step : parallel.width / 2));
}

function strokePoints(pen, points, color, alpha) {
  pen.strokeStyle = color;
  pen.globalAlpha = alpha;
  for (let start = 0; start < points.length; start += 200) {
    pen.beginPath();
    for (const point of points.slice(start, start + 200)) {
      let isDown = false;
      parallel.columns.forEach((column, i) => {
        const share = column.shares[point];
        if (!Number.isFinite(share)) { isDown = false; return; }
        if (isDown) pen.lineTo(parallel.places[i], yOf(share)); else pen.moveTo(parallel.places[i], yOf(share));
        isDown = true;
      });
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

// While the hand moves, a tenth of very many points is drawn.
function drawParallel() {
  const pen = parallel.canvas.getContext("2d"), first = objectives[0] ?? metrics[0];
  pen.setTransform(parallel.ratio, 0, 0, parallel.ratio, 0, 0);
  pen.clearRect(0, 0, parallel.width, parallel.height);
  const step = parallel.drag && pointCount > 4000 ? Math.ceil(pointCount / 2000) : 1, selected = [], others = [];
  for (const point of parallel.order) if (point % step === 0) (state.isSelected[point] ? selected : others).push(point);
  pen.lineWidth = 1;
  strokePoints(pen, others, "#c9ced4", Math.min(0.5, Math.max(0.06, 200 / Math.max(others.length, 1))));
  const alpha = Math.min(0.8, Math.max(0.08, 300 / Math.max(selected.length, 1)));
  // In bands of the first objective, the best last and darkest.
  const bands = 12, size = Math.ceil(selected.length / bands) || 1;
  for (let band = 0; band < bands; band++) strokePoints(pen, selected.slice(band * size, (band + 1) * size), tone(1 - (band + 0.5) / bands), alpha);
  pen.lineWidth = 2;
  strokePoints(pen, state.chosen.filter((point) => state.isSelected[point]), "#111", 0.9);
  parallel.columns.forEach((column, i) => drawParallelAxis(pen, column, parallel.places[i], first));
}

function ticksOf(column) {
  if (column.isCoded) {
    const every = Math.ceil(column.texts.length / 16), last = Math.max(column.texts.length - 1, 1);
    return column.texts.map((text, code) => [column.texts.length === 1 ? 0.5 : code / last, text]).filter((_, code) => code % every === 0);
  }
  const [low, high] = column.ends;
  return [0, 0.25, 0.5, 0.75, 1].map((share) =>
    [share, number(Number((column.isLog ? low * (high / low) ** share : low + (high - low) * share).toPrecision(3)))]);
}

function drawParallelAxis(pen, column, x, first) {
  pen.lineWidth = 1;
  pen.strokeStyle = "#57606a";
  pen.beginPath(); pen.moveTo(x, yOf(1) - 4); pen.lineTo(x, yOf(0) + 4); pen.stroke();
  pen.textAlign = "center";
  pen.fillStyle = "#1b1f24";
  pen.font = `600 11px ${getComputedStyle(document.body).fontFamily}`;
  const room = parallel.columns.length > 1 ? parallel.places[1] - parallel.places[0] - 4 : 200;
  linesOf(pen, column.title, room).forEach((line, i, all) => {
    const half = pen.measureText(line).width / 2, inside = Math.min(Math.max(x, half), pen.canvas.clientWidth - half);
    pen.fillText(line, inside, parallel.top - 24 - 14 * (all.length - 1 - i));
  });
  pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  pen.fillStyle = "#57606a";
  if (column.unit) pen.fillText(column.unit, x, parallel.top - 10);
  for (const [share, text] of ticksOf(column)) {
    const width = pen.measureText(text).width;
    pen.fillStyle = "#ffffffd9";
    pen.fillRect(x - width / 2 - 2, yOf(share) - 7, width + 4, 14);
    pen.fillStyle = "#1b1f24";
    pen.fillText(text, x, yOf(share) + 4);
  }
  const brush = parallel.brushes.get(column);
  if (!brush) return;
  pen.fillStyle = "rgba(11,83,148,0.18)";
  pen.strokeStyle = "#0b5394";
  pen.fillRect(x - 9, yOf(brush[1]), 18, yOf(brush[0]) - yOf(brush[1]));
  pen.strokeRect(x - 9, yOf(brush[1]), 18, yOf(brush[0]) - yOf(brush[1]));
}

// A title in up to three lines that fit beside their neighbours.
function linesOf(pen, title, room) {
  const lines = [""];
  for (const word of title.split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines[lines.length - 1] && pen.measureText(longer).width > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.slice(0, 3).map((line) => {
    let text = line;
    while (text.length > 3 && pen.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
    return text;
  });
}

// Selects the points that lie within every brush; what has no value is in none.
function applyBrushes() {
  const brushes = [...parallel.brushes];
  state.selected = 0;
  for (let point = 0; point < pointCount; point++) {
    const is = brushes.every(([column, [low, high]]) => column.shares[point] >= low - 1e-6 && column.shares[point] <= high + 1e-6);
    state.isSelected[point] = is ? 1 : 0;
    state.selected += is ? 1 : 0;
  }
}

function columnAt(event) {
  const x = event.clientX - parallel.canvas.getBoundingClientRect().left;
  const near = parallel.places.findIndex((place) => Math.abs(place - x) < 24);
  return near < 0 ? null : parallel.columns[near];
}

function shareAt(event) {
  return Math.min(Math.max(shareOf(event.clientY - parallel.canvas.getBoundingClientRect().top), -0.03), 1.03);
}

function moveBrush(event) {
  const { column, start } = parallel.drag, end = shareAt(event);
  if (Math.abs(end - start) < 0.01) parallel.brushes.delete(column);
  else parallel.brushes.set(column, [Math.min(start, end), Math.max(start, end)]);
  applyBrushes();
  if (parallel.waiting) return;
  parallel.waiting = true;
  requestAnimationFrame(() => { parallel.waiting = false; drawParallel(); });
}

function lift() {
  parallel.brushes.clear();
  applyBrushes();
  state.tell("selection");
}

function arrangeParallel() {
  parallel.columns = parallelColumns();
  for (const column of parallel.columns) column.shares ??= sharesOf(column);
  for (const column of [...parallel.brushes.keys()]) if (!parallel.columns.includes(column)) parallel.brushes.delete(column);
  measureParallel();
}

function startParallel() {
  parallel.canvas = byId("parallel-plot");
  byId("parallel-metrics").append(element("option", { value: "objectives" }, "objectives"), element("option", { value: "all" }, "all that vary"));
  const first = objectives[0] ?? metrics[0];
  parallel.order = Uint32Array.from({ length: pointCount }, (_, i) => i).sort((a, b) => (costOf(first, b) - costOf(first, a)) || 0);
  arrangeParallel();
  byId("parallel-metrics").addEventListener("change", () => { arrangeParallel(); applyBrushes(); state.tell("selection"); });
  parallel.canvas.addEventListener("pointerdown", (event) => {
    const column = columnAt(event);
    if (!column) return;
    parallel.canvas.setPointerCapture(event.pointerId);
    parallel.drag = { column, start: shareAt(event) };
  });
  parallel.canvas.addEventListener("pointermove", (event) => { if (parallel.drag) moveBrush(event); });
  parallel.canvas.addEventListener("pointerup", (event) => {
    if (!parallel.drag) return;
    moveBrush(event);
    parallel.drag = null;
    state.tell("selection");
  });
  window.addEventListener("resize", () => { measureParallel(); drawParallel(); });
  state.on("selection", drawParallel);
  state.on("choice", drawParallel);
  drawParallel();
}
