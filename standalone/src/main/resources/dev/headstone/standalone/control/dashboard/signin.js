// Asks for a token. It is kept for this tab only, and goes nowhere but into a header.

import { signIn } from "./api.js";
import { announce, bringTo, h, said } from "./dom.js";

/** A form that signs in and then calls back. */
export function signInForm(then) {
  const token = h("input", {
    id: "token", type: "password", autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true, "aria-describedby": "token-help token-fault",
  });
  const fault = h("p", { id: "token-fault", class: "fault" });
  const form = h("form", { class: "card narrow", novalidate: true },
    h("label", { for: "token" }, "Token"),
    token,
    h("p", { id: "token-help", class: "note" },
      "Made by ", h("code", {}, "headstone operator add NAME --role operator"),
      ". It stays in this tab and is forgotten with it."),
    fault,
    h("p", { class: "actions" }, h("button", { type: "submit", class: "primary" }, "Sign in")));
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const given = token.value.trim();
    token.value = "";
    const answer = given === "" ? null : await signIn(given);
    if (answer?.status === 200) {
      announce(`Signed in as ${answer.body.name}, ${answer.body.role}`);
      then();
      return;
    }
    fault.replaceChildren(said(answer === null ? "A token is needed." : answer.body.detail));
    announce(fault.textContent);
    token.setAttribute("aria-invalid", "true");
    token.focus();
  });
  return form;
}

export function signInPage(main) {
  const heading = h("h1", {}, "Sign in");
  main.replaceChildren(heading,
    h("p", {}, "The figures are open to all. Links, their audit trail and takedowns want a token."),
    signInForm(() => { location.hash = "#/"; }));
  return () => {};
}

/** Shows the page to who is signed in, and the sign-in to who is not. */
export function forSignedIn(title, main, again) {
  main.replaceChildren(h("h1", {}, title),
    h("p", {}, "This wants a token."),
    signInForm(() => {
      again();
      bringTo(main.querySelector("h1"));
    }));
}
