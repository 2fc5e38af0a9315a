// Reads Prometheus text and makes rates and quantiles of what changed between two readings.

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES = { n: "\n", '"': '"', "\\": "\\" };

function number(text) {
  switch (text) {
    case "+Inf": return Infinity;
    case "-Inf": return -Infinity;
    default: return Number(text); // NaN stays NaN
  }
}

/** All series by name: {labels, value}. */
export function parse(text) {
  const families = new Map();
  for (const line of text.split("\n")) {
    const match = line.startsWith("#") ? null : LINE.exec(line);
    if (!match) {
      continue;
    }
    const labels = {};
    for (const [, name, value] of (match[2] ?? "").matchAll(LABEL)) {
      labels[name] = value.replace(/\\(.)/g, (_, c) => ESCAPES[c] ?? c);
    }
    if (!families.has(match[1])) {
      families.set(match[1], []);
    }
    families.get(match[1]).push({ labels, value: number(match[3]) });
  }
  return families;
}

function matches(labels, wanted) {
  return Object.entries(wanted).every(([name, value]) =>
    Array.isArray(value) ? value.includes(labels[name]) : labels[name] === value);
}

/** One reading of everything, and when it was, in milliseconds of the page's own clock. */
export class Sample {
  constructor(at, families) {
    this.at = at;
    this.families = families;
  }

  series(name, wanted = {}) {
    return (this.families.get(name) ?? []).filter(each => matches(each.labels, wanted));
  }

  /** The sum of what matches, or undefined if nothing does. */
  total(name, wanted = {}) {
    const found = this.series(name, wanted);
    return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each.value, 0);
  }

  /** The values that a label has. */
  values(name, label) {
    return [...new Set(this.series(name).map(each => each.labels[label]))];
  }
}

/** How much a counter grew; one that is smaller than before began anew when the process did. */
function growth(before, after) {
  return after >= before ? after - before : after;
}

export function increase(from, to, name, wanted = {}) {
  return growth(from.total(name, wanted) ?? 0, to.total(name, wanted) ?? 0);
}

export function rate(from, to, name, wanted = {}) {
  const seconds = (to.at - from.at) / 1000;
  return seconds > 0 ? increase(from, to, name, wanted) / seconds : 0;
}

/**
 * The quantile q of what a histogram took in between two readings, in its unit: within a bucket as if evenly spread, and at
 * most the bound of the last finite bucket, as Prometheus does it. Undefined if it took in nothing.
 */
export function quantile(from, to, name, wanted, q) {
  const buckets = new Map();
  const add = (sample, sign) => {
    for (const { labels, value } of sample.series(`${name}_bucket`, wanted)) {
      const bound = number(labels.le);
      const bucket = buckets.get(bound) ?? [0, 0];
      bucket[sign] += value;
      buckets.set(bound, bucket);
    }
  };
  add(from, 0);
  add(to, 1);
  const sorted = [...buckets].sort(([a], [b]) => a - b)
    .map(([bound, [before, after]]) => ({ bound, count: growth(before, after) }));
  const all = sorted.at(-1)?.count ?? 0;
  if (all === 0) {
    return undefined;
  }
  const rank = q * all;
  let below = 0;
  let lower = 0;
  for (const { bound, count } of sorted) {
    if (count >= rank && count > below) {
      return bound === Infinity ? lower : lower + (bound - lower) * (rank - below) / (count - below);
    }
    below = Math.max(below, count);
    lower = bound;
  }
  return lower;
}

/** The last readings, as many as a chart has room for. */
export class History {
  constructor(most) {
    this.most = most;
    this.samples = [];
  }

  add(sample) {
    this.samples.push(sample);
    if (this.samples.length > this.most) {
      this.samples.shift();
    }
  }

  get last() {
    return this.samples.at(-1);
  }

  /** The reading that is so old, or the oldest. */
  before(milliseconds) {
    const limit = this.last.at - milliseconds - 250;
    return this.samples.find(sample => sample.at >= limit) ?? this.last;
  }

  /** {at, value} for each reading but the first, of two that follow each other. */
  pairs(value) {
    return this.samples.slice(1).map((to, i) => ({ at: to.at, value: value(this.samples[i], to) }));
  }
}
