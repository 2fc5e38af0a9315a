// Takes down everything of a host, an owner, a tag or a list: first a dry run that counts, then the job itself.

import { call } from "./api.js";
import { announce, bringTo, complain, facts, h, said } from "./dom.js";
import { count, words } from "./format.js";
import { problem } from "./receipt.js";

/** Where takedowns of many links are asked for. */
export const TAKEDOWNS = "/v1/takedowns";

const PATH = TAKEDOWNS.slice(1);
const POLL_MS = 1_000;
const MOST_POLLS = 3_600;
const SETTLED = ["done", "restored"];

const KINDS = {
  host: { name: "Host", hint: "A name, a pasted URL or a public IP; *.host takes subdomains, too", most: 2_048 },
  owner: { name: "Owner", hint: "Every link of that owner", most: 64 },
  tag: { name: "Tag", hint: "Every link with that tag", most: 64 },
  codes: { name: "List", hint: "1 to 10,000 short codes, separated by spaces or lines", most: 330_000 },
};

const JOB = {
  blocked: ["wait", "None of the links is served any more; tombstones are on their way"],
  running: ["wait", "None of the links is served any more; tombstones are being confirmed"],
  done: ["good", "Done: every tombstone is confirmed"],
  restored: ["good", "Undone"],
};

/** The form and the place for what comes of it; page.left says when nobody looks any more. */
export function takedowns(page) {
  return new Takedowns(page).elements;
}

class Takedowns {
  constructor(page) {
    this.page = page;
    this.result = h("div", { class: "outcome" });
    this.target = h("div", {});
    this.fault = h("p", { class: "fault", id: "many-fault" });
    this.buttons = h("div", { class: "actions" });
    this.reason = h("input", { id: "many-reason", maxlength: 500, autocomplete: "off", required: true, "aria-describedby": "many-fault" });
    const form = h("form", { class: "card narrow", novalidate: true, onsubmit: event => { event.preventDefault(); this.submit(); } },
      h("h2", {}, "Many links"),
      h("fieldset", { class: "choice" },
        h("legend", {}, "All links by"),
        Object.entries(KINDS).map(([kind, { name }], i) => h("label", {},
          h("input", { type: "radio", name: "kind", value: kind, checked: i === 0, onchange: () => this.choose(kind) }),
          h("span", {}, name)))),
      this.target,
      h("label", { for: "many-reason" }, "Reason"), this.reason,
      h("p", { class: "note" }, "A dry run comes first: it counts, and changes nothing."),
      this.fault,
      this.buttons);
    this.elements = [form, this.result];
    this.choose("host");
  }

  choose(kind) {
    this.kind = kind;
    const { name, hint, most } = KINDS[kind];
    const attributes = {
      id: "many-target", maxlength: most, required: true, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
      "aria-describedby": "many-hint many-fault", oninput: () => this.offer(undefined),
    };
    this.value = kind === "codes" ? h("textarea", { ...attributes, rows: 4 }) : h("input", attributes);
    this.target.replaceChildren(
      h("label", { for: "many-target" }, kind === "codes" ? "Short codes" : name), this.value, h("p", { class: "note", id: "many-hint" }, hint));
    this.result.replaceChildren();
    complain(this.fault, [this.value, this.reason]);
    this.offer(undefined);
  }

  /** Only what a dry run has counted may be taken down; a changed target has to be counted again. */
  offer(counted) {
    this.counted = counted;
    this.buttons.replaceChildren(...(counted === undefined
      ? [h("button", { type: "submit", class: "primary" }, "Dry run")]
      : [h("button", { type: "submit", class: "danger" }, counted === 1 ? "Take down 1 link" : `Take down ${count(counted)} links`),
         h("button", { type: "button", onclick: () => this.dryRun() }, "Dry run again")]));
  }

  missing() {
    return this.value.value.trim() === "" ? [this.value, `${KINDS[this.kind].name}: something is needed.`]
      : this.reason.value.trim() === "" ? [this.reason, "A reason is needed."] : undefined;
  }

  submit() {
    const missing = this.missing();
    complain(this.fault, [this.value, this.reason], missing);
    if (!missing) {
      return this.counted === undefined ? this.dryRun() : this.takeDown();
    }
  }

  body(dryRun) {
    const value = this.value.value.trim();
    return {
      reason: this.reason.value.trim(),
      [this.kind]: this.kind === "codes" ? value.split(/[\s,]+/).filter(code => code !== "") : value,
      ...(dryRun ? { dry_run: true } : {}),
    };
  }

