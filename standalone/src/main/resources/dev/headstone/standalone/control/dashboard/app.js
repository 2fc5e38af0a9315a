// Puts the pages together: who is signed in, which page is shown, and whether figures still come.

import { onCaller, resume, signOut, signedIn } from "./api.js";
import { announce, bringTo, h, said } from "./dom.js";
import { link } from "./link.js";
import { overview } from "./overview.js";
import { signInPage } from "./signin.js";
import { takedown } from "./takedown.js";
import { known, onReading, start } from "./watch.js";

const PAGES = { "": overview, link, takedown, signin: signInPage };
const main = document.getElementById("main");
let leave = () => {};
let lost = false;

function parameter(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the page that the address names; it holds a code at most, never a token. */
function show(focus) {
  const [name, ...parameters] = location.hash.replace(/^#\/?/, "").split("/").map(parameter);
  const page = PAGES[name] ?? overview;
  leave();
  leave = page(main, parameters);
  const title = main.querySelector("h1").textContent;
  document.title = page === overview ? "Headstone" : `${parameters[0] ? `${parameters[0]} · ` : ""}${title} · Headstone`;
  document.querySelectorAll("[data-page]").forEach(tab => {
    if (PAGES[tab.dataset.page] === page || tab.dataset.page === "overview" && page === overview) {
      tab.setAttribute("aria-current", "page");
    } else {
      tab.removeAttribute("aria-current");
    }
  });
  if (focus) {
    bringTo(main.querySelector("h1"));
  }
}

function showCaller() {
  const who = signedIn();
  document.getElementById("who").replaceChildren(...(who
    ? [h("span", { class: "caller" }, said(who.name), " ", h("span", { class: "role" }, who.role)),
       h("button", { type: "button", onclick: signOut }, "Sign out")]
    : [h("a", { class: "button", href: "#/signin" }, "Sign in")]));
}

function showPulse() {
  const { history, missed } = known();
  const pulse = document.getElementById("pulse");
  pulse.dataset.mood = missed > 0 ? "bad" : "good";
  pulse.textContent = missed > 0 ? "No figures: the service does not answer"
    : history.last ? `Live: figures of ${new Date().toISOString().slice(11, 19)} UTC` : "Connecting";
  if (lost !== missed > 0) {
    lost = missed > 0;
    announce(lost ? "The service does not answer" : "The service answers again");
  }
}

window.addEventListener("hashchange", () => show(true));
document.querySelector(".skip").addEventListener("click", event => {
  event.preventDefault(); // the address names pages
  main.focus();
});
onCaller(() => {
  showCaller();
  if (!signedIn()) {
    announce("Signed out");
    show(false);
  }
});
onReading(showPulse);
await resume();
showCaller();
show(false);
start();
