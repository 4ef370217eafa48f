// The client of modemd for JavaScript and TypeScript. Docs/clients.md says what every client does.

import type { Duplex } from 'node:stream';

import type { Interfaces, MethodTypes } from './generated/interfaces.js';

export * from './generated/interfaces.js';

/** Where modemd listens unless told otherwise. */
export const defaultPath: '/run/modemd/org.modemd';

/**
 * Connects to modemd.
 *
 * `socket` is its path: without it that in the variable MODEMD_SOCKET, else `defaultPath`.
 * Throws `Unreachable`.
 */
export function connect(options?: { socket?: string; signal?: AbortSignal }): Promise<Modemd>;

/**
 * A program's way to modemd. Its interfaces are properties: `modemd.verify.number({ number })`.
 *
 * Each call has a connection for itself while it runs, so that none waits for another one.
 */
export interface Modemd extends Interfaces {
  /** Calls a method by its name on the wire, as in `org.modemd.Modem.List`, for one reply. */
  call<Name extends keyof MethodTypes>(
    method: Name,
    parameters?: MethodTypes[Name]['parameters'],
    options?: CallOptions,
  ): Promise<MethodTypes[Name]['reply']>;
  /** The same with a reply for each thing that happens. */
  stream<Name extends keyof MethodTypes>(
    method: Name,
    parameters?: MethodTypes[Name]['parameters'],
    options?: CallOptions & AskingForCode & AskingForPIN,
  ): Stream<MethodTypes[Name]['reply']>;
  /** The same with `upgrade`: the connection of the call becomes a stream. */
  upgrade<Name extends keyof MethodTypes>(
    method: Name,
    parameters?: MethodTypes[Name]['parameters'],
    options?: CallOptions,
  ): Promise<ByteStream<MethodTypes[Name]['reply']>>;
  /** Closes the connections that no call uses, and takes no more calls. Calls that run go on. */
  close(): void;
}

export const Modemd: { readonly prototype: Modemd };

/** What every call takes besides its parameters. */
export interface CallOptions {
  /**
   * Ends the call by closing its connection, as in `AbortSignal.timeout(10_000)`. The call then
   * throws the signal's reason.
   */
  signal?: AbortSignal;
}

/**
 * A call with many replies. Nothing is sent before the first one is asked for. Leaving a loop over
 * the replies ends the call.
 */
export interface Stream<Reply> {
  [Symbol.asyncIterator](): AsyncIterator<Reply, undefined>;
  next(): Promise<IteratorResult<Reply, undefined>>;
  return(): Promise<IteratorResult<Reply, undefined>>;
  /** Reads what is left, and returns the last reply. */
  result(): Promise<Reply>;
  /** Ends the call by closing its connection. Does nothing after its end. */
  close(): Promise<void>;
  /** For `await using`, where this Node has the symbol (18.18 and later). */
  [Symbol.asyncDispose](): Promise<void>;
}

export const Stream: { readonly prototype: Stream<unknown> };

/** A call that ends with an outcome. */
export interface Flow<Reply> extends Stream<Reply> {
  /**
   * Reads what is left, and returns the outcome, whatever it says. `unwrap()` of it throws
   * `OutcomeError` unless it is what the call hoped for.
   */
  outcome(): Promise<OutcomeOf<Reply>>;
}

export const Flow: { readonly prototype: Flow<unknown> };

/**
 * The bytes of a connection after a call with `upgrade`, and the reply before them. It holds back
 * what the program does not read, and `end()` closes its half alone. The call's signal destroys it.
 */
export type ByteStream<Reply> = Duplex & { readonly reply: Reply };

/** The type of the outcome in a flow's replies. */
export type OutcomeOf<Reply> = Reply extends { event: 'outcome'; outcome: infer Outcome }
  ? NonNullable<Outcome>
  : never;

// --- Questions -----------------------------------------------------------------------------------

