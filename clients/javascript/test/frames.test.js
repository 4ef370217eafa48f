import assert from 'node:assert/strict';
import test from 'node:test';

import { BadReply } from '../index.js';
import { FrameSplitter } from '../source/frames.js';

const limits = { timeout: 20_000 };
const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const text = (/** @type {Uint8Array} */ frame) => new TextDecoder('utf-8', { fatal: true }).decode(frame);

test('messages are found wherever the bytes are cut, also inside a character', limits, () => {
  const whole = bytes('{"a":"größtes – 号码 📱"}\0\0{}\0');
  for (let size = 1; size <= whole.length; size += 1) {
    const splitter = new FrameSplitter();
    const found = [];
    for (let start = 0; start < whole.length; start += size) {
      for (const frame of splitter.split(whole.subarray(start, start + size))) found.push(text(frame));
    }
    assert.deepEqual(found, ['{"a":"größtes – 号码 📱"}', '', '{}']);
    assert.equal(splitter.isInside, false);
  }
});

test('a message of the limit is read, and a longer one is refused before its end', limits, () => {
  const splitter = new FrameSplitter(4);
  assert.deepEqual([...splitter.split(bytes('1234\0'))].map(text), ['1234']);
  assert.deepEqual([...splitter.split(bytes('12'))], []);
  assert.equal(splitter.isInside, true);
  assert.throws(() => [...splitter.split(bytes('345'))], BadReply);
});
