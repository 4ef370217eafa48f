// What the declarations promise, for the type check; it is not run.

import {
  connect,
  Modem,
  Modemd,
  ModemdError,
  OutcomeError,
  Verify,
} from '../index.js';

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2
  ? true
  : false;
function same<One, Other>(_: Equal<One, Other>): void {}

export async function verifies(modemd: Modemd): Promise<boolean> {
  const check = modemd.verify.number({ number: '+447700900123' }, { signal: AbortSignal.timeout(1000) });
  for await (const reply of check) {
    // The word tells which field is set.
    if (reply.event === 'step') {
      same<typeof reply.step, Verify.Step>(true);
      const lane: string = reply.step.lane;
      void lane;
    } else if (reply.event === 'outcome') {
      reply.outcome.unwrap();
    } else {
      same<typeof reply.step, Verify.Step | null>(true);
    }
  }
  const outcome = await check.outcome();
  same<typeof outcome, Verify.Outcome>(true);
  // Words of later versions are text.
  const result: string = outcome.result;
  void result;
  // @ts-expect-error a number of milliseconds is no text
  const text: string = outcome.milliseconds;
  void text;
  return outcome.result === 'verified';
}

export async function modems(): Promise<string[]> {
  const modemd = await connect({ socket: '/run/modemd/org.modemd' });
  const { modems } = await modemd.modem.list();
  same<typeof modems, Modem.Modem[]>(true);
  const { bearer } = await modemd.call('org.modemd.Bearer.Get', { modem: modems[0]?.id ?? null });
  // @ts-expect-error no method has this name
  await modemd.call('org.modemd.Bearer.Fly');
  // @ts-expect-error a word that is asked for is one of those that are declared
  await modemd.bearer.connect({ ipType: 'ipv5' });
  // @ts-expect-error a number is required
  modemd.verify.number({});
  return [bearer.state];
}

export async function signsIn(modemd: Modemd): Promise<void> {
  await using(
    modemd.phoneSignIn.signIn(
      { number: '+447700900123', codeFrom: 'caller' },
      { onCode: async ({ codeWrong, refused }) => (codeWrong || refused ? null : '123456') },
    ),
  );
  // @ts-expect-error nothing asks for a code here
  modemd.verify.number({ number: '+447700900123' }, { onCode: () => '123456' });
  const login = modemd.miracl.login({}, { onPIN: ({ purpose }) => (purpose ? '4711' : undefined) });
  const { result } = await login.outcome();
  void result;
}

async function using(stream: { [Symbol.asyncDispose](): Promise<void> }): Promise<void> {
  await stream[Symbol.asyncDispose]();
}

export function sentence(error: unknown): string {
  if (error instanceof Verify.InvalidArgument) return error.parameters.expected;
  if (error instanceof Modem.MoreThanOneModem) return error.parameters.modems.join(', ');
  if (error instanceof OutcomeError) return error.outcome.result;
  return error instanceof ModemdError ? error.code : 'unknown';
}
