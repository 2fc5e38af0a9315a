// Reads the metrics and the readiness every two seconds while somebody looks.

import { read } from "./api.js";
import { History, Sample, parse } from "./metrics.js";

const EVERY_MS = 2_000;
const MOST = 151; // five minutes

const history = new History(MOST);
const watchers = new Set();
let readiness = null;
let reading = false;
let missed = 0;

/** What is known: readings so far, the last readiness, and how many readings in a row did not come. */
export function known() {
  return { history, readiness, missed };
}

/** Calls back after every reading, until the answer is called. */
export function onReading(watcher) {
  watchers.add(watcher);
  if (history.last) {
    watcher();
  }
  return () => watchers.delete(watcher);
}

async function readOnce() {
  if (reading || document.hidden) {
    return; // a slow answer is not asked for twice
  }
  reading = true;
  try {
    const [metrics, ready] = await Promise.all([read("metrics"), read("readyz")]);
    if (metrics.status !== 200) {
      throw new Error("no metrics");
    }
    readiness = JSON.parse(ready.text);
    history.add(new Sample(performance.now(), parse(metrics.text)));
    missed = 0;
    document.documentElement.dataset.readings = Number(document.documentElement.dataset.readings ?? 0) + 1;
  } catch {
    missed += 1;
  } finally {
    reading = false;
  }
  watchers.forEach(watcher => watcher());
}

export function start() {
  readOnce();
  setInterval(readOnce, EVERY_MS);
  document.addEventListener("visibilitychange", readOnce);
}
