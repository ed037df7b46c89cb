// The best of the selected points, and which points are numbered.
const mostRows = 25;
const mostChosen = 12;

function toggleChoice(point) {
  if (state.chosen.includes(point)) state.chosen = state.chosen.filter((other) => other !== point);
  else if (state.chosen.length < mostChosen) state.chosen = [...state.chosen, point];
  else return;
  state.tell("choice");
}

function bestColumns() {
  const more = data.usual.map((name) => metricOf.get(name)).filter(Boolean);
  return [...new Set([metricOf.get(byId("best-metric").value), ...objectives, ...more])];
}

function bestPoints(metric) {
  const points = byId("only-front").checked ? frontOfObjectives(selectedPoints()) : selectedPoints();
  return points.filter((point) => Number.isFinite(metric.values[point])).sort((a, b) => costOf(metric, a) - costOf(metric, b));
}

function headOf(column, sorted) {
  if (column.role === "axis") return element("th", { scope: "col" }, column.label);
  const button = element("button", { type: "button", title: `sort by ${column.title}, best first` }, column.label);
  button.addEventListener("click", () => { byId("best-metric").value = column.name; drawBest(); });
  const head = element("th", { scope: "col" }, button);
  if (column === sorted) {
    head.setAttribute("aria-sort", column.better === "more" ? "descending" : "ascending");
    button.append(column.better === "more" ? " ▼" : " ▲");
  }
  return head;
}

function rowOf(point, columns) {
  const place = state.chosen.indexOf(point);
  const mark = element("input", { type: "checkbox", "aria-label": `point ${data.ids[point]}` });
  mark.checked = place >= 0;
  mark.disabled = place < 0 && state.chosen.length >= mostChosen;
  mark.addEventListener("change", () => toggleChoice(point));
  const number = element("span", { class: "number" }, place >= 0 ? String(place + 1) : "");
  const row = element("tr", place >= 0 ? { class: "chosen" } : {}, element("td", {}, mark, " ", number));
  row.dataset.point = data.ids[point];
  row.append(...columns.map((column) => element("td", {}, textOf(column, point))));
  return row;
}

function drawBest() {
  const metric = metricOf.get(byId("best-metric").value), points = bestPoints(metric), columns = [...bestColumns(), ...axes];
  const shown = points.slice(0, mostRows);
  const head = element("tr", {}, element("th", { scope: "col" }, "no."), ...columns.map((column) => headOf(column, metric)));
  byId("best-table").replaceChildren(element("thead", {}, head), element("tbody", {}, ...shown.map((point) => rowOf(point, columns))));
  const count = points.length.toLocaleString("en");
  byId("best-note").textContent = points.length > mostRows ? `the first ${mostRows} of ${count}` : `${count} ${points.length === 1 ? "point" : "points"}`;
}

function startBest() {
  fillSelect(byId("best-metric"), metrics, objectives[0] ?? metrics[0]);
  byId("only-front").parentElement.hidden = objectives.length < 2;
  for (const id of ["best-metric", "only-front"]) byId(id).addEventListener("change", drawBest);
  state.on("selection", drawBest);
  state.on("choice", drawBest);
  drawBest();
}
