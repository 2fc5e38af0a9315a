// Small charts in SVG, drawn anew with every reading.

import { s } from "./dom.js";

const HEIGHT = 190;
const LEFT = 52;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 24;
const SHORTEST_MS = 30_000;

/** A round number not below the value, whose half is round, too. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map(step => step * power).find(step => step >= value * 0.999);
}

function ago(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds === 0 ? "now" : seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min ago` : `${seconds} s ago`;
}

/** The frame of a chart over the last minutes: where a moment and a height are. */
function frame(width, history) {
  const last = history.last.at;
  const span = Math.max(SHORTEST_MS, last - history.samples[0].at);
  return {
    span,
    x: at => LEFT + (width - LEFT - RIGHT) * (1 - (last - at) / span),
    ticks: [0, 1, 2].map(i => ({ at: last - span * i / 2, text: ago(span * i / 2) })),
  };
}

function draw(holder, label, parts) {
  const width = Math.max(280, holder.clientWidth);
  holder.replaceChildren(
    s("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": label }, parts(width)));
}

function axes(width, place, levels, format, y) {
  return [
    levels.map(level => [
      s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(level), y2: y(level) }),
      s("text", { class: "tick", x: LEFT - 8, y: y(level) + 4, "text-anchor": "end" }, format(level)),
    ]),
    place.ticks.map(({ at, text }, i) =>
      s("text", { class: "tick", x: place.x(at), y: HEIGHT - 6, "text-anchor": ["end", "middle", "start"][i] }, text)),
  ];
}

/**
 * Areas on top of each other. series: [{key, points: [{at, value}]}], the first one lowest.
 */
export function stacked(holder, history, series, format, label) {
  draw(holder, label, width => {
    const place = frame(width, history);
    const count = series[0]?.points.length ?? 0;
    const sums = Array.from({ length: count }, (_, i) => series.reduce((sum, each) => sum + each.points[i].value, 0));
    const most = roundUp(Math.max(1, ...sums));
    const y = value => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most;
    const floor = new Array(count).fill(0);
    const areas = series.map(({ key, points }) => {
      const under = points.map((point, i) => [place.x(point.at), y(floor[i])]);
      points.forEach((point, i) => { floor[i] += point.value; });
      const over = points.map((point, i) => [place.x(point.at), y(floor[i])]);
      return count < 2 || points.every(point => point.value === 0) ? null : [
        s("path", { class: `area of-${key}`, d: `M${over.join("L")}L${under.reverse().join("L")}Z` }),
        s("path", { class: `line of-${key}`, d: `M${over.join("L")}` }),
      ];
    });
    return [axes(width, place, [0, most / 2, most], format, y), areas];
  });
}

/** Lines over a logarithmic scale of seconds; where a line has no value, it is broken. */
export function lines(holder, history, series, format, label) {
  draw(holder, label, width => {
    const place = frame(width, history);
    const values = series.flatMap(each => each.points.map(point => point.value)).filter(value => value > 0);
    const low = Math.floor(Math.log10(Math.min(0.0001, ...values) * 1.001));
    const high = Math.max(low + 2, Math.ceil(Math.log10(Math.max(0.01, ...values) * 0.999)));
    const y = value => HEIGHT - BOTTOM
      - (HEIGHT - TOP - BOTTOM) * (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low);
    const levels = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
    const paths = series.map(({ key, points, dashed }) => {
      let d = "";
      let pen = false;
      for (const { at, value } of points) {
        if (value !== undefined) {
          d += `${pen ? "L" : "M"}${place.x(at)},${y(value)}`;
        }
        pen = value !== undefined;
      }
      return d && s("path", { class: `line of-${key}${dashed ? " dashed" : ""}`, d });
    });
    return [axes(width, place, levels, format, y), paths];
  });
}

/** A line without axes, for beside a number. */
export function spark(holder, history, points, key) {
  const width = 120;
  const height = 30;
  const known = points.filter(point => point.value !== undefined && !Number.isNaN(point.value));
  const most = Math.max(1e-9, ...known.map(point => point.value));
  const last = history.last.at;
  const span = Math.max(SHORTEST_MS, last - history.samples[0].at);
  const d = known.map(({ at, value }, i) =>
    `${i ? "L" : "M"}${width * (1 - (last - at) / span)},${height - 3 - (height - 6) * value / most}`).join("");
  holder.replaceChildren(
    s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      known.length > 1 && s("path", { class: `line of-${key}`, d })));
}
