#pragma once

// The status of `modemctl run` itself, as env, timeout and nohup use it; 126 and 127 are for a
// command that cannot be started.
enum { status_of_run = 125, status_not_runnable = 126, status_not_found = 127 };

// Writes a sentence of modemctl's own to standard error. Bytes that a terminal could take for
// commands are replaced.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Says why the command is not run, and ends.
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
