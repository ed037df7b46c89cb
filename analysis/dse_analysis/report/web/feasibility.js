// What became of the points, for each value of each axis, and the reasons.
const wordsOf = (status) => status.replaceAll("_", " ");

function shareRow(value, counts, statuses) {
  const total = counts.reduce((sum, count) => sum + count, 0), bar = element("span", { class: "bar" });
  counts.forEach((count, i) => {
    if (!count) return;
    const part = element("span", { class: `status-${statuses[i]}`, title: `${wordsOf(statuses[i])}: ${count.toLocaleString("en")} of ${total.toLocaleString("en")}` });
    part.style.width = `${(100 * count) / total}%`;
    bar.append(part);
  });
  const ok = counts[statuses.indexOf("ok")] ?? 0;
  return element("div", { class: "share" }, element("span", { class: "value" }, value), bar, element("span", { class: "ok" }, `${((100 * ok) / total).toFixed(0)} % ok`));
}

function startFeasibility() {
  const { statuses, axes: shown, reasons, left_out: leftOut } = data.feasibility, total = data.counts.points;
  byId("status-legend").append(...data.counts.statuses.map(([name, count]) => element("span", {}, element("span", { class: `swatch status-${name}` }),
    `${wordsOf(name)} ${count.toLocaleString("en")} (${((100 * count) / Math.max(total, 1)).toFixed(1)} %)`)));
  const isOneStatus = statuses.length < 2;
  if (isOneStatus && total) byId("status-legend").after(element("p", {}, `All points are ${wordsOf(statuses[0])}.`));
  if (!isOneStatus) byId("status-axes").append(...shown.map((axis) => element("div", { class: "axis-status" }, element("h3", {}, axis.title),
    ...axis.values.map((value, i) => shareRow(value, axis.counts[i], statuses)))));
  if (!reasons.length) { byId("reasons").hidden = true; return; }
  const head = element("tr", {}, ...["status", "points", "reason", "for example"].map((text, i) => element("th", i === 1 ? {} : { class: "name" }, text)));
  byId("reasons").append(element("thead", {}, head), element("tbody", {}, ...reasons.map((reason) => element("tr", {},
    element("td", { class: "name" }, wordsOf(reason.status)), element("td", {}, reason.count.toLocaleString("en")),
    element("td", { class: "name" }, reason.text), element("td", { class: "name" }, reason.example === reason.text ? "" : reason.example)))));
  if (leftOut) byId("reasons").after(element("p", { class: "note" }, `Other reasons: ${leftOut.toLocaleString("en")} points.`));
}
