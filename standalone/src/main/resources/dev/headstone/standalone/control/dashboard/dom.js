// Builds elements. Text only ever becomes text nodes: nothing that came from elsewhere is parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(9).filter(child => child !== undefined && child !== null && child !== false));
  return element;
}

/** An HTML element; children are elements or text. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Text from elsewhere, kept from turning the text around it from right to left. */
export function said(text) {
  return h("bdi", {}, text);
}

/** A list of names and values; what has no value is left out. */
export function facts(...pairs) {
  return h("dl", { class: "facts" },
    pairs.filter(pair => pair && ![null, undefined, false, ""].includes(pair[1]))
      .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** A moment, in UTC as the log has it. */
export function moment(text) {
  if (!text) {
    return null;
  }
  return h("time", { datetime: text }, text.replace("T", " ").replace("Z", " UTC"));
}

/** Tells people who do not see the page what has changed on it. */
export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

/** Puts the keyboard where the news is. */
export function bringTo(element) {
  element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}

/** Says what is missing, if anything is, and puts the keyboard there. */
export function complain(fault, fields, missing) {
  const [wrong, text] = missing ?? [undefined, ""];
  fault.textContent = text;
  for (const field of fields) {
    if (field === wrong) {
      field.setAttribute("aria-invalid", "true");
    } else {
      field.removeAttribute("aria-invalid");
    }
  }
  if (wrong) {
    announce(text);
    wrong.focus();
  }
}
