#pragma once
#include <stdbool.h>
#include <stdint.h>

// 198.18.0.0/15 (RFC 2544) is on no network. Its first address is this end's; the others stand for
// names, since a program connects to an address, and the proxy must learn the name.
enum { own_address = 0xc6120001, first_name_address = 0xc6120002, last_name_address = 0xc613fffe };

// IPv6's own address, in a prefix that no network has (RFC 4193).
extern const uint8_t own_address_6[16];

struct network {
  // Sockets that the relay listens at.
  int tcp, tcp6;
  // Those for names; the last two are for IPv6. -1 where there is none.
  int udp_names[3], tcp_names[3];
};

// Sets up the network namespace that this process is in, which has nothing: TCP and questions for
// names lead to sockets of the relay, and everything else has no route. Fails the run if the
// kernel refuses any of it.
struct network network_set_up(void);
