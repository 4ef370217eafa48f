import assert from 'node:assert/strict';
import test from 'node:test';

import { Bearer, connect, DescriptorsUnsupported, Disconnected, Unreachable } from '../index.js';
import { withServer } from './server.js';

const limits = { timeout: 20_000 };
const target = { host: 'shop.example', port: 443 };
const opened = {
  parameters: { id: 's1', modem: 'm1', interface: 'wwan0', source: '10.64.0.2', address: '198.51.100.10' },
};

test('a descriptor is refused before anything is sent, and the error names what to use', limits, async () => {
  let calls = 0;
  await withServer(
    () => void (calls += 1),
    async (modemd) => {
      for (const call of [() => modemd.bearer.openSocket(target), () => modemd.call('org.modemd.Bearer.OpenSocket')]) {
        await assert.rejects(call(), (/** @type {any} */ error) => {
          assert(error instanceof DescriptorsUnsupported);
          assert.match(error.message, /OpenSocket.*openStream/);
          return true;
        });
      }
      assert.equal(calls, 0);
    },
  );
});

test('a stream has a connection of its own, and the call says upgrade', limits, async () => {
  /** @type {any[]} */
  const seen = [];
  await withServer(
    (call, peer) => {
      seen.push(call);
      peer.send(opened);
    },
    async (modemd, { connections }) => {
      const [one, other] = await Promise.all([modemd.bearer.openStream(target), modemd.bearer.openStream(target)]);
      assert.equal(connections.length, 3);
      assert.deepEqual(seen[0], { method: 'org.modemd.Bearer.OpenStream', parameters: target, upgrade: true });
      assert.equal(one.reply.interface, 'wwan0');
      modemd.close();
      assert(one.writable && other.writable);
      await assert.rejects(modemd.bearer.openStream(target), /closed by the program/);
      for (const stream of [one, other]) stream.destroy();
      await Promise.all(connections.slice(1).map((peer) => peer.closed));
    },
  );
});

test('what the program does not read waits at the other side', limits, async () => {
  await withServer(
    (call, peer) => peer.send(opened),
    async (modemd, { connections }) => {
      const stream = await modemd.bearer.openStream(target);
      const peer = connections[1];
      assert(peer);
      const chunk = new Uint8Array(1 << 16).fill(7);
      let written = 0;
      // The write that does not come back by itself: kernel and stream are full.
      const full = async () => {
        for (;;) {
          const done = new Promise((resolve) => peer.socket.write(chunk, () => resolve(true)));
          const turns = (async () => {
            for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
            return false;
          })();
          written += 1;
          if (!(await Promise.race([done, turns]))) return;
          assert(written < 1000, 'megabytes were taken that nobody reads');
        }
      };
      await full();
      assert(stream.readableLength < 1 << 20);
      peer.socket.end();
      let length = 0;
      for await (const part of stream) length += part.length;
      assert.equal(length, written * chunk.length);
    },
  );
});

test('the signal ends the call, and later the stream', limits, async () => {
  await withServer(
    (call, peer) => {
      if (call.parameters.port === 443) peer.send(opened);
    },
    async (modemd, { connections }) => {
      const early = new AbortController();
      const waiting = modemd.bearer.openStream({ ...target, port: 80 }, { signal: early.signal });
      early.abort(new Error('enough'));
      await assert.rejects(waiting, /enough/);
      const late = new AbortController();
      const stream = await modemd.bearer.openStream(target, { signal: late.signal });
      const failed = new Promise((resolve) => stream.once('error', resolve));
      late.abort();
      assert.equal(/** @type {any} */ (await failed).name, 'AbortError');
      assert(stream.destroyed);
      await Promise.all(connections.slice(1).map((peer) => peer.closed));
    },
  );
});

test('an error, a loss and a service that is not there give no stream', limits, async () => {
  await withServer(
    (call, peer) => {
      if (call.parameters.port === 1) peer.socket.destroy();
      else peer.send({ error: 'org.modemd.Bearer.BudgetSpent', parameters: { budget: 'b', resets: null, text: 't' } });
    },
    async (modemd, { path }) => {
      await assert.rejects(modemd.bearer.openStream(target), Bearer.BudgetSpent);
      await assert.rejects(modemd.bearer.openStream({ ...target, port: 1 }), Disconnected);
      await assert.rejects(connect({ socket: `${path}-other` }), Unreachable);
    },
  );
});
