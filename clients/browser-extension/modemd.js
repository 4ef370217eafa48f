// modemd for a page whose origin the browser's policy lists. Copy this file to your site.
//
//     import { Modemd } from "./modemd.js";
//     const modemd = await Modemd.connect();
//     const outcome = await modemd.call("verify", { number: "+4915112345678" }, {
//       onProgress: (step) => show(step.name),
//       onQuestion: async (question) => await ask(question.what), // a code or a PIN; null cancels
//       signal: controller.signal,
//     });
//     if (outcome.result === "verified") …

/** Why there is no outcome: `name` is a word for programs, the message a sentence for people. */
export class ModemdError extends Error {
  constructor({ name, text, field }) {
    super(text);
    this.name = name;
    this.field = field;
  }
}

export class Modemd {
  #port;
  #calls = new Map();
  #last = 0;
  #ended = null;
  /** What this page may ask, as in ["verify"]. */
  asks = [];

  /**
   * Connects this page to modemd.
   * @param {number} milliseconds How long a browser may need to start the host.
   * @throws {ModemdError} `notInstalled` without the extension, `notAllowed` for another origin.
   */
  static async connect(milliseconds = 10000) {
    const modemd = new Modemd();
    const { port1, port2 } = new MessageChannel();
    modemd.#port = port1;
    return await new Promise((resolve, reject) => {
      const missing = { name: "notInstalled", text: "this browser has no extension of modemd for this page" };
      const late = { name: "hostEnded", text: "modemd's host did not start in time" };
      let timer = setTimeout(() => reject(new ModemdError(missing)), 1000);
      const isOpening = (event) => {
        if (event.event !== "connected") clearTimeout(timer);
        else (clearTimeout(timer), (timer = setTimeout(() => reject(new ModemdError(late)), milliseconds)));
        if (event.event === "opened") resolve(Object.assign(modemd, { asks: event.asks }));
        if (event.event === "error") reject(new ModemdError(event.error));
      };
      port1.onmessage = ({ data }) => modemd.#take(JSON.parse(data), isOpening);
      window.postMessage("org.modemd.connect", location.origin, [port2]);
    });
  }

  /**
   * Asks modemd, and waits for the outcome.
   * @throws {ModemdError} if there is none.
   */
  call(name, parameters, { onProgress, onQuestion, signal } = {}) {
    signal?.throwIfAborted();
    if (this.#ended) return Promise.reject(new ModemdError(this.#ended));
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const cancel = () => this.#send("cancel", { flow: id });
      const settle = (end, value) => {
        this.#calls.delete(id);
        signal?.removeEventListener("abort", cancel);
        end(value);
      };
      signal?.addEventListener("abort", cancel);
      this.#calls.set(id, async ({ event, step, question, outcome, error }) => {
        if (event === "progress") onProgress?.(step);
        if (event === "outcome") settle(resolve, outcome);
        if (event === "error") settle(reject, new ModemdError(error));
        if (event === "question") {
          const value = onQuestion ? await onQuestion(question) : null;
          value === null ? cancel() : this.#send("answer", { flow: id, value });
        }
      });
      this.#port.postMessage(JSON.stringify({ id, call: name, parameters }));
    });
  }

  #send(call, parameters) {
    this.#port.postMessage(JSON.stringify({ id: ++this.#last, call, parameters }));
  }

  #take(event, isOpening) {
    isOpening(event);
    if (event.id !== null) return this.#calls.get(event.id)?.(event);
    if (event.event !== "error") return;
    this.#ended = event.error;
    for (const call of this.#calls.values()) call(event);
  }
}
