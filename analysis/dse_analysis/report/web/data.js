// The sweep as columns, and which of its points are selected.
const data = JSON.parse(document.getElementById("data").textContent);

function bytesOf(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes.buffer;
}

for (const column of data.columns) {
  column.isCoded = "codes" in column;
  column.values = column.isCoded ? new Uint16Array(bytesOf(column.codes)) : new Float32Array(bytesOf(column.floats));
  if (column.bars) column.bars = column.bars.map((ends) => new Float32Array(bytesOf(ends)));
  column.label = column.unit ? `${column.title} [${column.unit}]` : column.title;
}

const columnOf = new Map(data.columns.map((column) => [column.name, column]));
const axes = data.columns.filter((column) => column.role === "axis");
const carried = data.columns.filter((column) => column.role === "metric");
// Of one point, or of points that are all alike, everything is constant and yet worth showing.
const metrics = carried.some((column) => !column.constant) ? carried.filter((column) => !column.constant) : carried;
const objectives = data.objectives.map((name) => columnOf.get(name)).filter((column) => metrics.includes(column));
const pointCount = data.ids.length;

// Selected points and chosen ones; listeners are told by name: "selection" or "choice".
const state = {
  isSelected: new Uint8Array(pointCount).fill(1),
  selected: pointCount,
  chosen: [],
  listeners: { selection: [], choice: [] },
  on(event, listener) { this.listeners[event].push(listener); },
  tell(event) { for (const listener of this.listeners[event]) listener(); },
};

const metricOf = new Map(carried.map((column) => [column.name, column]));

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fourDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

function number(value) {
  if (!Number.isFinite(value)) return "—";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return whole.format(value);
  return size >= 1e7 || size < 1e-4 ? value.toExponential(3) : fourDigits.format(value);
}

function textOf(column, point) {
  return column.isCoded ? column.texts[column.values[point]] : number(column.values[point]);
}

function withUnit(column, point) {
  const text = textOf(column, point);
  return column.unit && text !== "—" ? `${text} ${column.unit}` : text;
}

// Metrics that follow from the time of an iteration in proportion, or from its inverse, are as uncertain as it is.
const likeTime = new Set(["energy", "cost"]);
const likeRate = new Set(["mfu", "tokens_per_second", "tokens_per_second_per_device", "samples_per_second"]);

// Ends of the interval of 80 % of a metric's value, or null where its errors are not known.
function barsOf(column, point) {
  const isRate = likeRate.has(column.name), bars = isRate || likeTime.has(column.name) ? metricOf.get("iteration_time")?.bars : column.bars;
  if (!bars || !Number.isFinite(bars[0][point])) return null;
  const value = column.values[point], [low, high] = bars.map((ends) => ends[point]);
  return isRate ? [value / high, value / low] : [value * low, value * high];
}

function withBars(column, point) {
  const bars = barsOf(column, point), text = withUnit(column, point);
  return bars ? `${text} (${number(bars[0])} to ${number(bars[1])})` : text;
}

// Less is better: a cost to compare by.
function costOf(column, point) {
  return column.better === "more" ? -column.values[point] : column.values[point];
}

// Points of which no other is better in one of two metrics and as good in the other, ascending in the first.
function frontOf(first, second, isIn) {
  const points = [];
  for (let point = 0; point < pointCount; point++)
    if (isIn[point] && Number.isFinite(first.values[point]) && Number.isFinite(second.values[point])) points.push(point);
  points.sort((a, b) => costOf(first, a) - costOf(first, b) || costOf(second, a) - costOf(second, b));
  const front = [];
  let best = Infinity;
  for (const point of points) {
    const last = front[front.length - 1], cost = costOf(second, point);
    const isTwin = last !== undefined && cost === costOf(second, last) && costOf(first, point) === costOf(first, last);
    if (cost < best || isTwin) { front.push(point); best = Math.min(best, cost); }
  }
  return front;
}

function dominates(columns, a, b) {
  let isBetter = false;
  for (const column of columns) {
    const difference = costOf(column, a) - costOf(column, b);
    if (!(difference <= 0)) return false;
    if (difference < 0) isBetter = true;
  }
  return isBetter;
}

// Points that no selected point dominates in the objectives of the sweep.
function frontOfObjectives(points) {
  if (!objectives.length) return [];
  const usable = points.filter((point) => objectives.every((column) => Number.isFinite(column.values[point])));
  usable.sort((a, b) => {
    for (const column of objectives) if (costOf(column, a) !== costOf(column, b)) return costOf(column, a) - costOf(column, b);
    return 0;
  });
  const front = [];
  for (const point of usable) if (!front.some((other) => dominates(objectives, other, point))) front.push(point);
  return front;
}

function selectedPoints() {
  const points = [];
  for (let point = 0; point < pointCount; point++) if (state.isSelected[point]) points.push(point);
  return points;
}

// Points spread evenly along the front of two metrics, the best in the first one first.
function spread(first, second, most) {
  const front = frontOf(first, second, new Uint8Array(pointCount).fill(1)).filter((point, place, all) =>
    place === 0 || first.values[point] !== first.values[all[place - 1]] || second.values[point] !== second.values[all[place - 1]]);
  const count = Math.min(most, front.length), picked = [];
  for (let i = 0; i < count; i++) picked.push(front[count === 1 ? 0 : Math.round((i * (front.length - 1)) / (count - 1))]);
  return picked;
}
