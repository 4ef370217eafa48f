// Reads replies and errors by the tables: fields that are missing become null, fields and words of
// later versions stay, and a value of another type is no answer.

import { methods, structures } from '../generated/tables.js';
import { BadReply, errorFor } from './errors.js';
import { hideSecrets } from './redaction.js';
import { addUnwrap } from './outcome.js';

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {(value: unknown, place: string) => void} Check */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * One message as it came.
 * @param {Uint8Array} frame
 * @returns {{ error: string | null, parameters: Fields, continues: boolean }}
 * @throws {BadReply}
 */
export function readMessage(frame) {
  const message = parsed(frame);
  if (!isObject(message)) throw new BadReply('a message is no object');
  const { error = null, parameters = null, continues = null } = message;
  if (error !== null && typeof error !== 'string') throw new BadReply('`error` is no text');
  if (continues !== null && typeof continues !== 'boolean') throw new BadReply('`continues` is neither true nor false');
  if (parameters !== null && !isObject(parameters)) throw new BadReply('`parameters` is no object');
  return { error, parameters: parameters ?? {}, continues: continues ?? false };
}

/** @param {Uint8Array} frame */
function parsed(frame) {
  try {
    return JSON.parse(decoder.decode(frame));
  } catch {
    throw new BadReply('a message is no JSON in UTF-8');
  }
}

/**
 * A reply to a method. A method that the tables do not have is taken as it is.
 * @param {string} method
 * @param {Fields} parameters
 * @throws {BadReply}
 */
export function readReply(method, parameters) {
  const { event, carrying } = methods[method] ?? {};
  if (structures[method]) checkStructure(method, parameters, method);
  if (event && carrying) {
    const word = /** @type {string} */ (parameters[event]);
    if (carrying.includes(word) && parameters[word] === null) {
      throw new BadReply(`${method}: \`${word}\` is missing with this event`);
    }
  }
  return parameters;
}

/**
 * The error that modemd answered. Fields that are not as declared do not hide which error it is.
 * @param {string} code
 * @param {Fields} parameters
 */
export function readError(code, parameters) {
  try {
    if (structures[code]) checkStructure(code, parameters, code);
  } catch (error) {
    if (!(error instanceof BadReply)) throw error;
  }
  return errorFor(code, parameters);
}

/**
 * @param {string} name of the structure.
 * @param {Fields} value
 * @param {string} place
 */
function checkStructure(name, value, place) {
  const { checks, secret } = shape(name);
  for (const [field, check] of checks) {
    if (value[field] === undefined) value[field] = null;
    check(value[field], `${place}.${field}`);
  }
  if (secret.length > 0) hideSecrets(value, secret);
  if (name.endsWith('.Outcome')) addUnwrap(value);
}

/** @type {Map<string, { checks: [string, Check][], secret: string[] }>} */
const shapes = new Map();

/** @param {string} name */
function shape(name) {
  const known = shapes.get(name);
  if (known) return known;
  /** @type {[string, Check][]} */
  const checks = [];
  const secret = [];
  for (const [field, type] of Object.entries(structures[name] ?? {})) {
    if (type.endsWith('!')) secret.push(field);
    checks.push([field, checkOf(type.replace('!', ''))]);
  }
  const made = { checks, secret };
  shapes.set(name, made);
  return made;
}

/**
 * @param {string} type
 * @returns {Check}
 */
function checkOf(type) {
  if (type.startsWith('?')) {
    const inner = checkOf(type.slice(1));
    return (value, place) => {
      if (value !== null) inner(value, place);
    };
  }
  if (type.startsWith('[]')) {
    const inner = checkOf(type.slice(2));
    return (value, place) => {
      if (!Array.isArray(value)) throw new BadReply(`${place} is no list`);
      value.forEach((each, index) => inner(each, `${place}[${index}]`));
    };
  }
  if (type.startsWith('[string]')) {
    const inner = checkOf(type.slice('[string]'.length));
    return (value, place) => {
      if (!isObject(value)) throw new BadReply(`${place} is no object`);
      for (const each of Object.values(value)) inner(each, place);
    };
  }
  const simple = simpleChecks.get(type);
  if (simple) {
    return (value, place) => {
      if (!simple(value)) throw new BadReply(`${place} is not of the type ${type}`);
    };
  }
  return (value, place) => {
    if (!isObject(value)) throw new BadReply(`${place} is no object`);
    checkStructure(type, value, place);
  };
}

/** @type {Map<string, (value: unknown) => boolean>} */
const simpleChecks = new Map([
  ['bool', (value) => typeof value === 'boolean'],
  ['int', (value) => Number.isSafeInteger(value)],
  ['float', (value) => Number.isFinite(value)],
  ['string', (value) => typeof value === 'string'],
  ['word', (value) => typeof value === 'string'],
  ['object', () => true],
]);

/**
 * @param {unknown} value
 * @returns {value is Fields}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
