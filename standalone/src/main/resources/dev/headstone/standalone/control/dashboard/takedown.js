// Takes down one link. Where the server can take down many at once, the form for that follows.

import { call, serves, signedIn } from "./api.js";
import { complain, h } from "./dom.js";
import { carryOut } from "./receipt.js";
import { forSignedIn } from "./signin.js";
import { TAKEDOWNS, takedowns } from "./takedowns.js";

export function takedown(main, [code]) {
  if (!signedIn()) {
    forSignedIn("Take down", main, () => takedown(main, [code]));
    return () => {};
  }
  main.replaceChildren(h("h1", {}, "Take down"));
  if (signedIn().role !== "operator") {
    main.append(h("p", { class: "card" }, `Only operators take links down; you are signed in as ${signedIn().role}.`));
    return () => {};
  }
  const page = { left: false };
  main.append(...single(code));
  serves(TAKEDOWNS).then(served => {
    if (served && !page.left) {
      main.append(...takedowns(page));
    }
  });
  return () => { page.left = true; };
}

function single(code) {
  const result = h("div", { class: "outcome" });
  const fault = h("p", { class: "fault", id: "takedown-fault" });
  const target = h("input", {
    id: "takedown-code", value: code ?? "", maxlength: 32, required: true, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    "aria-describedby": "takedown-fault",
  });
  const reason = h("input", {
    id: "takedown-reason", maxlength: 500, required: true, autocomplete: "off", "aria-describedby": "takedown-help takedown-fault",
  });
  const form = h("form", { class: "card narrow", novalidate: true },
    h("h2", {}, "One link"),
    h("label", { for: "takedown-code" }, "Short code"), target,
    h("label", { for: "takedown-reason" }, "Reason"), reason,
    h("p", { class: "note", id: "takedown-help" }, "1 to 500 characters. It stands in the audit log with your name."),
    fault,
    h("p", { class: "actions" }, h("button", { type: "submit", class: "danger" }, "Take down")));
  form.addEventListener("submit", event => {
    event.preventDefault();
    const missing = [[target, "A short code is needed."], [reason, "A reason is needed."]]
      .find(([field]) => field.value.trim() === "");
    complain(fault, [target, reason], missing);
    if (!missing) {
      const body = { reason: reason.value.trim() };
      carryOut(result, () => call("POST", `v1/links/${encodeURIComponent(target.value.trim())}/takedown`, body));
    }
  });
  return [form, result];
}
