// One link: what the table has, what the cache holds, what the audit log tells, and what may be done.

import { call, signedIn } from "./api.js";
import { announce, complain, facts, h, moment, said } from "./dom.js";
import { count, words } from "./format.js";
import { carryOut, problem } from "./receipt.js";
import { forSignedIn } from "./signin.js";

const MOST_EVENTS = 100;
const STATES = {
  active: "good", deactivated: "off", taken_down: "dead", expired: "off", exhausted: "off", blocked: "dead",
};
const DEAD = ["deactivated", "taken_down", "exhausted", "blocked"];
const OUTCOMES = {
  committed: "good", success: "good", repaired: "warn", superseded: "warn", refused: "bad", invalidate_failed: "warn", audit_failed: "warn",
};

function path(code, rest = "") {
  return `v1/links/${encodeURIComponent(code)}${rest}`;
}

export function link(main, [code]) {
  if (!signedIn()) {
    forSignedIn("Link", main, () => link(main, [code]));
    return () => {};
  }
  const shown = h("div", {});
  const input = h("input", {
    id: "code", value: code ?? "", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 32, required: true,
  });
  main.replaceChildren(
    h("h1", {}, "Link"),
    h("form", {
      class: "lookup", role: "search", "aria-label": "A link by its code",
      onsubmit: event => {
        event.preventDefault();
        if (input.value.trim() !== "") {
          location.hash = `#/link/${encodeURIComponent(input.value.trim())}`;
        }
      },
    },
      h("label", { for: "code" }, "Short code"), input,
      h("button", { type: "submit", class: "primary" }, "Show")),
    shown);
  if (code) {
    load(shown, code);
  }
  return () => {};
}

async function load(shown, code) {
  const answer = await call("GET", path(code));
  if (answer.status !== 200) {
    shown.replaceChildren(problem(answer, () => load(shown, code)).element);
    return;
  }
  const result = h("div", { class: "outcome" });
  const details = h("div", {});
  const trail = h("div", { class: "below" });
  shown.replaceChildren(result, details, trail);
  showLink(details, answer.body, result);
  showTrail(trail, code);
  announce(`${code} is ${words(answer.body.state)}`);
  result.addEventListener("changed", async () => {
    const after = await call("GET", path(code));
    if (after.status === 200) {
      showLink(details, after.body, result);
      showTrail(trail, code);
    }
  });
}

/** What the three parts of a stamp say. */
function stampOf(text) {
  const [epoch, version, mark] = text.split(".");
  return { epoch: Number(epoch), version: BigInt(version), dead: mark === "1" };
}

/** Whether what lies in the cache is of the same mind as the table. */
function verdict(item) {
  const { cache } = item;
  switch (cache.state) {
    case "absent": return ["good", "Nothing lies in the cache: the next click asks the table."];
    case "unavailable": return ["warn", "The cache does not answer: clicks ask the table."];
    case "unreadable": return ["warn", "What lies there is unreadable: it answers nothing and is replaced."];
    default: {
      const stamp = stampOf(cache.stamp);
      const same = stamp.epoch === Date.parse(item.created_at) && stamp.version === BigInt(item.version)
        && (item.state === "expired" || stamp.dead === DEAD.includes(item.state));
      return same ? ["good", "The cache agrees with the table."]
        : ["bad", "The cache holds another version than the table. Repairs are on their way; confirm writes a tombstone again."];
    }
  }
}

function showLink(details, item, result) {
  const dead = item.state !== "active";
  const [mood, says] = verdict(item);
  details.replaceChildren(
    h("section", { class: "card link", "data-state": item.state },
      h("div", { class: "beside" },
        h("h2", { class: "code" }, said(item.short_code)),
        h("span", { class: "badge", "data-mood": STATES[item.state] ?? "off" }, words(item.state))),
      h("p", { class: "url" }, said(item.short_url)),
      dead
        ? h("p", { class: "note" }, "This page keeps no destination of a dead link.")
        : h("p", { class: "url to" }, h("span", { "aria-hidden": "true" }, "→ "), said(item.long_url ?? "")),
      actions(item, result)),
    h("div", { class: "halves" },
      h("section", { class: "card" },
        h("h2", {}, "The table says"),
        facts(
          ["Version", String(item.version)],
          ["Created at", moment(item.created_at)],
          ["Changed at", moment(item.changed_at)],
          ["Changed by", said(item.changed_by)],
          ["Reason", item.change_reason && said(item.change_reason)],
          ["Dead since", moment(item.deleted_at)],
          ["Expires at", moment(item.expires_at)],
          ["Owner", item.owner && said(item.owner)],
          ["Tags", item.tags.length > 0 && h("span", { class: "tags" }, item.tags.map(tag => h("span", { class: "tag" }, said(tag))))],
          ["Visits", item.visit_limit === null ? visits(item.visits) : `${visits(item.visits)} of ${count(item.visit_limit)}`],
          ["Last visit", moment(item.last_visited_at)])),
      h("section", { class: "card" },
        h("h2", {}, "The cache holds"),
        h("p", { class: "verdict", "data-mood": mood }, says),
        facts(
          ["Record", { active: "active record", deleted: "tombstone" }[item.cache.state] ?? item.cache.state],
          ["Stamp", item.cache.stamp && h("code", { class: "stamp" }, item.cache.stamp)],
          ["Of version", item.cache.stamp && String(stampOf(item.cache.stamp).version)],
          ["Fresh until", moment(item.cache.fresh_until)],
          ["Gone after", moment(item.cache.stale_until)]))),
    h("details", { class: "card raw" },
      h("summary", {}, "Item and record as JSON"),
      h("pre", { tabindex: "0" }, JSON.stringify(item, null, 2))));
}

