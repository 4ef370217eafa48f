import assert from 'node:assert/strict';
import test from 'node:test';

import { BadReply, connect, Disconnected, Modem, Unanswered, Unreachable } from '../index.js';
import { withServer } from './server.js';

const limits = { timeout: 20_000 };
const number = '+447700900123';
const outcome = { result: 'verified', text: 'it is', milliseconds: 1 };
const ready = { parameters: { event: 'ready' }, continues: true };
const ended = { parameters: { event: 'outcome', outcome } };

test('a call has its reply, and a kept connection serves the next one', limits, async () => {
  await withServer(
    (call, peer) => peer.send({ parameters: { modems: [] } }),
    async (modemd, { connections }) => {
      assert.deepEqual(await modemd.modem.list(), { modems: [] });
      assert.deepEqual(await modemd.call('org.modemd.Modem.List'), { modems: [] });
      assert.equal(connections.length, 1);
      await Promise.all([modemd.modem.list(), modemd.modem.list(), modemd.modem.list()]);
      assert.equal(connections.length, 3);
    },
  );
});

test('parameters without a value are not sent', limits, async () => {
  /** @type {any[]} */
  const seen = [];
  await withServer(
    (call, peer) => {
      seen.push(call);
      peer.send({ error: 'org.modemd.Modem.NoSuchModem', parameters: { modem: 'x' } });
    },
    async (modemd) => {
      await assert.rejects(modemd.modem.get({ modem: null }), Modem.NoSuchModem);
      await assert.rejects(modemd.bearer.connect({ modem: 'x', apn: undefined }), Modem.NoSuchModem);
      assert.deepEqual(seen.map((call) => call.parameters), [{}, { modem: 'x' }]);
      assert.deepEqual(seen.map((call) => call.more), [undefined, undefined]);
    },
  );
});

test('a flow is a loop, a result and an outcome', limits, async () => {
  await withServer(
    (call, peer) => peer.send(ready, ended),
    async (modemd) => {
      const events = [];
      const flow = modemd.verify.number({ number });
      for await (const reply of flow) events.push(reply.event);
      assert.deepEqual(events, ['ready', 'outcome']);
      // After the loop its end is still known.
      assert.equal((await flow.outcome()).unwrap().result, 'verified');
      assert.equal((await modemd.verify.number({ number }).result()).event, 'outcome');
      assert((await modemd.verify.number({ number }).outcome()).unwrap());
    },
  );
});

test('nothing is sent before the first reply is asked for', limits, async () => {
  let calls = 0;
  await withServer(
    (call, peer) => {
      calls += 1;
      peer.send(ended);
    },
    async (modemd) => {
      const flow = modemd.verify.number({ number });
      await modemd.verify.number({ number }).result();
      assert.equal(calls, 1);
      await flow.result();
      assert.equal(calls, 2);
    },
  );
});

test('leaving a loop, close and a signal end the call by closing its connection', limits, async () => {
  await withServer(
    (call, peer) => {
      if (call.more) peer.send(ready);
    },
    async (modemd, { connections }) => {
      const left = modemd.verify.number({ number });
      for await (const reply of left) {
        assert.equal(reply.event, 'ready');
        break;
      }
      await connections[1]?.closed;
      await assert.rejects(left.result(), { name: 'AbortError' });

      const closed = modemd.verify.number({ number });
      await closed.next();
      const waiting = closed.next();
      const rejected = assert.rejects(waiting, { name: 'AbortError' });
      await closed.close();
      await rejected;
      await connections[2]?.closed;

      const controller = new AbortController();
      const flow = modemd.verify.number({ number }, { signal: controller.signal });
      await flow.next();
      const outcome = assert.rejects(flow.outcome(), /enough/);
      controller.abort(new Error('enough'));
      await outcome;
      await connections[3]?.closed;

      await assert.rejects(modemd.modem.list({}, { signal: controller.signal }), /enough/);
      await assert.rejects(modemd.modem.list({}, { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
    },
  );
});

test('questions: a callback may be async, hears what was refused, and is told when nobody waits', limits, async () => {
  /** @type {import('./server.js').Peer | null} */
  let flow = null;
  /** @type {string[]} */
  const given = [];
  const question = { parameters: { event: 'codeWanted', flow: 'f-1' }, continues: true };
  await withServer(
    (call, peer) => {
      if (call.method.endsWith('SignIn')) {
        flow = peer;
        peer.send(question);
      } else {
        given.push(call.parameters.code);
        peer.send(given.length === 1 ? { error: 'org.modemd.PhoneSignIn.CodeRefused' } : { parameters: {} });
        if (given.length === 2) flow?.send(question, ended);
      }
    },
    async (modemd) => {
      /** @type {any[]} */
      const asked = [];
      const signIn = modemd.phoneSignIn.signIn(
        { number, codeFrom: 'caller' },
        {
          onCode: (question) => {
            asked.push(question);
            if (asked.length < 3) return Promise.resolve(`12-34 5${asked.length}`);
            // The flow ends meanwhile.
            return new Promise((resolve) => question.signal.addEventListener('abort', () => resolve('late')));
          },
        },
      );
      assert((await signIn.outcome()).unwrap());
      assert.deepEqual(given, ['123451', '123452']);
      assert.deepEqual(asked.map((each) => each.refused?.name), [undefined, 'CodeRefused', undefined]);
      assert.equal(asked[2].signal.aborted, true);
    },
  );
});

test('a question without an answer, and a callback that throws, end the call', limits, async () => {
  await withServer(
    (call, peer) => peer.send({ parameters: { event: 'codeWanted', flow: 'f-1' }, continues: true }),
    async (modemd, { connections }) => {
      const parameters = { number, codeFrom: /** @type {const} */ ('caller') };
      await assert.rejects(modemd.phoneSignIn.signIn(parameters).outcome(), Unanswered);
      await assert.rejects(modemd.phoneSignIn.signIn(parameters, { onCode: () => null }).outcome(), Unanswered);
      const onCode = () => {
        throw new Error('no terminal');
      };
      await assert.rejects(modemd.phoneSignIn.signIn(parameters, { onCode }).outcome(), /no terminal/);
      await Promise.all(connections.slice(1).map((peer) => peer.closed));
    },
  );
});

test('a flood of empty messages is no answer, and the next call has another connection', limits, async () => {
  let calls = 0;
  await withServer(
    (call, peer) => {
      calls += 1;
      if (calls === 1) peer.socket.write('\0'.repeat(300_000));
      else peer.send({ parameters: { modems: [] } });
    },
    async (modemd) => {
      await assert.rejects(modemd.modem.list(), BadReply);
      assert.deepEqual(await modemd.modem.list(), { modems: [] });
    },
  );
});

test('what is lost is said as such', limits, async () => {
  await assert.rejects(connect({ socket: '/nonexistent/modemd' }), (/** @type {any} */ error) => {
    return error instanceof Unreachable && error.code === 'ENOENT' && error.message.includes('/nonexistent/modemd');
  });
  await withServer(
    (call, peer) => void peer.socket.end('{"parameters":{"mod'),
    async (modemd) => {
      await assert.rejects(modemd.modem.list(), Disconnected);
      await assert.rejects(modemd.modem.list(), Disconnected);
      modemd.close();
      await assert.rejects(modemd.modem.list(), /was closed/);
    },
  );
});
