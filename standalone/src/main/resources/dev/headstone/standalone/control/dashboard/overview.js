// How clicks, takedowns and repairs go, from the metrics alone: this page needs no token.

import { lines, spark, stacked } from "./charts.js";
import { h } from "./dom.js";
import { NONE, count, duration, perSecond, percent, words } from "./format.js";
import { increase, quantile, rate } from "./metrics.js";
import { known, onReading } from "./watch.js";

const REDIRECTS = "headstone_redirect_seconds";
const CLICKS = `${REDIRECTS}_count`;
const TAKEDOWNS = "headstone_takedown_seconds";
const AGES = "headstone_stream_record_age_seconds";
const SHORT_MS = 10_000;
const LONG_MS = 60_000;

/** Outcomes of a click, in the order in which they are stacked. */
const OUTCOMES = {
  redirect: "redirected",
  gone: "dead, refused",
  expired: "expired, refused",
  unknown: "no such code",
  withheld: "limited, withheld",
  failed: "could not be answered",
  shed: "turned away",
};

function tile(title, ...content) {
  return h("section", { class: "card tile" }, h("h2", {}, title), content);
}

function figure(key) {
  return {
    value: h("p", { class: "figure", "data-figure": key }, NONE),
    note: h("p", { class: "note" }, "\u00a0"),
    spark: h("div", { class: "spark" }),
    show(text, note, mood) {
      this.value.textContent = text;
      this.note.textContent = note || "\u00a0";
      this.value.dataset.mood = mood ?? "";
    },
  };
}

function figureTile(title, key) {
  const shown = figure(key);
  return { ...shown, element: tile(title, h("div", { class: "beside" }, shown.value, shown.spark), shown.note) };
}

function legend() {
  return h("ul", { class: "legend", "aria-hidden": "true" },
    Object.entries(OUTCOMES).map(([key, text]) => h("li", { class: `key of-${key}` }, text)));
}

function row(key, text) {
  const cells = ["rate", "p50", "p99", "total"].map(name => h("td", { "data-cell": `${key}.${name}` }, NONE));
  return { cells, element: h("tr", {}, h("th", { scope: "row" }, h("span", { class: `key of-${key}` }, text)), cells) };
}

export function overview(main) {
  const health = h("div", { class: "health card", "data-mood": "wait" });
  const tiles = {
    clicks: figureTile("Clicks per second", "clicks"),
    hits: figureTile("Hit ratio", "hits"),
    takedowns: figureTile("Takedowns confirmed", "takedowns"),
    lag: figureTile("Repair lag", "lag"),
  };
  const rates = h("div", { class: "chart" });
  const latencies = h("div", { class: "chart" });
  const rows = Object.entries(OUTCOMES).map(([key, text]) => [key, row(key, text)]);
  const small = {};
  const smallTile = (key, title) => (small[key] = figureTile(title, key)).element;

  main.replaceChildren(
    h("h1", {}, "Overview"),
    health,
    h("div", { class: "tiles" }, Object.values(tiles).map(each => each.element)),
    h("div", { class: "halves" },
      h("section", { class: "card" }, h("h2", {}, "Clicks per second, by outcome"), rates, legend()),
      h("section", { class: "card" }, h("h2", {}, "Latency p99, by outcome"), latencies,
        h("p", { class: "note" }, "Logarithmic. From the arrival of a click to its answer, over ten seconds each."))),
    h("section", { class: "card" },
      h("h2", { id: "outcomes" }, "Clicks of the last minute"),
      h("div", { class: "scroll", role: "region", "aria-labelledby": "outcomes", tabindex: "0" },
        h("table", {},
          h("thead", {}, h("tr", {}, ["Outcome", "per second", "p50", "p99", "since start"].map(name =>
            h("th", { scope: "col" }, name)))),
          h("tbody", {}, rows.map(([, each]) => each.element))))),
    h("h2", { class: "between" }, "What keeps the promise"),
    h("div", { class: "tiles three" },
      smallTile("agreement", "Cache agrees with the table"),
      smallTile("stale", "Stale serves"),
      smallTile("dead", "Dead letters"),
      smallTile("breaker", "Cache breaker"),
      smallTile("audit", "Audit lag"),
      smallTile("skew", "Clock skew")));

  function show() {
    const { history, readiness, missed } = known();
    showHealth(health, history, readiness, missed);
    if (!history.last) {
      return;
    }
    const now = history.last;
    const short = history.before(SHORT_MS);
    const long = history.before(LONG_MS);
    showTiles(tiles, history, short, now);
    showCharts(rates, latencies, history);
    for (const [key, { cells }] of rows) {
      const wanted = { outcome: key };
      const texts = [
        perSecond(rate(long, now, CLICKS, wanted)),
        duration(quantile(long, now, REDIRECTS, wanted, 0.5)),
        duration(quantile(long, now, REDIRECTS, wanted, 0.99)),
        count(now.total(CLICKS, wanted)),
      ];
      cells.forEach((cell, i) => { cell.textContent = texts[i]; });
    }
    showPromise(small, long, now);
  }

  return onReading(show);
}

