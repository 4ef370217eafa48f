// Splits a stream of bytes into messages. A message ends with a zero byte, which UTF-8 has in no
// other character, so that messages are found before their text is decoded.

import { BadReply } from './errors.js';

/** The largest message, in bytes, that the client reads: as the other clients of modemd. */
export const messageLimit = 16 << 20;

export class FrameSplitter {
  #limit;
  /** @type {Uint8Array[]} */
  #parts = [];
  #length = 0;

  /** @param {number} limit the largest message in bytes. */
  constructor(limit = messageLimit) {
    this.#limit = limit;
  }

  /** Whether a message has begun and not ended. */
  get isInside() {
    return this.#length > 0;
  }

  /**
   * The messages that end in these bytes, without their zero bytes.
   * @param {Uint8Array} bytes
   * @returns {Generator<Uint8Array, void>}
   * @throws {BadReply} for a message that is longer than the limit.
   */
  *split(bytes) {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(0, start);
      this.#add(bytes.subarray(start, end < 0 ? bytes.length : end));
      if (end < 0) return;
      yield this.#take();
      start = end + 1;
    }
  }

  /** @param {Uint8Array} bytes */
  #add(bytes) {
    this.#length += bytes.length;
    if (this.#length > this.#limit) throw new BadReply(`a message has more than ${this.#limit} bytes`);
    if (bytes.length > 0) this.#parts.push(bytes);
  }

  #take() {
    const [first] = this.#parts;
    const whole = this.#parts.length === 1 && first ? first : joined(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    return whole;
  }
}

/**
 * @param {Uint8Array[]} parts
 * @param {number} length
 */
function joined(parts, length) {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
