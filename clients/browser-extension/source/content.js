"use strict";

// Between one page and the extension. A page asks for a connection with a message that brings a
// port; what goes over that port no other frame hears. Each message is JSON text.

const api = globalThis.browser ?? globalThis.chrome;
const longest = 65536; // what the host takes

addEventListener("message", (event) => {
  if (event.source !== window || event.origin !== location.origin || event.data !== "org.modemd.connect") return;
  const page = event.ports[0];
  if (!page) return;
  const tell = (message) => page.postMessage(JSON.stringify(message));
  const host = api.runtime.connect({ name: "org.modemd.browser" });
  host.onMessage.addListener(tell);
  host.onDisconnect.addListener(() => page.close());
  addEventListener("pagehide", () => host.disconnect());
  page.onmessage = ({ data }) => {
    if (typeof data !== "string" || data.length > longest) return;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    host.postMessage(message);
  };
  tell({ id: null, event: "connected" });
});