  show(shown) {
    this.result.replaceChildren(shown.element);
    bringTo(shown.heading);
  }

  refused(answer, again) {
    this.offer(undefined);
    this.show(problem(answer.status === 404 && answer.body.detail
      ? { ...answer, body: { ...answer.body, title: "Not served", detail: "This server cannot take down many links at once." } } : answer, again));
  }

  async dryRun() {
    const answer = await call("POST", PATH, this.body(true));
    if (this.page.left) {
      return;
    }
    if (answer.status !== 200) {
      this.refused(answer, () => this.dryRun());
      return;
    }
    const links = answer.body.count;
    this.offer(links > 0 ? links : undefined);
    const heading = h("h2", {}, links === 1 ? "1 link is alive" : `${count(links)} links are alive`);
    announce(`Dry run: ${heading.textContent}. Nothing was changed.`);
    this.show({
      heading,
      element: h("section", { class: "card result", "data-mood": "wait", "data-outcome": "dry_run" },
        heading,
        h("p", {}, "This was a dry run: nothing was changed."),
        h("ul", { class: "sample" }, (answer.body.sample ?? []).map(each => h("li", {}, codeLink(each.short_code ?? each))))),
    });
  }

  async takeDown() {
    const answer = await call("POST", PATH, this.body(false));
    if (this.page.left) {
      return;
    }
    if (answer.status !== 202) {
      this.refused(answer, () => this.takeDown());
      return;
    }
    this.offer(undefined);
    await this.begun(answer.body);
  }

  async restore(id) {
    const missing = this.reason.value.trim() === "" ? [this.reason, "Why is it undone? A reason is needed."] : undefined;
    complain(this.fault, [this.value, this.reason], missing);
    if (missing) {
      return;
    }
    const answer = await call("POST", `${PATH}/${encodeURIComponent(id)}/restore`, { reason: this.reason.value.trim() });
    if (this.page.left) {
      return;
    }
    if (answer.status !== 202) {
      this.refused(answer, () => this.restore(id));
      return;
    }
    await this.begun({ id, ...answer.body });
  }

  async begun(job) {
    const shown = jobCard(job);
    this.show(shown);
    announce(shown.heading.textContent);
    await this.follow(job);
  }

  /** Shows how far a job is, until it is through or somebody starts another one. */
  async follow(begun) {
    this.followed = begun.id;
    const watched = () => !this.page.left && this.followed === begun.id && this.result.querySelector("[data-job]") !== null;
    let job = begun;
    for (let i = 0; i < MOST_POLLS && watched(); i++) {
      await new Promise(resolve => { setTimeout(resolve, POLL_MS); });
      const answer = watched() ? await call("GET", `${PATH}/${encodeURIComponent(begun.id)}`) : null;
      if (answer?.status === 200 && watched()) {
        job = answer.body;
        const through = SETTLED.includes(job.state);
        const shown = jobCard(job, through && job.state === "done" ? () => this.restore(begun.id) : undefined);
        this.result.replaceChildren(shown.element);
        if (through) {
          announce(shown.heading.textContent);
          return;
        }
      }
    }
  }
}

function codeLink(code) {
  return h("a", { href: `#/link/${encodeURIComponent(code)}` }, said(String(code)));
}

function jobCard(job, restore) {
  const open = (job.outcomes ?? []).filter(each => each.outcome !== "confirmed");
  const failed = Math.max(job.failed ?? 0, open.length);
  const [usual, text] = JOB[job.state] ?? ["wait", words(job.state)];
  const unsure = failed > 0 && job.state === "done";
  const heading = h("h2", {}, unsure ? `Done, with ${count(failed)} NOT confirmed` : text);
  return {
    heading,
    element: h("section", {
      class: "card result", "data-mood": unsure ? "warn" : usual, "data-outcome": `job_${job.state}`, "data-job": job.id,
    },
      heading,
      facts(["Job", h("code", {}, said(String(job.id)))], ["State", words(job.state)],
        ...Object.entries(job).filter(([, value]) => typeof value === "number").map(([name, value]) => [words(name), count(value)])),
      unsure && h("ul", { class: "sample" }, open.map(each => h("li", {}, codeLink(each.short_code), ` ${words(each.outcome)}`))),
      restore && h("p", { class: "actions" }, h("button", { type: "button", onclick: restore }, "Undo this takedown"))),
  };
}
