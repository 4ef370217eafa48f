#!/usr/bin/env node
// verify_number.mjs NUMBER: asks modemd whether a number is that of this machine's SIM, and shows each
// step as it ends. It needs modemd's client for JavaScript. MODEMD_SOCKET names another socket.
//
// Exit status: 0 the number is the SIM's; 1 it is not, or nobody can tell; 2 the call was wrong, or
// modemd does not answer.

import { connect, ModemdError } from 'modemd';

/** @param {string} number */
async function verifies(number) {
  const check = (await connect()).verify.number({ number });
  for await (const reply of check) {
    if (reply.event !== 'step') continue;
    const { index, name, milliseconds, failure } = reply.step;
    console.log(`step ${index}: ${name}, ${milliseconds} ms`, failure ?? '');
  }
  const { result, text } = await check.outcome();
  console.log(`${result}: ${text}`);
  return result === 'verified';
}

const [number, ...others] = process.argv.slice(2);
if (number === undefined || others.length > 0) {
  console.error('usage: verify_number.mjs NUMBER, in international form, as in +447700900123');
  process.exitCode = 2;
} else {
  try {
    process.exitCode = (await verifies(number)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof ModemdError ? `modemd refuses: ${error.message}` : String(error));
    process.exitCode = 2;
  }
}
