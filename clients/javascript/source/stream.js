// A call with many replies. Nothing is sent before the first one is asked for.

import { BadReply } from './errors.js';

/** @typedef {Record<string, unknown>} Reply */

/** @typedef {(signal: AbortSignal) => AsyncGenerator<Reply, void>} Begin */

/** The symbol of `await using`, which Node 18 has from 18.18 on. */
const asyncDispose = /** @type {{ asyncDispose?: symbol }} */ (/** @type {unknown} */ (Symbol)).asyncDispose;

export class Stream {
  #ending = new AbortController();
  #replies;
  /** @type {Reply | null} */
  #last = null;
  #isComplete = false;

  /** @param {Begin} begin makes the replies, until the signal. */
  constructor(begin) {
    this.#replies = begin(this.#ending.signal);
    if (asyncDispose) Object.defineProperty(this, asyncDispose, { value: () => this.close() });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @returns {Promise<IteratorResult<Reply, undefined>>} */
  async next() {
    const { done, value } = await this.#replies.next();
    if (done || !value) {
      this.#isComplete ||= this.#last !== null && !this.#ending.signal.aborted;
      return { done: true, value: undefined };
    }
    this.#last = value;
    return { done: false, value };
  }

  /**
   * Leaving a loop closes the connection, which ends the call.
   * @returns {Promise<IteratorResult<Reply, undefined>>}
   */
  async return() {
    await this.close();
    return { done: true, value: undefined };
  }

  /** Ends the call by closing its connection. Does nothing after its end. */
  async close() {
    if (!this.#isComplete) this.#ending.abort(new DOMException('the call was closed', 'AbortError'));
    // A reader that waits gets the signal's reason.
    await this.#replies.return().catch(() => {});
  }

  /** Reads what is left, and returns the last reply. */
  async result() {
    while (!(await this.next()).done);
    if (!this.#isComplete || !this.#last) throw new DOMException('the call ended before its last reply', 'AbortError');
    return this.#last;
  }
}

/** A call that ends with an outcome. */
export class Flow extends Stream {
  /** Reads what is left, and returns the outcome, whatever it says. */
  async outcome() {
    const { outcome } = await this.result();
    if (outcome === null || outcome === undefined) throw new BadReply('the last reply has no outcome');
    return outcome;
  }
}
