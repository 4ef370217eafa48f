// The shapes of the generated tables.

/**
 * Fields with their types, by the name of a structure, a method (its reply) or an error.
 * @typedef {Readonly<Record<string, Readonly<Record<string, string>>>>} Structures
 */

/**
 * How a method is called: `event` is the field of a reply that says what happened, `carrying` are
 * its words whose field of the same name is set with them, and `asks` is what a flow may ask for. The
 * reply of `descriptor` has a file descriptor with it, and after that of `upgrade` the connection is
 * a stream.
 * @typedef {Readonly<{
 *   form: 'call' | 'stream' | 'flow' | 'descriptor' | 'upgrade',
 *   event?: string,
 *   carrying?: readonly string[],
 *   asks?: 'code' | 'pin',
 * }>} Method
 */

/** @typedef {Readonly<Record<string, Method>>} Methods */

/** @typedef {Readonly<Record<string, Readonly<Record<string, string>>>>} Interfaces */

export {};
