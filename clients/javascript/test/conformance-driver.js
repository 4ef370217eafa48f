#!/usr/bin/env node
// The conformance suite's driver for this client (clients/conformance/README.md).

import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { BadReply, connect, Disconnected, ModemdError, Unanswered, Unreachable } from '../index.js';

/** @typedef {Record<string, any>} Call */

const input = JSON.parse(await text(process.stdin));
/** @type {Promise<any> | null} */
let connection = null;
const modemd = () => (connection ??= connect({ socket: input.socket }));

if (input.together) await Promise.all(input.calls.map(drive));
else for (const [index, call] of input.calls.entries()) await drive(call, index);

/**
 * @param {number} call
 * @param {object} line
 */
function print(call, line) {
  process.stdout.write(`${JSON.stringify({ call, ...line })}\n`);
}

/**
 * @param {Call} call
 * @param {number} index
 */
async function drive(call, index) {
  const limit = call.limitMilliseconds ? AbortSignal.timeout(call.limitMilliseconds) : undefined;
  const cancelling = new AbortController();
  limit?.addEventListener('abort', () => cancelling.abort(limit.reason));
  const options = { signal: cancelling.signal, ...callbacks(call.answers ?? {}, index) };
  try {
    const client = await modemd();
    if (call.takes) {
      const opening = typed(client, call.method)(call.parameters, options);
      if (call.cancelAfterReplies === 0) await afterSending(cancelling);
      const stream = await opening;
      print(index, { reply: stream.reply });
      if (call.cancelAfterReplies === 1) cancelling.abort();
      await carry(stream, call, index);
    } else if (!call.more) {
      const answer = client.call(call.method, call.parameters, options);
      if (call.cancelAfterReplies === 0) await afterSending(cancelling);
      print(index, { reply: await answer });
    } else {
      const stream = typed(client, call.method)(call.parameters, options);
      if (call.cancelAfterReplies === 0) afterSending(cancelling);
      let replies = 0;
      for await (const reply of stream) {
        print(index, { reply });
        if (++replies === call.cancelAfterReplies) cancelling.abort();
      }
    }
    print(index, { end: 'done' });
  } catch (error) {
    // The next call connects anew if there is no connection yet.
    if (error instanceof Unreachable) connection = null;
    print(index, ending(error));
  }
}

/**
 * Sends and reads over a stream, as the case has it.
 * @param {import('../index.js').ByteStream<unknown>} stream
 * @param {Call} call
 * @param {number} index
 */
async function carry(stream, call, index) {
  if (call.send !== undefined) stream.end(call.send);
  /** @type {Uint8Array[]} */
  const parts = [];
  // Not `for await`, which destroys the stream at the end of what comes.
  await new Promise((resolve, reject) => {
    stream.on('data', (part) => parts.push(part));
    stream.once('end', () => resolve(undefined));
    stream.once('error', reject);
    stream.once('close', () => reject(new Disconnected()));
  });
  if (call.sendAtEnd !== undefined) stream.end(call.sendAtEnd);
  else stream.end();
  print(index, { received: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)) });
}

/**
 * The method of the interface's property: org.modemd.Verify.Number is verify.number.
 * @param {any} client
 * @param {string} method
 */
function typed(client, method) {
  const [name, of] = method.split('.').slice(-2).map((each) => each.toLowerCase());
  const found = Object.keys(client).find((key) => key.toLowerCase() === name);
  const property = found && Object.keys(client[found]).find((key) => key.toLowerCase() === of);
  return found && property ? client[found][property] : () => { throw new TypeError(`no method ${method}`); };
}

/**
 * A connection over a Unix socket is made and written to at once, on a busy machine a little later.
 * @param {AbortController} cancelling
 */
async function afterSending(cancelling) {
  await pause(300);
  cancelling.abort();
}

/**
 * @param {Record<string, string | string[]>} answers
 * @param {number} index
 */
function callbacks(answers, index) {
  /** @type {Record<string, () => Promise<string | undefined>>} */
  const made = {};
  for (const [name, answer] of Object.entries(answers)) {
    const left = Array.isArray(answer) ? [...answer] : null;
    const callback = `on${name === 'pin' ? 'PIN' : name.charAt(0).toUpperCase() + name.slice(1)}`;
    made[callback] = async () => {
      const next = left ? left.shift() : String(answer);
      if (next !== undefined) print(index, { question: name });
      return next;
    };
  }
  return made;
}

/** @param {any} error */
function ending(error) {
  if (error instanceof ModemdError) return { error: { name: error.code, parameters: error.parameters } };
  if (error instanceof BadReply) return { end: 'badReply' };
  if (error instanceof Unanswered) return { end: 'unanswered' };
  if (error instanceof Disconnected || error instanceof Unreachable) return { end: 'disconnected' };
  if (error?.name === 'TimeoutError') return { end: 'limit' };
  if (error?.name === 'AbortError') return { end: 'cancelled' };
  throw error;
}
