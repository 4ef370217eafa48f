"use strict";

// Between the pages of listed origins and the host, which asks modemd with the rights of whoever
// runs this browser. Each page has a host of its own, which ends with it.

const api = globalThis.browser ?? globalThis.chrome;

// From the browser itself: a page cannot say where it is from.
function originOf(sender) {
  return sender.origin ?? new URL(sender.url).origin;
}

async function readOrigins() {
  const { origins } = await api.storage.managed.get("origins").catch(() => ({}));
  return Array.isArray(origins) ? origins : null;
}

// A browser that was just installed reads its policy for an extension some seconds after it.
function firstOrigins() {
  return new Promise((resolve) => {
    const look = async () => resolve(await readOrigins());
    setTimeout(look, 8000);
    api.storage.onChanged.addListener((_, area) => area === "managed" && look());
  });
}

async function isListed(sender) {
  // The tab's own page and none of its frames.
  if (!sender.tab || sender.frameId !== 0) return false;
  const origins = (await readOrigins()) ?? (await firstOrigins()) ?? [];
  return origins.includes(originOf(sender));
}

api.runtime.onConnect.addListener(async (page) => {
  // What comes while the policy is read waits.
  let host = null;
  let isGone = false;
  const waiting = [];
  page.onMessage.addListener((message) => (host ? host.postMessage(message) : waiting.push(message)));
  page.onDisconnect.addListener(() => {
    isGone = true;
    host?.disconnect();
  });
  const end = (name, text) => {
    if (isGone) return;
    page.postMessage({ id: null, event: "error", error: { name, text } });
    page.disconnect();
  };
  if (!(await isListed(page.sender))) {
    return end("notAllowed", "this page's origin is not in the browser's policy; its administrator can add it");
  }
  if (isGone) return;
  host = api.runtime.connectNative("org.modemd.browser");
  host.onMessage.addListener((message) => page.postMessage(message));
  host.onDisconnect.addListener((port) => {
    const error = port.error ?? api.runtime.lastError;
    end("hostEnded", error?.message ?? "the host has ended");
  });
  host.postMessage({ id: 0, call: "open", parameters: { origin: originOf(page.sender) } });
  for (const message of waiting) host.postMessage(message);
});
