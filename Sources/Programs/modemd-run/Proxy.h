#pragma once
#include <stddef.h>
#include <stdint.h>

// modemd's proxy on its Unix socket, asked by HTTP CONNECT: a refusal says why.
struct proxy {
  char path[108];
  // The value of Proxy-Authorization that names the modem; empty for the only one.
  char authorization[256];
};

// Fails the run for names that cannot be used. `modem` is null for the only one.
void proxy_name(struct proxy *proxy, const char *path, const char *modem);

// Fails the run unless the proxy is there and serves this user.
void proxy_try(const struct proxy *proxy);

// A socket that does not block and is connected; -1 with errno (EAGAIN: try again later).
int proxy_connect(const struct proxy *proxy);

// Writes a request into `text`. Its length, or 0 if there is no room.
size_t proxy_request(const struct proxy *proxy, const char *host, uint16_t port, char *text, size_t room);
