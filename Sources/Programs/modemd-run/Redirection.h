#pragma once
#include <stdint.h>

// Leads this network namespace's connections to the relay's ports, and its questions for names to
// port 53 here. `port6` 0 means no IPv6. 0, or an error's number.
int redirect(uint16_t port, uint16_t port6);
