// One connection: a call is sent, and its replies are read one after the other.

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { Disconnected, Unreachable, BadReply } from './errors.js';
import { FrameSplitter } from './frames.js';
import { readError, readMessage, readReply } from './reading.js';

/** Waits in milliseconds while the queue of modemd's socket is full, one attempt after each. */
const queueWaits = [5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * A call as it is sent.
 * @typedef {{ method: string, parameters: object, more: boolean }} Call
 */

/**
 * Connects, and again while the queue of modemd's socket is full.
 *
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @param {boolean} [allowHalfOpen]
 * @throws {Unreachable}
 */
export async function openSocket(path, signal, allowHalfOpen = false) {
  for (const wait of [...queueWaits, null]) {
    signal?.throwIfAborted();
    try {
      return await connected(path, allowHalfOpen);
    } catch (error) {
      const code = /** @type {{ code?: string }} */ (error).code ?? 'unknown';
      if (code !== 'EAGAIN' || wait === null) throw new Unreachable(path, code);
      await pause(wait);
    }
  }
  throw new Unreachable(path, 'EAGAIN');
}

export class Connection {
  #socket;
  #splitter = new FrameSplitter();
  /** @type {Uint8Array[]} */
  #frames = [];
  #isOver = false;
  #isBusy = false;
  /** @type {() => void} */
  #wake = () => {};

  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.on('readable', () => this.#readable());
    for (const event of ['end', 'close', 'error']) socket.on(event, () => this.#over());
    this.#rest();
  }

  /**
   * @param {string} path
   * @param {AbortSignal} [signal]
   * @throws {Unreachable}
   */
  static async open(path, signal) {
    return new Connection(await openSocket(path, signal));
  }

  /** Whether a call can be sent: no other one runs, and modemd has not closed it. */
  get isFree() {
    return !this.#isBusy && !this.#isOver && this.#socket.writable;
  }

  close() {
    this.#socket.destroy();
    this.#over();
  }

  /**
   * Sends a call and reads its replies. The connection is free again after the last one, and closed
   * if they are not all read.
   *
   * @param {Call} call
   * @param {AbortSignal} [signal]
   * @throws {import('./errors.js').ModemdError} that modemd answered, Disconnected, BadReply, and the
   *   signal's reason.
   */
  async *replies({ method, parameters, more }, signal) {
    const abort = () => this.close();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      signal?.throwIfAborted();
      this.#begin();
      this.#socket.write(frame(method, parameters, more));
      for (;;) {
        const message = readMessage(await this.#next());
        signal?.throwIfAborted();
        if (!message.continues) this.#rest();
        if (message.error !== null) throw readError(message.error, message.parameters);
        const reply = readReply(method, message.parameters);
        if (message.continues && !more) throw new BadReply(`${method}: another reply is announced`);
        yield reply;
        if (!message.continues) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      if (this.#isBusy) this.close();
    }
  }

  #begin() {
    this.#isBusy = true;
    this.#socket.ref();
  }

  /** A connection without a call keeps no program from its end. */
  #rest() {
    this.#isBusy = false;
    this.#socket.unref();
    // What nobody asked for makes it useless.
    if (this.#frames.length > 0 || this.#splitter.isInside) this.close();
  }

  async #next() {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) return frame;
      const bytes = this.#socket.read();
      if (bytes) {
        for (const each of this.#splitter.split(bytes)) this.#frames.push(each);
      } else if (this.#isOver) {
        throw new Disconnected();
      } else {
        await new Promise((resolve) => {
          this.#wake = () => resolve(undefined);
        });
      }
    }
  }

  #readable() {
    if (this.#isBusy) {
      this.#wake();
    } else if (this.#socket.read()) {
      this.close();
    }
  }

  #over() {
    this.#isOver = true;
    this.#wake();
  }
}

/**
 * @param {string} path
 * @param {boolean} allowHalfOpen
 * @returns {Promise<import('node:net').Socket>}
 */
function connected(path, allowHalfOpen) {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/**
 * Parameters without a value are left out: a service that is older than the client refuses names
 * that it does not know.
 *
 * @param {string} method
 * @param {object} parameters
 * @param {boolean} more
 * @param {boolean} [upgrade]
 */
export function frame(method, parameters, more, upgrade = false) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
  const call = { method, parameters: Object.fromEntries(given), ...(more ? { more } : {}), ...(upgrade ? { upgrade } : {}) };
  return `${JSON.stringify(call)}\0`;
}
