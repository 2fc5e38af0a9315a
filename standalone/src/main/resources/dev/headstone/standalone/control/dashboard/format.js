// Numbers as people read them.

const WHOLE = new Intl.NumberFormat("en");

export const NONE = "–";

export function count(value) {
  return value === undefined || Number.isNaN(value) ? NONE : WHOLE.format(Math.round(value));
}

/** So many a second. */
export function perSecond(value) {
  if (value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  return value >= 100 ? WHOLE.format(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(value === 0 ? 0 : 2);
}

export function percent(value) {
  if (value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  const rounded = Math.floor(value * 1000) / 10; // never 100 % unless it is
  return `${rounded.toFixed(rounded === 100 ? 0 : 1)} %`;
}

/** A duration in seconds. */
export function duration(seconds) {
  if (seconds === undefined || Number.isNaN(seconds)) {
    return NONE;
  }
  if (seconds === 0) {
    return "0 s";
  }
  const size = Math.abs(seconds);
  if (size < 0.001) {
    return `${Math.round(seconds * 1e6)} µs`;
  }
  if (size < 1) {
    return `${(seconds * 1000).toFixed(size < 0.00995 ? 1 : 0)} ms`;
  }
  return size < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}

/** What the wire calls a state, an outcome or a type, in words. */
export function words(name) {
  return String(name).replaceAll(/[._]/g, " ");
}
