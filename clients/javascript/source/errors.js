// What may be thrown. Errors that modemd answers have a class each, with the fields that the
// interface declares; the rest is about the connection.

/** An error that modemd answered. `code` is its name on the wire, `parameters` are its fields. */
export class ModemdError extends Error {
  /**
   * @param {string} code interface and error, as in org.modemd.Modem.NoModem.
   * @param {Record<string, unknown>} parameters
   */
  constructor(code, parameters = {}) {
    super(sentence(code, parameters));
    this.code = code;
    this.parameters = parameters;
  }

  get name() {
    return this.constructor.name;
  }
}

/** A call has no answer of modemd's. */
export class ConnectionError extends Error {
  get name() {
    return this.constructor.name;
  }
}

/** Nobody listens at the path, or the kernel refuses this user's connection. */
export class Unreachable extends ConnectionError {
  /**
   * @param {string} path
   * @param {string} code the system's name of the reason, as in ENOENT.
   */
  constructor(path, code) {
    super(`${path} cannot be reached (${code}); is modemd running, and may this user call it?`);
    this.path = path;
    this.code = code;
  }
}

/** modemd closed the connection before the answer was complete. */
export class Disconnected extends ConnectionError {
  constructor() {
    super('modemd closed the connection before it answered');
  }
}

/** What came is no answer to the call. The message names the place and never a value. */
export class BadReply extends ConnectionError {
  /** @param {string} what */
  constructor(what) {
    super(`the answer cannot be read: ${what}; are modemd and this client of the same version?`);
  }
}

/** The method hands over a file descriptor, which Node cannot receive. */
export class DescriptorsUnsupported extends Error {
  /** @param {string} method */
  constructor(method) {
    super(`${method} hands over a file descriptor, which Node cannot receive: use openStream`);
    this.method = method;
  }

  get name() {
    return 'DescriptorsUnsupported';
  }
}

/** A flow asks for something that the program has no answer for. */
export class Unanswered extends ConnectionError {
  /** @param {string} what modemd's word for it. */
  constructor(what) {
    super(`modemd asks for “${what}”, and there is no answer: give the call a callback that has one`);
    this.what = what;
  }
}

/** What `unwrap()` of an outcome throws if the outcome is not what the call hoped for. */
export class OutcomeError extends Error {
  /** @param {{ result: string, text?: string, failure?: { text: string } | null }} outcome */
  constructor(outcome) {
    super(`${outcome.result}: ${outcome.text ?? outcome.failure?.text ?? 'no answer'}`);
    this.outcome = outcome;
  }

  get name() {
    return 'OutcomeError';
  }
}

/** @type {Map<string, typeof ModemdError>} */
const classes = new Map();

/**
 * Makes the class of one error.
 * @param {string} code interface and error.
 * @returns {typeof ModemdError}
 */
export function errorClass(code) {
  const name = code.slice(code.lastIndexOf('.') + 1);
  const made = { [name]: class extends ModemdError {} }[name];
  if (!made) throw new TypeError(`“${code}” is no name of an error`);
  classes.set(code, made);
  return made;
}

/**
 * The error for what modemd answered: of its own class if the interfaces declare it.
 * @param {string} code
 * @param {Record<string, unknown>} parameters
 */
export function errorFor(code, parameters) {
  return new (classes.get(code) ?? ModemdError)(code, parameters);
}

/** The errors of Varlink's own interface, org.varlink.service. */
export const Service = Object.freeze({
  InterfaceNotFound: errorClass('org.varlink.service.InterfaceNotFound'),
  MethodNotFound: errorClass('org.varlink.service.MethodNotFound'),
  MethodNotImplemented: errorClass('org.varlink.service.MethodNotImplemented'),
  InvalidParameter: errorClass('org.varlink.service.InvalidParameter'),
  PermissionDenied: errorClass('org.varlink.service.PermissionDenied'),
  ExpectedMore: errorClass('org.varlink.service.ExpectedMore'),
});

/**
 * The error's name, and what the interface has to say for people.
 * @param {string} code
 * @param {Record<string, unknown>} parameters
 */
function sentence(code, parameters) {
  const said = ['text', 'hint', 'reason', 'cause', 'expected'].map((name) => parameters[name]);
  const about = ['argument', 'option', 'parameter'].map((name) => parameters[name]);
  const words = [about, said].map((each) => each.find((value) => typeof value === 'string'));
  return [code, ...words.filter((value) => value !== undefined)].join(': ');
}
