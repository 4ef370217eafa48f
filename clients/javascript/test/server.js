// A server that sends what a test wants, over a Unix socket of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connect } from '../index.js';

/** @typedef {{ method: string, parameters: any, more?: boolean }} Call */

/** One connection, as a test sees it. */
export class Peer {
  /** @param {import('node:net').Socket} socket */
  constructor(socket) {
    this.socket = socket;
    /** Resolves when the client has closed the connection. */
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  /** @param {...object} messages sent in one write. */
  send(...messages) {
    this.socket.write(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));
  }
}

/**
 * Runs a test with a server and a client that is connected to it.
 *
 * @param {(call: Call, peer: Peer) => void | Promise<void>} answer is called with each call.
 * @param {(modemd: import('../index.js').Modemd, server: { path: string, connections: Peer[] }) => Promise<void>} body
 */
export async function withServer(answer, body) {
  const folder = await mkdtemp(join(tmpdir(), 'modemd-client-'));
  const path = join(folder, 'socket');
  /** @type {Peer[]} */
  const connections = [];
  const server = createServer((socket) => {
    const peer = new Peer(socket);
    connections.push(peer);
    let waiting = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const parts = (waiting + bytes).split('\0');
      waiting = parts.pop() ?? '';
      for (const part of parts) answer(JSON.parse(part), peer);
    });
  });
  await new Promise((resolve) => server.listen(path, () => resolve(undefined)));
  try {
    const modemd = await connect({ socket: path });
    await body(modemd, { path, connections });
    modemd.close();
  } finally {
    for (const { socket } of connections) socket.destroy();
    await new Promise((resolve) => server.close(() => resolve(undefined)));
    await rm(folder, { recursive: true, force: true });
  }
}
