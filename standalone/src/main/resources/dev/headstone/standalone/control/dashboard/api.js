// Talks to the control API. The token lives in this tab's session storage and in the Authorization header, nowhere else.

const KEY = "headstone.token";
const ROOT = new URL("../", import.meta.url);
const TIMEOUT_MS = 20_000; // longer than the server gives itself
const ALIVE = "active";

let caller = null;
const watchers = new Set();

/** Who is signed in: a name and a role, or null. */
export function signedIn() {
  return caller;
}

/** Calls back whenever somebody signs in or out. */
export function onCaller(watcher) {
  watchers.add(watcher);
}

function become(who) {
  caller = who;
  watchers.forEach(watcher => watcher());
}

export function signOut() {
  sessionStorage.removeItem(KEY);
  become(null);
}

/** Finds out whose token it is, and keeps it if it is anybody's. */
export async function signIn(token) {
  const answer = await ask("GET", "v1/caller", undefined, token);
  if (answer.status === 200) {
    sessionStorage.setItem(KEY, token);
    become(answer.body);
  }
  return answer;
}

/** Goes on as who signed in before the page was loaded again. */
export async function resume() {
  const token = sessionStorage.getItem(KEY);
  if (token !== null) {
    const answer = await signIn(token);
    if (answer.status === 401) {
      sessionStorage.removeItem(KEY);
    }
  }
}

/** The text of a page that is open to all. */
export async function read(path) {
  const response = await fetch(new URL(path, ROOT), options("GET"));
  return { status: response.status, text: await response.text() };
}

/**
 * Asks as who is signed in: {status, body, retryAfter}. Status 0: there was no answer, and nobody knows what became of it.
 */
export async function call(method, path, body) {
  const answer = await ask(method, path, body, sessionStorage.getItem(KEY) ?? "");
  if (answer.status === 401) {
    signOut();
  }
  return answer;
}

/** Whether the server has such a path: its own description says so, and describes nothing else. */
export async function serves(path) {
  try {
    const description = await read("openapi.yaml");
    return description.text.split("\n").includes(`  ${path}:`);
  } catch {
    return false;
  }
}

function options(method) {
  return {
    method,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
}

async function ask(method, path, body, token) {
  const request = options(method);
  try {
    request.headers = { Authorization: `Bearer ${token}` };
    if (body !== undefined) {
      request.headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(body);
    }
    const response = await fetch(new URL(path, ROOT), request);
    return {
      status: response.status,
      body: withoutDead(JSON.parse(await response.text())),
      retryAfter: Number(response.headers.get("Retry-After")) || 1,
    };
  } catch {
    return {
      status: 0,
      body: { title: "No answer", detail: "The service did not answer, so nobody knows what became of the request." },
      retryAfter: 1,
    };
  }
}

/** Operators are told where a dead link went. This page has no use for it, so it forgets at once. */
function withoutDead(body) {
  if (body && typeof body === "object" && "long_url" in body && body.state !== ALIVE) {
    delete body.long_url;
  }
  return body;
}
