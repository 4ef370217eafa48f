// Calls with `upgrade`: after the reply, the connection carries the bytes of a stream.

import { addAbortSignal } from 'node:stream';

import { frame, openSocket } from './connection.js';
import { BadReply, Disconnected } from './errors.js';
import { messageLimit } from './frames.js';
import { readError, readMessage, readReply } from './reading.js';

/**
 * Calls a method with `upgrade`, on a connection of its own. The connection itself becomes the
 * stream, with the reply as its property `reply`: it holds back what is not read, and its two halves
 * end apart. The signal ends the call, and the stream too.
 *
 * @param {string} path
 * @param {string} method
 * @param {object} parameters
 * @param {AbortSignal} [signal]
 */
export async function upgrade(path, method, parameters, signal) {
  const socket = await openSocket(path, signal, true);
  const abort = () => socket.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    socket.write(frame(method, parameters, false, true));
    const message = readMessage(await firstMessage(socket));
    signal?.throwIfAborted();
    if (message.error !== null) throw readError(message.error, message.parameters);
    if (message.continues) throw new BadReply(`${method}: another reply is announced`);
    const reply = readReply(method, message.parameters);
    if (signal) addAbortSignal(signal, socket);
    return Object.assign(socket, { reply });
  } catch (error) {
    socket.destroy();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * The first message. What follows it stays in the socket.
 *
 * @param {import('node:net').Socket} socket
 * @returns {Promise<Uint8Array>}
 */
function firstMessage(socket) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const leave = () => {
      socket.off('readable', readable);
      for (const event of ['end', 'close', 'error']) socket.off(event, lost);
    };
    const lost = () => {
      leave();
      // An error that comes after this one has nobody to tell.
      socket.on('error', () => {});
      reject(new Disconnected());
    };
    const readable = () => {
      for (let bytes = socket.read(); bytes; bytes = socket.read()) {
        const end = bytes.indexOf(0);
        const part = end < 0 ? bytes : bytes.subarray(0, end);
        parts.push(part);
        length += part.length;
        if (length > messageLimit) {
          leave();
          return reject(new BadReply(`a message has more than ${messageLimit} bytes`));
        }
        if (end < 0) continue;
        leave();
        if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
        return resolve(Buffer.concat(parts));
      }
    };
    socket.on('readable', readable);
    for (const event of ['end', 'close', 'error']) socket.on(event, lost);
  });
}
