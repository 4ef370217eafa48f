// What a flow asks its caller for: a callback gives the answer, which another connection brings to
// modemd, as the flow's own is busy with its replies.

import { MIRACL, PhoneSignIn, Verify } from '../generated/interfaces.js';
import { ModemdError, Unanswered } from './errors.js';
import { hideSecrets } from './redaction.js';

/** @typedef {Record<string, any>} Fields */

/**
 * What is asked, who may have the answer, and how it is brought.
 * @typedef {{
 *   what: string,
 *   fields: Fields,
 *   callback: string,
 *   method: string,
 *   parameter: string,
 *   clean: (answer: string) => string,
 * }} Question
 */

/** modemd did not take these answers, and the flow waits for another one. */
const refusals = [Verify.InvalidArgument, PhoneSignIn.CodeRefused, MIRACL.GivenBefore];
/** The flow waits no longer, and says itself how it ended. */
const late = [PhoneSignIn.NoSuchFlow, MIRACL.NoSuchFlow];

/** @type {Record<string, Omit<Question, 'what' | 'fields'>>} */
const ways = {
  code: {
    callback: 'onCode',
    method: 'org.modemd.PhoneSignIn.GiveCode',
    parameter: 'code',
    clean: (code) => code.replace(/[ -]/g, ''),
  },
  pin: {
    callback: 'onPIN',
    method: 'org.modemd.MIRACL.GivePIN',
    parameter: 'pin',
    clean: (pin) => pin,
  },
  mailLink: {
    callback: 'onMail',
    method: 'org.modemd.MIRACL.GiveMail',
    parameter: 'mail',
    clean: (mail) => mail.replace(/\s/g, ''),
  },
};
ways.mailCode = /** @type {any} */ (ways.mailLink);

/**
 * The question in a reply; null if there is none.
 *
 * @param {'code' | 'pin'} asks what the method asks for.
 * @param {Fields} reply
 * @returns {Question | null}
 * @throws {Unanswered} for a question that this version does not know.
 */
function questionIn(asks, reply) {
  if (asks === 'code') {
    const { event, codeWrong, attemptsLeft, verificationID } = reply;
    const way = /** @type {any} */ (ways.code);
    return event === 'codeWanted' ? { ...way, what: 'code', fields: { codeWrong, attemptsLeft, verificationID } } : null;
  }
  if (reply.event !== 'question') return null;
  const what = String(reply.question.what);
  const way = Object.hasOwn(ways, what) && what !== 'code' ? ways[what] : undefined;
  if (!way) throw new Unanswered(what);
  return { ...way, what, fields: reply.question };
}

/** Answers the questions of one call. */
export class Questions {
  #asks;
  #callbacks;
  #give;
  #fail;
  /** @type {AbortController | null} */
  #asking = null;

  /**
   * @param {'code' | 'pin' | undefined} asks what the method asks for.
   * @param {Record<string, any>} callbacks the options of the call.
   * @param {(method: string, parameters: object, signal: AbortSignal) => Promise<unknown>} give calls a
   *   method on another connection.
   * @param {(error: unknown) => void} fail ends the call.
   */
  constructor(asks, callbacks, give, fail) {
    this.#asks = asks;
    this.#callbacks = callbacks;
    this.#give = give;
    this.#fail = fail;
  }

  /**
   * Begins to ask if the reply is a question. Replies are read meanwhile: a flow may give up.
   *
   * @param {Fields} reply
   * @throws {Unanswered}
   */
  take(reply) {
    const question = this.#asks ? questionIn(this.#asks, reply) : null;
    if (!question) return;
    const ask = this.#callbacks[question.callback];
    if (!ask) throw new Unanswered(question.what);
    this.end();
    const asking = new AbortController();
    this.#asking = asking;
    this.#answer(question, ask, String(reply.flow), asking.signal).catch((error) => {
      if (!asking.signal.aborted) this.#fail(error);
    });
  }

  /** Nobody waits for an answer any more. */
  end() {
    this.#asking?.abort(new DOMException('the flow no longer waits for the answer', 'AbortError'));
    this.#asking = null;
  }

  /**
   * @param {Question} question
   * @param {(question: object) => unknown} ask
   * @param {string} flow
   * @param {AbortSignal} signal
   */
  async #answer({ what, fields, method, parameter, clean }, ask, flow, signal) {
    /** @type {ModemdError | null} */
    let refused = null;
    for (;;) {
      const question = { ...fields, refused, signal };
      hideSecrets(question, ['verificationID', 'purpose']);
      const answer = await ask(question);
      signal.throwIfAborted();
      if (typeof answer !== 'string') throw new Unanswered(what);
      try {
        await this.#give(method, { flow, [parameter]: clean(answer) }, signal);
        return;
      } catch (error) {
        if (late.some((type) => error instanceof type)) return;
        if (!(error instanceof ModemdError) || !refusals.some((type) => error instanceof type)) throw error;
        refused = error;
      }
    }
  }
}