function showHealth(health, history, readiness, missed) {
  if (missed > 0 || !readiness) {
    health.dataset.mood = missed > 0 ? "bad" : "wait";
    health.replaceChildren(h("p", { class: "headline" },
      missed > 0 ? "No figures: the service does not answer" : "Waiting for the first figures"));
    return;
  }
  const trusted = history.last.total("headstone_cache_trusted") === 1;
  const sound = readiness.ready && trusted;
  health.dataset.mood = sound ? "good" : "warn";
  health.replaceChildren(
    h("p", { class: "headline" }, sound
      ? "All parts work, and the cache is trusted"
      : readiness.ready ? "The cache is not trusted now: the table answers instead" : "A part does not work"),
    h("ul", { class: "parts" },
      Object.entries(readiness.parts).map(([name, part]) =>
        h("li", { "data-mood": part.ready ? "good" : "warn" },
          words(name).replaceAll("-", " "), part.ready ? " works" : ` does not: ${part.why}`))));
}

function showTiles(tiles, history, short, now) {
  const clicks = now.total(CLICKS);
  tiles.clicks.show(clicks === undefined ? NONE : perSecond(rate(short, now, CLICKS)), `p99 ${duration(quantile(short, now, REDIRECTS, {}, 0.99))}, ${count(clicks)} since start`);
  spark(tiles.clicks.spark, history, history.pairs((a, b) => rate(a, b, CLICKS)), "redirect");

  const ratio = (from, to) => {
    const all = increase(from, to, CLICKS);
    return all === 0 ? undefined : increase(from, to, CLICKS, { cache: ["hit", "tombstone"] }) / all;
  };
  tiles.hits.show(percent(ratio(short, now)), "answered from the cache alone, tombstones included");
  spark(tiles.hits.spark, history, history.pairs(ratio), "gone");

  const done = now.total(`${TAKEDOWNS}_count`, { outcome: "confirmed" });
  const unsure = ["invalidate_failed", "audit_failed", "failed"]
    .reduce((sum, outcome) => sum + (now.total(`${TAKEDOWNS}_count`, { outcome }) ?? 0), 0);
  const first = history.samples[0];
  const p99 = quantile(first, now, TAKEDOWNS, { outcome: "confirmed" }, 0.99);
  tiles.takedowns.show(count(done),
    unsure > 0 ? `${count(unsure)} not confirmed at first` : p99 === undefined ? "none reported unconfirmed" : `p99 ${duration(p99)}, none unconfirmed`,
    unsure > 0 ? "warn" : "");
  spark(tiles.takedowns.spark, history,
    history.pairs((a, b) => rate(a, b, `${TAKEDOWNS}_count`, { outcome: "confirmed" })), "redirect");

  const lag = now.total("headstone_stream_lag_seconds");
  tiles.lag.show(duration(lag), `p99 ${duration(quantile(first, now, AGES, {}, 0.99))} from change to repair`,
    lag > 10 ? "warn" : "");
  spark(tiles.lag.spark, history,
    history.samples.map(sample => ({ at: sample.at, value: sample.total("headstone_stream_lag_seconds") })), "gone");
}

function showCharts(rates, latencies, history) {
  const now = history.last;
  const series = Object.keys(OUTCOMES).map(key => ({
    key, points: history.pairs((a, b) => rate(a, b, CLICKS, { outcome: key })),
  }));
  const current = series.filter(each => each.points.at(-1)?.value > 0)
    .map(each => `${OUTCOMES[each.key]} ${perSecond(each.points.at(-1).value)}`);
  stacked(rates, history, series, perSecond,
    `Clicks per second by outcome. Now: ${current.join(", ") || "none"}.`);

  const p99 = Object.keys(OUTCOMES).map(key => ({
    key,
    points: history.samples.slice(1).map((sample, i) => {
      const from = history.samples[Math.max(0, i - 4)];
      return { at: sample.at, value: quantile(from, sample, REDIRECTS, { outcome: key }, 0.99) };
    }),
  }));
  const slow = p99.filter(each => each.points.at(-1)?.value !== undefined)
    .map(each => `${OUTCOMES[each.key]} ${duration(each.points.at(-1).value)}`);
  lines(latencies, history, p99, duration, `Latency p99 by outcome. Now: ${slow.join(", ") || "no clicks"}.`);
}

function showPromise(small, long, now) {
  const agreement = now.series("headstone_cache_agreement_ratio")
    .sort((a, b) => parseFloat(a.labels.horizon) - parseFloat(b.labels.horizon));
  const compared = agreement.filter(each => !Number.isNaN(each.value));
  const worst = compared.length === 0 ? undefined : Math.min(...compared.map(each => each.value));
  small.agreement.show(percent(worst),
    `after ${agreement.map(each => `${each.labels.horizon}: ${percent(each.value)}`).join(", ")}`, worst < 1 ? "warn" : "");

  const stale = now.total(CLICKS, { cache: "stale_served" });
  const lately = increase(long, now, CLICKS, { cache: "stale_served" });
  small.stale.show(count(stale), lately > 0 ? `${count(lately)} in the last minute` : "while the table failed, since start",
    lately > 0 ? "warn" : "");

  const letters = now.series("headstone_dead_letters");
  const lost = now.total("headstone_dead_letters");
  small.dead.show(count(lost), letters.map(each => `${each.labels.queue}: ${count(each.value)}`).join(", "), lost > 0 ? "bad" : "");

  const open = now.total("headstone_cache_breaker_open");
  const trusted = now.total("headstone_cache_trusted") === 1;
  small.breaker.show(open === undefined ? NONE : open === 0 ? "closed" : open === 1 ? "open" : "trying",
    trusted ? "hits are used" : "hits are not used: the table is asked", open > 0 || !trusted ? "warn" : "");

  small.audit.show(duration(now.total("headstone_audit_lag_seconds")), "from the event to its place in the log");

  const skew = now.total("headstone_clock_skew_seconds");
  small.skew.show(duration(skew), "between this clock and the cache's", Math.abs(skew) > 1 ? "bad" : "");
}
