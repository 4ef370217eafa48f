#pragma once
// What the programs need of Linux's own headers. Types only: macros that Swift cannot import get a name of their own.
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdint.h>
#include <sys/socket.h>

// struct ucred is hidden behind _GNU_SOURCE.
struct clinux_peer_credentials {
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

// SO_PEERGROUPS fills as many as there are; the rest keeps what it was.
struct clinux_peer_groups {
  uint32_t gid[256];
};
