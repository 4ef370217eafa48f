#define _GNU_SOURCE
#include "Pump.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Of all connections: what is not written at once is copied.
static char buffer[pump_bytes];
// Bytes of one turn.
enum { turn = 8 };

bool pump_hold(struct pump *pump, const char *bytes, size_t length) {
  if (!length) return true;
  char *copy = malloc(length);
  if (!copy) return false;
  memcpy(copy, bytes, length);
  pump_free(pump);
  pump->rest = copy;
  pump->at = 0;
  pump->length = length;
  return true;
}

void pump_free(struct pump *pump) {
  free(pump->rest);
  pump->rest = 0;
}

static ssize_t send_some(int to, const char *bytes, size_t length) {
  size_t sent = 0;
  while (sent < length) {
    ssize_t count = send(to, bytes + sent, length - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      sent += (size_t)count;
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return (ssize_t)sent;
}

static bool has_hung_up(int descriptor) {
  struct pollfd polled = {.fd = descriptor};
  return poll(&polled, 1, 0) > 0 && polled.revents & (POLLHUP | POLLERR);
}

enum pump_state pump_move(struct pump *pump, int from, int to) {
  if (pump->is_closed) return pump_is_done;
  for (int count = 0; count < turn; count++) {
    if (pump->rest) {
      ssize_t sent = send_some(to, pump->rest + pump->at, pump->length - pump->at);
      if (sent < 0) return pump_is_broken;
      pump->at += (size_t)sent;
      if (pump->at < pump->length) return pump_waits;
      pump_free(pump);
    }
    if (pump->has_ended) {
      if (pump->may_break_off && has_hung_up(from)) return pump_is_broken;
      shutdown(to, SHUT_WR);
      pump->is_closed = true;
      return pump_is_done;
    }
    ssize_t length = recv(from, buffer, sizeof buffer, MSG_DONTWAIT);
    if (length < 0) {
      if (errno == EAGAIN) return pump_waits;
      if (errno == EINTR) continue;
      return pump_is_broken;
    }
    if (length == 0) {
      pump->has_ended = true;
      continue;
    }
    ssize_t sent = send_some(to, buffer, (size_t)length);
    if (sent < 0) return pump_is_broken;
    if (sent < length && !pump_hold(pump, buffer + sent, (size_t)(length - sent))) return pump_is_broken;
  }
  return pump_goes_on;
}
