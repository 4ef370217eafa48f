import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';

import { BadReply, Messages, Modem, ModemdError, OutcomeError, PhoneSignIn, Verify } from '../index.js';
import { readError, readMessage, readReply } from '../source/reading.js';

const limits = { timeout: 20_000 };
const outcome = { result: 'verified', text: 'it is', milliseconds: 1 };

/** @param {string} text */
const message = (text) => readMessage(new TextEncoder().encode(text));

test('a message is an object with fields of their kinds', limits, () => {
  assert.deepEqual(message('{}'), { error: null, parameters: {}, continues: false });
  assert.equal(message('{"continues":true}').continues, true);
  const wrong = ['', '[]', 'null', '1', '{', '{"continues":1}', '{"error":[]}', '{"parameters":"x"}', '\ufeff{}'];
  for (const text of wrong) assert.throws(() => message(text), BadReply);
  assert.throws(() => readMessage(new Uint8Array([0x22, 0xc3, 0x22])), BadReply);
  assert.throws(() => message('['.repeat(100_000)), BadReply);
});

test('missing fields are null, and unknown ones stay', limits, () => {
  const reply = readReply('org.modemd.Verify.Number', { event: 'outcome', outcome: { ...outcome, colour: 'red' } });
  assert.equal(reply.step, null);
  const read = /** @type {any} */ (reply.outcome);
  assert.equal(read.provider, null);
  assert.equal(read.colour, 'red');
});

test('a value of another kind names its place, and not itself', limits, () => {
  /** @type {[object, string][]} */
  const wrong = [
    [{ event: 7 }, 'org.modemd.Verify.Number.event'],
    [{}, 'org.modemd.Verify.Number.event'],
    [{ event: 'outcome', outcome: { ...outcome, text: 47_11 } }, 'Number.outcome.text'],
    [{ event: 'outcome', outcome: { ...outcome, retryAfterMilliseconds: 2 ** 60 } }, 'retryAfterMilliseconds'],
    [{ event: 'outcome', outcome: [] }, 'Number.outcome'],
    [{ event: 'outcome' }, '`outcome` is missing'],
  ];
  for (const [parameters, place] of wrong) {
    assert.throws(
      () => readReply('org.modemd.Verify.Number', /** @type {any} */ (parameters)),
      (/** @type {Error} */ error) =>
        error instanceof BadReply && error.message.includes(place) && !error.message.includes('4711'),
    );
  }
});

test('each error has its class and its fields', limits, () => {
  const known = readError('org.modemd.Modem.NoModem', { hint: 'plug one in' });
  assert(known instanceof Modem.NoModem && known instanceof ModemdError);
  assert.equal(known.name, 'NoModem');
  assert.equal(known.message, 'org.modemd.Modem.NoModem: plug one in');
  assert.deepEqual(known.parameters, { hint: 'plug one in' });
  assert(!(known instanceof Messages.InvalidOption));
  assert(!(readError('org.modemd.MIRACL.NoSuchFlow', {}) instanceof PhoneSignIn.NoSuchFlow));
  const refused = readError('org.modemd.Verify.InvalidArgument', { argument: 'number', expected: 'digits' });
  assert.equal(refused.message, 'org.modemd.Verify.InvalidArgument: number: digits');
  const other = readError('org.modemd.Modem.Melted', { degrees: 451 });
  assert.equal(other.constructor, ModemdError);
  assert.equal(other.code, 'org.modemd.Modem.Melted');
  assert(readError('org.modemd.Modem.NoModem', { hint: 1 }) instanceof Modem.NoModem);
});

test('an outcome is a value; unwrap throws unless it is what the call hoped for', limits, () => {
  /** @param {string} result */
  const read = (result) => {
    const reply = readReply('org.modemd.Verify.Number', { event: 'outcome', outcome: { ...outcome, result } });
    return /** @type {any} */ (reply.outcome);
  };
  assert.equal(read('verified').unwrap().result, 'verified');
  for (const result of ['notVerified', 'simSwapped', 'verifiedTwice', 'constructor']) {
    assert.throws(() => read(result).unwrap(), OutcomeError);
  }
  assert.deepEqual(Object.keys(read('verified')).includes('unwrap'), false);
});

test('numbers and tokens print redacted, and are there for the program', limits, () => {
  const reply = readReply('org.modemd.PhoneSignIn.SignIn', {
    event: 'outcome',
    verificationID: 'secret-id',
    outcome: { ...outcome, code: 'a-word', number: 'matches' },
    user: { user: 'u1', number: '+447700900123', idToken: 'secret-token', isNew: true },
  });
  const shown = inspect(reply) + inspect({ inside: [reply] });
  for (const secret of ['447700900123', 'secret', 'u1']) assert(!shown.includes(secret), shown);
  for (const word of ['a-word', 'matches', 'isNew: true', '[redacted]']) assert(shown.includes(word), shown);
  assert.equal(/** @type {any} */ (reply.user).idToken, 'secret-token');
  assert(JSON.stringify(reply).includes('secret-token'));
});

test('what the declarations export is there', limits, async () => {
  const all = await import('../index.js');
  const { interfaces, methods, structures } = await import('../generated/tables.js');
  assert.equal(typeof all.connect, 'function');
  for (const name of ['Verify', 'PhoneSignIn', 'MIRACL', 'Service']) assert(Object.hasOwn(all, name));
  for (const names of Object.values(interfaces)) {
    for (const method of Object.values(names)) assert(methods[method] && structures[method], method);
  }
  assert(Verify.InvalidArgument.prototype instanceof ModemdError);
});
