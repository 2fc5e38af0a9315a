// Shows what came of a change. A receipt is the only thing that looks like success.

import { announce, bringTo, facts, h, moment, s, said } from "./dom.js";
import { words } from "./format.js";

const RADIUS = 26;
const ROUND = 2 * Math.PI * RADIUS;

const DONE = {
  taken_down: "Taken down, and confirmed",
  deactivated: "Switched off, and confirmed",
  active: "Live again, and confirmed",
};

/**
 * Counts down until no copy at the edge is left. The server's own two times say how long that is, so this machine's clock
 * need not be right.
 */
function countdown(receipt) {
  const total = Math.max(0, Date.parse(receipt.edge_clear_at) - Date.parse(receipt.confirmed_at));
  const started = performance.now();
  const ring = s("circle", { class: "ring", r: RADIUS, cx: 32, cy: 32, transform: "rotate(-90 32 32)", "stroke-dasharray": ROUND });
  const text = h("p", { class: "count" });
  const holder = h("div", { class: "countdown", "data-clear": "false" },
    s("svg", { viewBox: "0 0 64 64", width: 64, height: 64, "aria-hidden": "true" },
      s("circle", { class: "ring-under", r: RADIUS, cx: 32, cy: 32 }), ring),
    text);
  const tick = () => {
    const left = total - (performance.now() - started);
    ring.setAttribute("stroke-dashoffset", String(ROUND * (1 - Math.max(0, left) / (total || 1))));
    if (left > 0) {
      text.textContent = `${(left / 1000).toFixed(1)} s until the last copy in a CDN or a browser is gone`;
      return;
    }
    clearInterval(timer);
    holder.dataset.clear = "true";
    text.textContent = "No copy is left in a CDN or a browser either";
    if (holder.isConnected) {
      announce(`${receipt.short_code}: the edge is clear`);
    }
  };
  const timer = setInterval(tick, 100);
  tick();
  return holder;
}

/** Whether an answer is a receipt, and nothing less. */
export function isReceipt(answer) {
  return answer.status === 200 && answer.body?.outcome === "confirmed";
}

function receipt(body) {
  const dead = body.state !== "active";
  const heading = h("h2", {}, DONE[body.state] ?? "Confirmed");
  announce(`${body.short_code}: ${heading.textContent}`);
  return {
    heading,
    element: h("section", { class: "card result", "data-mood": "good", "data-outcome": "confirmed" },
      heading,
      h("p", {}, dead
        ? "The tombstone is confirmed in the cache and the audit event is in the queue: no cache of ours can answer with the destination."
        : "The cache and the audit log follow: the next click sees it."),
      dead && countdown(body),
      facts(
        ["Code", h("a", { href: `#/link/${encodeURIComponent(body.short_code)}` }, said(body.short_code))],
        ["Outcome", body.outcome],
        ["State", words(body.state)],
        ["Version", String(body.version)],
        ["Changed at", moment(body.at)],
        ["Confirmed at", moment(body.confirmed_at)],
        ["Edge clear at", moment(body.edge_clear_at)],
        ["Audit event", h("code", {}, said(body.event_id))])),
  };
}

/** What the server says went wrong, in its own words. */
export function problem(answer, again) {
  const { status, body, retryAfter } = answer;
  const unconfirmed = status === 503 || status === 0;
  const heading = h("h2", {}, unconfirmed ? "NOT confirmed" : status === 409 ? "Refused" : body.title ?? "Refused");
  const known = new Set(["title", "detail", "status", "outcome", "field", "type", "instance"]);
  announce(`${heading.textContent}. ${body.detail ?? ""}`);
  return {
    heading,
    element: h("section", {
      class: "card result", "data-mood": unconfirmed ? "warn" : "bad", "data-outcome": body.outcome ?? "problem",
    },
      heading,
      h("p", {}, said(body.detail ?? body.title ?? "")),
      unconfirmed && h("p", {}, "Do not count on it yet. Asking again is safe: it repeats only what is not done."),
      facts(
        ["Status", status === 0 ? "none" : `${status} ${body.title ?? ""}`],
        ["Outcome", body.outcome && h("code", {}, said(body.outcome))],
        ["Field", body.field && h("code", {}, said(body.field))],
        ...Object.entries(body).filter(([name]) => !known.has(name))
          .map(([name, value]) => [words(name), said(String(value))])),
      unconfirmed && again && retry(again, retryAfter)),
  };
}

/** A button that waits as long as the server asked for. */
function retry(again, seconds) {
  const button = h("button", { type: "button", class: "primary", "aria-disabled": "true" }, "Try again");
  setTimeout(() => button.removeAttribute("aria-disabled"), Math.min(seconds, 60) * 1000);
  button.addEventListener("click", () => {
    if (!button.hasAttribute("aria-disabled")) {
      again();
    }
  });
  return h("p", { class: "actions" }, button);
}

/**
 * Carries out a change and shows what came of it in the holder, with the keyboard on it.
 *
 * @returns the answer, for who has more to do then
 */
export async function carryOut(holder, change) {
  holder.replaceChildren(h("p", { class: "card waiting" }, "Waiting for the confirmation"));
  const answer = await change();
  const shown = isReceipt(answer) ? receipt(answer.body) : problem(answer, () => carryOut(holder, change));
  holder.replaceChildren(shown.element);
  bringTo(shown.heading);
  holder.dispatchEvent(new CustomEvent("changed", { detail: answer, bubbles: true }));
  return answer;
}