/** What every callback is told besides the question. */
export interface Asked {
  /** Why modemd did not take the last answer: of the wrong form, or given before. */
  readonly refused: ModemdError | null;
  /** Aborted when the flow no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** A one-time code is wanted. */
export interface CodeQuestion extends Asked {
  /** Whether the code that was given last was wrong. */
  readonly codeWrong: boolean | null;
  /** After a wrong code: how many more are tried. */
  readonly attemptsLeft: number | null;
  /** With this a later call goes on without another message. */
  readonly verificationID: string | null;
}

/** A PIN is wanted. */
export interface PINQuestion extends Asked {
  readonly what: 'pin';
  /** How many digits it has at least, and at most. */
  readonly shortest: number | null;
  readonly longest: number | null;
  /** Whether the user chooses a new one, in which case it is best asked for twice. */
  readonly isNew: boolean | null;
  /** What it is for, in the words of the requester. Show it before the PIN is typed. */
  readonly purpose: string | null;
  /** How long the flow waits. */
  readonly seconds: number;
}

/** What a mail contains is wanted: its whole link, or its code. */
export interface MailQuestion extends Asked {
  readonly what: 'mailLink' | 'mailCode';
  readonly purpose: string | null;
  /** How long the flow waits. */
  readonly seconds: number;
}

/** An answer. Without one (null, undefined) the call ends with `Unanswered`. */
export type Answer = string | null | undefined | Promise<string | null | undefined>;

/** For flows that want a one-time code. Spaces and hyphens in the answer do not count. */
export interface AskingForCode {
  onCode?: (question: CodeQuestion) => Answer;
}

/** For flows that want a PIN, or what a mail contains. */
export interface AskingForPIN {
  onPIN?: (question: PINQuestion) => Answer;
  onMail?: (question: MailQuestion) => Answer;
}

// --- Errors --------------------------------------------------------------------------------------

/**
 * An error that modemd answered. Each error of an interface is a class, as in
 * `error instanceof Verify.InvalidArgument`; those that this version does not know are of this one.
 */
export class ModemdError extends Error {
  /** Interface and error, as in `org.modemd.Modem.NoModem`. */
  readonly code: string;
  /** The error's fields. */
  readonly parameters: { [field: string]: unknown };
}

/** The errors of Varlink's own interface, org.varlink.service. */
export namespace Service {
  class InterfaceNotFound extends ModemdError {
    readonly code: 'org.varlink.service.InterfaceNotFound';
  }
  class MethodNotFound extends ModemdError {
    readonly code: 'org.varlink.service.MethodNotFound';
  }
  class MethodNotImplemented extends ModemdError {
    readonly code: 'org.varlink.service.MethodNotImplemented';
  }
  class InvalidParameter extends ModemdError {
    readonly code: 'org.varlink.service.InvalidParameter';
  }
  class PermissionDenied extends ModemdError {
    readonly code: 'org.varlink.service.PermissionDenied';
  }
  class ExpectedMore extends ModemdError {
    readonly code: 'org.varlink.service.ExpectedMore';
  }
}

/** A call has no answer of modemd's. */
export class ConnectionError extends Error {}

/** Nobody listens at the path, or the kernel refuses this user's connection. */
export class Unreachable extends ConnectionError {
  readonly path: string;
  /** The system's name of the reason, as in ENOENT. */
  readonly code: string;
}

/** modemd closed the connection before the answer was complete. */
export class Disconnected extends ConnectionError {}

/** What came is no answer to the call. The message names the place and never a value. */
export class BadReply extends ConnectionError {}

/** The method hands over a file descriptor, which Node cannot receive. `openStream` gives a stream. */
export class DescriptorsUnsupported extends Error {
  readonly method: string;
}

/** A flow asks for something that the program has no answer for. */
export class Unanswered extends ConnectionError {
  /** modemd's word for it. */
  readonly what: string;
}

/** What `unwrap()` throws for an outcome that is not what the call hoped for. */
export class OutcomeError extends Error {
  readonly outcome: { readonly result: string };
}

// --- Values --------------------------------------------------------------------------------------

/** Any value of JSON. */
export type JSONValue =
  | null
  | boolean
  | number
  | string
  | JSONValue[]
  | { [key: string]: JSONValue };

/**
 * A word of a later version, where the known ones tell replies apart. It is text like the others:
 * this form lets the compiler tell them apart.
 */
export type UnknownWord = `(a word of a later version) ${string}`;

declare global {
  interface SymbolConstructor {
    /** As Node and later versions of TypeScript declare it. */
    readonly asyncDispose: unique symbol;
  }
}
