#define _GNU_SOURCE
#include "Proxy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "Messages.h"

static void write_base64(const char *text, char *to) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t length = strlen(text);
  for (size_t at = 0; at < length; at += 3) {
    uint32_t group = 0;
    for (size_t index = 0; index < 3; index++)
      group = group << 8 | (at + index < length ? (uint8_t)text[at + index] : 0);
    for (size_t index = 0; index < 4; index++)
      *to++ = at + index <= length ? digits[group >> (18 - 6 * index) & 63] : '=';
  }
  *to = 0;
}

void proxy_name(struct proxy *proxy, const char *path, const char *modem) {
  // The command's folder is not the relay's.
  char whole[PATH_MAX];
  if (!realpath(path, whole)) {
    if (errno == ENOENT) fail("%s is not there: modemd does not run, or offers no proxy", path);
    fail("%s cannot be reached: %s", path, strerror(errno));
  }
  if (strlen(whole) >= sizeof proxy->path) fail("%s is too long for the path of a socket", whole);
  strcpy(proxy->path, whole);
  proxy->authorization[0] = 0;
  if (!modem) return;
  char user[136];
  if (!*modem || strlen(modem) > 128 || strchr(modem, ':')) fail("%s is not the name of a modem", modem);
  snprintf(user, sizeof user, "%s:", modem);
  write_base64(user, proxy->authorization);
}

static int connect_with(const struct proxy *proxy, int flags) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, proxy->path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int proxy_connect(const struct proxy *proxy) { return connect_with(proxy, SOCK_NONBLOCK); }

void proxy_try(const struct proxy *proxy) {
  int descriptor = connect_with(proxy, 0);
  if (descriptor < 0) fail("the proxy at %s cannot be reached: %s; does modemd run?", proxy->path, strerror(errno));
  struct timeval limit = {.tv_sec = 15};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  // It knows the method CONNECT alone, and says so to whom it serves.
  static const char request[] = "OPTIONS * HTTP/1.1\r\n\r\n";
  char answer[4096];
  size_t length = 0;
  ssize_t count = send(descriptor, request, sizeof request - 1, MSG_NOSIGNAL);
  while (count > 0 && length < sizeof answer - 1) {
    count = recv(descriptor, answer + length, sizeof answer - 1 - length, 0);
    if (count > 0) length += (size_t)count;
  }
  close(descriptor);
  answer[length] = 0;
  if (!strncmp(answer, "HTTP/1.1 405 ", 13)) return;
  const char *why = strstr(answer, "\r\n\r\n");
  if (why && why[4]) fail("%.*s", (int)strcspn(why + 4, "\n"), why + 4);
  fail("the proxy at %s closed the connection; do you have very many connections through it?", proxy->path);
}

size_t proxy_request(const struct proxy *proxy, const char *host, uint16_t port, char *text, size_t room) {
  const char *open = strchr(host, ':') ? "[" : "", *close = *open ? "]" : "";
  const char *field = *proxy->authorization ? "Proxy-Authorization: Basic " : "";
  const char *end = *field ? "\r\n" : "";
  int length = snprintf(text, room, "CONNECT %s%s%s:%u HTTP/1.1\r\n%s%s%s\r\n", open, host, close, port, field,
                        proxy->authorization, end);
  return length > 0 && (size_t)length < room ? (size_t)length : 0;
}
