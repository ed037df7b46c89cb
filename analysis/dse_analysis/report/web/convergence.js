// Best value so far of each objective, where the points were drawn or searched.
function startConvergence() {
  const section = byId("convergence"), found = data.convergence;
  if (!found) {
    section.remove();
    document.querySelector('nav a[href="#convergence"]').remove();
    return;
  }
  byId("convergence-note").textContent = `Search: ${found.method}. Best value so far over the number of evaluated points.`;
  for (const objective of found.objectives) {
    const target = element("div", { class: "plot" });
    byId("convergence-plots").append(target);
    const last = objective.points.length - 1, bestAt = objective.points[Math.max(last - 1, 0)];
    Plotly.newPlot(target, [{
      type: "scatter", mode: "lines+markers", x: objective.points, y: objective.best, line: { shape: "hv", color: "#0072b2", width: 2 },
      marker: { size: objective.points.map((_, i) => (i === last ? 0 : 5)) }, hovertemplate: "after %{x} points: <b>%{y:.4g}</b><extra></extra>",
    }], layoutOf({
      height: 320, xaxis: { title: { text: "points evaluated" } }, yaxis: { title: { text: objective.title } }, margin: { l: 60, r: 16, t: 34, b: 48 },
      title: { text: `best value at point ${bestAt.toLocaleString("en")} of ${objective.points[last].toLocaleString("en")}`, font: { size: 13 }, x: 0.02 },
    }), plotSettings);
  }
}
