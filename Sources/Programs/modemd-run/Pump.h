#pragma once
#include <stdbool.h>
#include <stddef.h>

// One direction of a connection.
struct pump {
  // What was read and not written; freed when it is.
  char *rest;
  size_t at, length;
  // The source has ended; the end was passed on.
  bool has_ended, is_closed;
  // A source that ends both of its sides at once has broken off. A Unix socket has no other way to
  // say so.
  bool may_break_off;
};

enum pump_state {
  // The source has nothing, or the target takes nothing, at present.
  pump_waits,
  // More may be moved, after others have had their turn.
  pump_goes_on,
  // All was moved, and the end was passed on.
  pump_is_done,
  // One side is broken.
  pump_is_broken,
};

// What a pump may hold at most.
enum { pump_bytes = 128 << 10 };

// Moves bytes between two sockets that do not block.
enum pump_state pump_move(struct pump *pump, int from, int to);

// Puts bytes in front, which were read with something else. False if there is no memory.
bool pump_hold(struct pump *pump, const char *bytes, size_t length);

void pump_free(struct pump *pump);