/** None where they could not be read. */
function visits(number) {
  return number === null ? "not known now" : count(number);
}

/** What the role may do with a link in this state. */
function allowed(item) {
  const { name, role } = signedIn() ?? {};
  const operator = role === "operator";
  const mine = operator || role === "owner" && item.owner === name;
  return {
    takedown: operator && item.state !== "taken_down",
    restore: operator && ["taken_down", "deactivated"].includes(item.state),
    confirm: operator && DEAD.includes(item.state),
    deactivate: mine && item.state === "active",
    reactivate: mine && item.state === "deactivated",
  };
}

function actions(item, result) {
  const may = allowed(item);
  if (!Object.values(may).includes(true)) {
    return h("p", { class: "note" }, signedIn()?.role === "operator" ? "Nothing is to be done." : "Your role may look at this link, and change nothing.");
  }
  const reason = h("input", { id: "reason", maxlength: 500, autocomplete: "off", "aria-describedby": "reason-fault" });
  const fault = h("p", { class: "fault", id: "reason-fault" });
  const post = (action, body) => () => call("POST", path(item.short_code, `/${action}`), body);
  const withReason = action => () => {
    const given = reason.value.trim();
    complain(fault, [reason], given === "" ? [reason, "A reason is needed: it stands in the audit log."] : undefined);
    if (given !== "") {
      carryOut(result, post(action, { reason: given }));
    }
  };
  const switchTo = state => () => carryOut(result, () => call("PATCH", path(item.short_code), { state }));
  const button = (text, kind, onclick) => h("button", { type: "button", class: kind, onclick }, text);
  return h("div", { class: "change" },
    (may.takedown || may.restore) && [h("label", { for: "reason" }, "Reason"), reason, fault],
    h("div", { class: "actions" },
      may.takedown && button("Take down", "danger", withReason("takedown")),
      may.restore && button("Restore", "primary", withReason("restore")),
      may.reactivate && button("Reactivate", "", switchTo("active")),
      may.deactivate && button("Deactivate", "", switchTo("deactivated")),
      may.confirm && button("Confirm the tombstone", "", () => carryOut(result, post("confirm", {})))));
}

function event(each) {
  return h("li", { class: "event", "data-mood": OUTCOMES[each.outcome] ?? "off" },
    h("div", { class: "beside" },
      h("p", {}, h("b", {}, words(each.type ?? "unreadable").replace(/^(link|cache|record) /, "")), " ",
        h("span", { class: "badge", "data-mood": OUTCOMES[each.outcome] ?? "off" }, words(each.outcome ?? "?")),
        each.version !== undefined && h("span", { class: "note" }, ` version ${each.version}`)),
      h("p", { class: "note" }, `#${each.seq} `, h("code", { title: each.hash }, String(each.hash).slice(0, 8)))),
    h("p", { class: "note" }, moment(each.at), each.actor && [" by ", said(each.actor)]),
    each.reason && h("p", { class: "reason" }, said(each.reason)));
}

async function showTrail(trail, code) {
  const list = h("ol", { class: "trail" });
  const more = h("p", { class: "actions" });
  const verified = h("p", { class: "verdict", role: "status" });
  const query = `v1/audit?code=${encodeURIComponent(code)}`;
  const page = async cursor => {
    const answer = await call("GET", `${query}&limit=${MOST_EVENTS}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    if (answer.status !== 200) {
      more.replaceChildren(problem(answer, () => page(cursor)).element);
      return;
    }
    list.append(...answer.body.events.map(event));
    more.replaceChildren(...(answer.body.cursor
      ? [h("button", { type: "button", onclick: () => page(answer.body.cursor) }, "Show more events")] : []));
  };
  const verify = async () => {
    const answer = await call("GET", `v1/audit/verify?code=${encodeURIComponent(code)}`);
    const ok = answer.status === 200 && answer.body.ok;
    verified.dataset.mood = ok ? "good" : "bad";
    verified.textContent = answer.status !== 200 ? answer.body.detail
      : ok ? `The chain verifies: ${count(answer.body.events)} events, each sealed by the next.`
        : `The chain is broken: ${answer.body.faults.map(fault => `${fault.kind} at ${fault.seq}`).join(", ")}.`;
  };
  trail.replaceChildren(h("section", { class: "card" },
    h("div", { class: "beside" }, h("h2", {}, "Audit trail"),
      h("button", { type: "button", onclick: verify }, "Verify the chain")),
    verified, list, more));
  await page();
}
