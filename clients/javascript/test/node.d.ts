// What the client and its tests use of Node, for the type check: it needs no package from a
// registry. Debian's nodejs has complete declarations of its own.

declare module 'node:stream' {
  export interface Duplex {
    readonly writable: boolean;
    readonly destroyed: boolean;
    readonly readableLength: number;
    [Symbol.asyncIterator](): AsyncIterator<any>;
    on(event: string, listener: (...values: any[]) => void): this;
    once(event: string, listener: (...values: any[]) => void): this;
    off(event: string, listener: (...values: any[]) => void): this;
    read(): Uint8Array | null;
    unshift(data: Uint8Array): void;
    write(data: string | Uint8Array, done?: () => void): boolean;
    end(data?: string | Uint8Array): this;
    destroy(error?: Error): this;
  }
  export function addAbortSignal<Stream>(signal: AbortSignal, stream: Stream): Stream;
}

declare module 'node:net' {
  import type { Duplex } from 'node:stream';
  export interface Socket extends Duplex {
    ref(): this;
    unref(): this;
  }
  export interface Server {
    listen(path: string, listening: () => void): this;
    close(closed?: () => void): this;
  }
  export function connect(options: { path: string; allowHalfOpen?: boolean }): Socket;
  export function createServer(connected: (socket: Socket) => void): Server;
  export function createServer(options: { allowHalfOpen?: boolean }, connected: (socket: Socket) => void): Server;
}

declare module 'node:timers/promises' {
  export function setTimeout(milliseconds: number): Promise<void>;
}

declare module 'node:stream/consumers' {
  export function text(stream: unknown): Promise<string>;
}

declare module 'node:util' {
  export function inspect(value: unknown): string;
}

declare module 'node:fs/promises' {
  export function mkdtemp(prefix: string): Promise<string>;
  export function readFile(path: string | URL, encoding: 'utf8'): Promise<string>;
  export function rm(path: string, options: { recursive?: boolean; force?: boolean }): Promise<void>;
}

declare module 'node:os' {
  export function tmpdir(): string;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
}

declare module 'node:test' {
  export interface Options {
    timeout?: number;
  }
  export default function test(name: string, options: Options, body: () => void | Promise<void>): void;
}

declare module 'node:assert/strict' {
  const assert: {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp): void;
    throws(body: () => unknown, expected: any): void;
    rejects(body: Promise<unknown> | (() => Promise<unknown>), expected: any): Promise<void>;
  };
  export default assert;
}

declare const process: {
  readonly env: { [name: string]: string | undefined };
  readonly argv: string[];
  readonly stdin: unknown;
  readonly stdout: { write(text: string): boolean };
  exitCode?: number;
};

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

declare const AbortSignal: { timeout(milliseconds: number): AbortSignal };

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class DOMException extends Error {
  constructor(message: string, name: string);
}

declare class TextDecoder {
  constructor(encoding: string, options: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare const Buffer: {
  concat(parts: Uint8Array[]): Uint8Array;
  from(text: string): Uint8Array;
};

declare class URL {
  constructor(url: string, base?: string);
}

interface ImportMeta {
  readonly url: string;
}

declare const console: { log(...values: unknown[]): void; error(...values: unknown[]): void };

declare function setImmediate(callback: (value?: any) => void): void;
