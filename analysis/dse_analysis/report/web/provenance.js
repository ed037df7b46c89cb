// Where the rows come from.
function startProvenance() {
  byId("facts").append(element("tbody", {}, ...data.provenance.map(([name, value]) =>
    element("tr", {}, element("th", { class: "name", scope: "row" }, name), element("td", { class: "name" }, value)))));
  byId("yaml").textContent = data.yaml;
  byId("yaml").closest("details").hidden = !data.yaml;
}
