// Numbers, PINs, codes and tokens do not get into logs by accident: console.log and util.inspect
// show `[redacted]` in their place. The values themselves are there for the program.

/** What util.inspect calls, in Node and elsewhere. */
const inspection = Symbol.for('nodejs.util.inspect.custom');

const redacted = Object.freeze({ [inspection]: () => '[redacted]' });

/**
 * @param {Record<string, unknown>} value
 * @param {readonly string[]} fields
 */
export function hideSecrets(value, fields) {
  Object.defineProperty(value, inspection, {
    value() {
      const shown = Object.assign({}, value);
      for (const field of fields) {
        if (shown[field] !== null && shown[field] !== undefined) shown[field] = redacted;
      }
      return shown;
    },
  });
}
