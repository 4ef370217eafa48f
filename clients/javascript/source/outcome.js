// An outcome is a value, whatever it says. `unwrap()` turns one that is not what the call hoped for
// into an exception.

import { OutcomeError } from './errors.js';

/** What modemctl ends with 0 for. A word of a later version is never taken for a yes. */
const good = new Set([
  'verified',
  'simUnchanged',
  'covered',
  'authorized',
  'numberRead',
  'signedIn',
  'signed',
  'registered',
  'answered',
  // Of org.modemd.Check.
  'answer',
  'redirectReached',
]);

/** @param {Record<string, unknown>} outcome */
export function addUnwrap(outcome) {
  Object.defineProperty(outcome, 'unwrap', {
    value() {
      if (!good.has(String(outcome.result))) throw new OutcomeError(/** @type {any} */ (outcome));
      return outcome;
    },
  });
}
