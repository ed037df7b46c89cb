// How much of a metric's variance each axis accounts for.
function drawImportance() {
  const { axes: names, metrics: shown, main, total } = data.importance;
  const column = shown.findIndex((metric) => metric.name === byId("importance-metric").value);
  const rows = names.map((name, row) => ({ name, main: main[row][column], total: total[row][column] }));
  rows.sort((a, b) => Math.max(a.total ?? 0, a.main ?? 0) - Math.max(b.total ?? 0, b.main ?? 0));
  const known = rows.some((row) => row.total !== null);
  const bar = (key, name, marker) => ({
    type: "bar", orientation: "h", name, y: rows.map((row) => row.name), x: rows.map((row) => row[key]), marker,
    hovertemplate: `%{y}, ${name}: <b>%{x:.1%}</b><extra></extra>`,
  });
  const traces = [bar("main", "by itself", { color: "#0072b2" })];
  if (known) traces.unshift(bar("total", "with interactions", { color: "#fff", line: { color: "#57606a", width: 1 }, pattern: { shape: "/", fgcolor: "#8a929b", size: 6, solidity: 0.2 } }));
  Plotly.react("importance-plot", traces, layoutOf({
    height: 110 + 34 * rows.length, barmode: "group", bargap: 0.25, margin: { l: 60, r: 24, t: 40, b: 46 },
    xaxis: { title: { text: "share of the variance" }, tickformat: "~%", rangemode: "tozero" }, yaxis: { type: "category", ticks: "", showgrid: false },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, traceorder: "reversed" },
  }), plotSettings);
}

function startImportance() {
  const { axes: names, metrics: shown, idle } = data.importance;
  const isIdle = idle.length ? `Idle: ${idle.join(", ")} had no effect: points that differ only in ${idle.length === 1 ? "it" : "one of them"} have equal metrics. ` : "";
  byId("importance-note").textContent = `${isIdle}Shares of the variance over all feasible points (of the logarithm, if the metric is positive). “With interactions” is computed from points that differ in a single axis, and omitted if there are too few. Where require or the memory limit makes axes depend on each other, their shares overlap.`;
  if (names.length < 2 || !shown.length) {
    byId("importance-plot").replaceWith(element("p", {}, names.length === 1 ? `Only ${names[0]} varies: it accounts for everything.` : "Nothing varies among the feasible points."));
    byId("importance-metric").closest("p").hidden = true;
    if (!isIdle) byId("importance-note").hidden = true;
    return;
  }
  byId("importance-metric").replaceChildren(...shown.map((metric) => element("option", { value: metric.name }, metric.title)));
  byId("importance-metric").value = (objectives[0] ?? shown[0]).name;
  byId("importance-metric").addEventListener("change", drawImportance);
  drawImportance();
}
