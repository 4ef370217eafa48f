// verify.mjs
import { connect } from 'modemd';

const modemd = await connect();
const check = modemd.verify.number({ number: process.argv[2] ?? '+4915112345678' });
for await (const reply of check) {
  if (reply.event === 'step') console.log(reply.step.name, reply.step.lane);
}
const { result, sim } = await check.outcome();
console.log(result, sim);
