#pragma once
#include "Network.h"
#include "Proxy.h"

// Leads the connections of the command's network to the proxy, and answers its questions for names,
// until the process of `command` (a pidfd) has ended. Does not come back.
void relay(const struct network *network, const struct proxy *proxy, int command) __attribute__((noreturn));
