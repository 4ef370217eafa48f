#define _GNU_SOURCE
#include "Network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Messages.h"
#include "Netlink.h"
#include "Redirection.h"

enum { loopback = 1, relayed_table = 100, name_port = 53 };

const uint8_t own_address_6[16] = {0xfd, 0x6d, 0x6f, 0x64, 0x65, 0x6d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

static void add_link_and_address(struct netlink *batch, int family) {
  if (family == AF_INET) {
    struct ifinfomsg link = {.ifi_index = loopback, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    netlink_begin(batch, RTM_NEWLINK, NLM_F_ACK, &link, sizeof link);
    netlink_end(batch);
  }
  struct ifaddrmsg address = {.ifa_family = (uint8_t)family, .ifa_index = loopback};
  uint32_t own = htonl(own_address);
  const void *value = family == AF_INET ? (const void *)&own : own_address_6;
  size_t size = family == AF_INET ? 4 : 16;
  address.ifa_prefixlen = (uint8_t)(8 * size);
  if (family == AF_INET6) address.ifa_flags = IFA_F_NODAD;
  netlink_begin(batch, RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE, &address, sizeof address);
  netlink_add(batch, IFA_LOCAL, value, size);
  netlink_add(batch, IFA_ADDRESS, value, size);
  netlink_end(batch);
}

// What has a route is what is relayed: all else fails at once, with "Network is unreachable".
static void add_route(struct netlink *batch, int family) {
  struct rtmsg route = {.rtm_family = (uint8_t)family, .rtm_protocol = RTPROT_STATIC, .rtm_type = RTN_UNICAST};
  route.rtm_scope = family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
  uint32_t table = relayed_table, device = loopback, own = htonl(own_address);
  netlink_begin(batch, RTM_NEWROUTE, NLM_F_ACK | NLM_F_CREATE, &route, sizeof route);
  netlink_add(batch, RTA_TABLE, &table, sizeof table);
  netlink_add(batch, RTA_OIF, &device, sizeof device);
  if (family == AF_INET) {
    netlink_add(batch, RTA_PREFSRC, &own, sizeof own);
  } else {
    netlink_add(batch, RTA_PREFSRC, own_address_6, sizeof own_address_6);
  }
  netlink_end(batch);
}

static void add_rule(struct netlink *batch, int family, uint8_t protocol, uint16_t port) {
  struct fib_rule_hdr rule = {.family = (uint8_t)family, .action = FR_ACT_TO_TBL};
  uint32_t table = relayed_table, priority = 100 + protocol;
  netlink_begin(batch, RTM_NEWRULE, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, &rule, sizeof rule);
  netlink_add(batch, FRA_TABLE, &table, sizeof table);
  netlink_add(batch, FRA_PRIORITY, &priority, sizeof priority);
  netlink_add(batch, FRA_IP_PROTO, &protocol, sizeof protocol);
  struct fib_rule_port_range range = {.start = port, .end = port};
  if (port) netlink_add(batch, FRA_DPORT_RANGE, &range, sizeof range);
  netlink_end(batch);
}

static int set_up(int family) {
  struct netlink batch = {0};
  add_link_and_address(&batch, family);
  add_route(&batch, family);
  add_rule(&batch, family, IPPROTO_TCP, 0);
  add_rule(&batch, family, IPPROTO_UDP, name_port);
  return netlink_deliver(&batch, NETLINK_ROUTE);
}

static int open_socket(int family, int kind, uint32_t address, uint16_t port) {
  int descriptor = socket(family, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)};
  struct sockaddr_in6 ipv6 = {
      .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int one = 1;
  if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
  const struct sockaddr *place = family == AF_INET ? (struct sockaddr *)&ipv4 : (struct sockaddr *)&ipv6;
  socklen_t size = family == AF_INET ? sizeof ipv4 : sizeof ipv6;
  if (bind(descriptor, place, size) || (kind == SOCK_STREAM && listen(descriptor, 1024))) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

static uint16_t port_of(int descriptor) {
  struct sockaddr_in6 address;
  socklen_t size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size)) return 0;
  // The port is at the same place in both families.
  return ntohs(address.sin6_port);
}

static int needed(int descriptor) {
  if (descriptor < 0) fail("no socket could be made in the command's network: %s", strerror(errno));
  return descriptor;
}

struct network network_set_up(void) {
  int error = set_up(AF_INET);
  if (error)
    fail("the command's network could not be set up: %s; Linux 4.17 with policy routing is needed", strerror(error));
  // Without IPv6 its addresses are unreachable, as they should be.
  bool has_ipv6 = set_up(AF_INET6) == 0;
  struct network network = {.tcp6 = -1, .udp_names = {-1, -1, -1}, .tcp_names = {-1, -1, -1}};
  network.tcp = needed(open_socket(AF_INET, SOCK_STREAM, INADDR_LOOPBACK, 0));
  const uint32_t places[2] = {own_address, INADDR_LOOPBACK};
  for (int index = 0; index < 2; index++) {
    network.udp_names[index] = needed(open_socket(AF_INET, SOCK_DGRAM, places[index], name_port));
    network.tcp_names[index] = needed(open_socket(AF_INET, SOCK_STREAM, places[index], name_port));
  }
  if (has_ipv6) {
    network.tcp6 = needed(open_socket(AF_INET6, SOCK_STREAM, 0, 0));
    network.udp_names[2] = needed(open_socket(AF_INET6, SOCK_DGRAM, 0, name_port));
    network.tcp_names[2] = needed(open_socket(AF_INET6, SOCK_STREAM, 0, name_port));
  }
  error = redirect(port_of(network.tcp), has_ipv6 ? port_of(network.tcp6) : 0);
  if (error)
    fail("connections could not be redirected: %s; the kernel needs nf_tables with nft_redir, nft_nat and "
         "nf_conntrack, and Linux 5.2",
         strerror(error));
  return network;
}
