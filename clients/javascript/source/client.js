// A program's way to modemd. Each call has a connection for itself while it runs, so that none waits
// for another one and ending a call ends no other.

import { interfaces, methods } from '../generated/tables.js';
import { Connection } from './connection.js';
import { DescriptorsUnsupported, Disconnected } from './errors.js';
import { Questions } from './questions.js';
import { Flow, Stream } from './stream.js';
import { upgrade } from './upgrade.js';

/** Where modemd listens unless told otherwise. */
export const defaultPath = '/run/modemd/org.modemd';

/** How many connections without a call are kept for the next calls. */
const idleLimit = 2;

const closedByProgram = 'this connection to modemd was closed by the program';

/** @typedef {{ signal?: AbortSignal, [callback: string]: any }} Options */

/**
 * Connects to modemd.
 *
 * @param {{ socket?: string, signal?: AbortSignal }} options
 * @throws {import('./errors.js').Unreachable}
 */
export async function connect({ socket = process.env.MODEMD_SOCKET || defaultPath, signal } = {}) {
  return new Modemd(socket, await Connection.open(socket, signal));
}

export class Modemd {
  #path;
  /** @type {Connection[]} */
  #idle;
  #isClosed = false;

  /**
   * @param {string} path
   * @param {Connection} first
   */
  constructor(path, first) {
    this.#path = path;
    this.#idle = [first];
    for (const [name, names] of Object.entries(interfaces)) {
      Object.defineProperty(this, name, { value: this.#interface(names), enumerable: true });
    }
  }

  /** @param {Readonly<Record<string, string>>} names */
  #interface(names) {
    /** @type {Record<string, Function>} */
    const made = {};
    for (const [property, method] of Object.entries(names)) {
      const form = methods[method]?.form ?? 'call';
      made[property] = (/** @type {object} */ parameters, /** @type {Options} */ options) =>
        form === 'stream' || form === 'flow'
          ? new (form === 'flow' ? Flow : Stream)((signal) => this.#replies(method, parameters, options, signal))
          : form === 'upgrade'
            ? this.upgrade(method, parameters, options)
            : this.call(method, parameters, options);
    }
    return Object.freeze(made);
  }

  /**
   * Calls a method by its name on the wire, with `upgrade`: its connection becomes a stream.
   * @param {string} method
   * @param {object} parameters
   * @param {Options} options
   */
  async upgrade(method, parameters = {}, { signal } = {}) {
    if (this.#isClosed) throw new Error(closedByProgram);
    return upgrade(this.#path, method, parameters, signal);
  }

  /**
   * Calls a method by its name on the wire, and waits for its one reply.
   * @param {string} method
   * @param {object} parameters
   * @param {Options} options
   */
  async call(method, parameters = {}, { signal } = {}) {
    if (methods[method]?.form === 'descriptor') throw new DescriptorsUnsupported(method);
    const connection = await this.#connection(signal);
    let answer = null;
    for await (const reply of connection.replies({ method, parameters, more: false }, signal)) answer = reply;
    if (answer === null) throw new Disconnected();
    if (!this.#isClosed && connection.isFree && this.#idle.length < idleLimit) this.#idle.push(connection);
    else connection.close();
    return answer;
  }

  /**
   * Calls a method by its name on the wire, with `more`.
   * @param {string} method
   * @param {object} [parameters]
   * @param {Options} [options]
   */
  stream(method, parameters = {}, options = {}) {
    return new Stream((signal) => this.#replies(method, parameters, options, signal));
  }

  /** Closes the connections that no call uses. Calls that run go on. */
  close() {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  /**
   * @param {AbortSignal} [signal]
   * @returns {Promise<Connection>}
   */
  async #connection(signal) {
    if (this.#isClosed) throw new Error(closedByProgram);
    signal?.throwIfAborted();
    // What modemd closed meanwhile is noticed when the event loop looks.
    if (this.#idle.length > 0) await new Promise((resolve) => setImmediate(resolve));
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      if (kept.isFree) return kept;
      kept.close();
    }
    return Connection.open(this.#path, signal);
  }

  /**
   * @param {string} method
   * @param {object} [parameters]
   * @param {Options} [options]
   * @param {AbortSignal} [left] the reader has left.
   */
  async *#replies(method, parameters = {}, options = {}, left) {
    const ending = new AbortController();
    const unlink = [options.signal, left].map((signal) => follow(ending, signal));
    const give = (/** @type {string} */ name, /** @type {object} */ answer, /** @type {AbortSignal} */ signal) =>
      this.call(name, answer, { signal });
    const questions = new Questions(methods[method]?.asks, options, give, (error) => ending.abort(error));
    /** @type {Connection | null} */
    let connection = null;
    try {
      ending.signal.throwIfAborted();
      connection = await Connection.open(this.#path, ending.signal);
      for await (const reply of connection.replies({ method, parameters, more: true }, ending.signal)) {
        yield reply;
        // After the reader has seen the question, and may have ended the call.
        ending.signal.throwIfAborted();
        questions.take(reply);
      }
    } finally {
      questions.end();
      for (const end of unlink) end();
      connection?.close();
    }
  }
}

/**
 * Aborts with a signal.
 * @param {AbortController} controller
 * @param {AbortSignal} [signal]
 */
function follow(controller, signal) {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return () => signal?.removeEventListener('abort', abort);
}
