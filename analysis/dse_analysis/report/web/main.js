// Puts the page together.
function drawHeader() {
  const { points, feasible, carried, front, front_kept: kept, pairs_whole: pairsWhole } = data.counts, show = (count) => count.toLocaleString("en");
  byId("name").textContent = data.name;
  byId("question").textContent = data.question;
  byId("unsealed").hidden = !data.unsealed;
  byId("counts").textContent = `${show(points)} ${points === 1 ? "point" : "points"}, ${show(feasible)} of them feasible` +
    (front ? `; ${show(front)} on the front of ${objectives.map((column) => column.title).join(", ")}.` : ".");
  if (carried < feasible) {
    const whole = kept === front ? `the whole front (${show(front)})` : `${show(kept)} of the ${show(front)} points of the front`;
    byId("decimated").textContent = `Decimated: this page contains ${show(carried)} of ${show(feasible)} feasible points: ${whole}, ` +
      `${pairsWhole ? "one point for each position" : "evenly spaced points"} on the front of every pair of metrics, and a uniform sample of the others. ` +
      "Feasibility, importance and convergence are computed from all points; fronts of filtered points only from the points on this page.";
    byId("decimated").hidden = false;
  }
  const { where, mark, markText } = data.asked, said = [];
  if (where.length) said.push(`Only points where ${where.join(" and ")}.`);
  if (mark !== null) said.push(`Marked: point ${data.ids[mark]}, number 1.`);
  if (markText) said.push(markText);
  if (said.length) {
    byId("asked").textContent = said.join(" ");
    byId("asked").hidden = false;
  }
  if (data.notes.length) {
    byId("notes").textContent = data.notes.join(" ");
    byId("notes").hidden = false;
  }
  if (data.constants.length) {
    byId("constants").textContent = `The same for all points: ${data.constants.map(([name, value]) => `${name} ${value}`).join(", ")}.`;
    byId("constants").hidden = false;
  }
}

function drawFilter() {
  const show = (count) => count.toLocaleString("en"), isAll = state.selected === pointCount;
  byId("filter-text").textContent = isAll ? `All ${show(pointCount)} feasible points${data.counts.carried < data.counts.feasible ? " on this page" : ""} are shown.`
    : `${show(state.selected)} of ${show(pointCount)} points are selected.`;
  byId("reset").hidden = isAll;
}

drawHeader();
if (pointCount && metrics.length) {
  state.chosen = spread(objectives[0] ?? metrics[0], objectives[1] ?? metricOf.get("memory_peak") ?? metrics[metrics.length - 1], 6);
  if (data.asked.mark !== null) state.chosen = [data.asked.mark, ...state.chosen.filter((point) => point !== data.asked.mark)];
  startParallel();
  startBest();
  startFronts();
  startBreakdown();
  state.on("selection", drawFilter);
  byId("reset").addEventListener("click", lift);
  drawFilter();
} else {
  byId("filter").hidden = true;
  for (const section of document.querySelectorAll("[data-points]")) {
    document.querySelector(`nav a[href="#${section.id}"]`).remove();
    section.remove();
  }
  byId("counts").append(pointCount ? " All feasible points have the same metrics." : " No point is feasible: see why below.");
}
startFeasibility();
startImportance();
startConvergence();
startProvenance();
document.documentElement.dataset.ready = "yes";
