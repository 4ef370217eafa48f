#define _GNU_SOURCE
#include "Redirection.h"

#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "Netlink.h"
#include "Network.h"

#define TABLE "modemctl-run"
#define CHAIN "output"

static void begin(struct netlink *batch, uint16_t type, uint16_t flags) {
  struct nfgenmsg header = {.nfgen_family = NFPROTO_INET};
  netlink_begin(batch, (uint16_t)(NFNL_SUBSYS_NFTABLES << 8 | type), flags | NLM_F_ACK, &header, sizeof header);
}

static void mark(struct netlink *batch, uint16_t type) {
  struct nfgenmsg header = {.nfgen_family = AF_UNSPEC, .res_id = htons(NFNL_SUBSYS_NFTABLES)};
  netlink_begin(batch, type, 0, &header, sizeof header);
  netlink_end(batch);
}

static void add_table_and_chain(struct netlink *batch) {
  begin(batch, NFT_MSG_NEWTABLE, NLM_F_CREATE);
  netlink_add_text(batch, NFTA_TABLE_NAME, TABLE);
  netlink_end(batch);
  begin(batch, NFT_MSG_NEWCHAIN, NLM_F_CREATE);
  netlink_add_text(batch, NFTA_CHAIN_TABLE, TABLE);
  netlink_add_text(batch, NFTA_CHAIN_NAME, CHAIN);
  size_t hook = netlink_open(batch, NFTA_CHAIN_HOOK);
  netlink_add_number(batch, NFTA_HOOK_HOOKNUM, NF_INET_LOCAL_OUT);
  // The priority of destination NAT.
  netlink_add_number(batch, NFTA_HOOK_PRIORITY, (uint32_t)-100);
  netlink_close(batch, hook);
  netlink_add_number(batch, NFTA_CHAIN_POLICY, NF_ACCEPT);
  netlink_add_text(batch, NFTA_CHAIN_TYPE, "nat");
  netlink_end(batch);
}

// MARK: Expressions

struct expression {
  size_t element, data;
};

static struct expression open_expression(struct netlink *batch, const char *name) {
  struct expression expression = {.element = netlink_open(batch, NFTA_LIST_ELEM)};
  netlink_add_text(batch, NFTA_EXPR_NAME, name);
  expression.data = netlink_open(batch, NFTA_EXPR_DATA);
  return expression;
}

static void close_expression(struct netlink *batch, struct expression expression) {
  netlink_close(batch, expression.data);
  netlink_close(batch, expression.element);
}

static void compare(struct netlink *batch, const void *value, size_t size) {
  struct expression expression = open_expression(batch, "cmp");
  netlink_add_number(batch, NFTA_CMP_SREG, NFT_REG_1);
  netlink_add_number(batch, NFTA_CMP_OP, NFT_CMP_EQ);
  size_t data = netlink_open(batch, NFTA_CMP_DATA);
  netlink_add(batch, NFTA_DATA_VALUE, value, size);
  netlink_close(batch, data);
  close_expression(batch, expression);
}

static void match_meta(struct netlink *batch, uint32_t key, uint8_t value) {
  struct expression expression = open_expression(batch, "meta");
  netlink_add_number(batch, NFTA_META_DREG, NFT_REG_1);
  netlink_add_number(batch, NFTA_META_KEY, key);
  close_expression(batch, expression);
  compare(batch, &value, sizeof value);
}

static void match_payload(struct netlink *batch, uint32_t base, uint32_t offset, const void *value, size_t size) {
  struct expression expression = open_expression(batch, "payload");
  netlink_add_number(batch, NFTA_PAYLOAD_DREG, NFT_REG_1);
  netlink_add_number(batch, NFTA_PAYLOAD_BASE, base);
  netlink_add_number(batch, NFTA_PAYLOAD_OFFSET, offset);
  netlink_add_number(batch, NFTA_PAYLOAD_LEN, (uint32_t)size);
  close_expression(batch, expression);
  compare(batch, value, size);
}

static void accept_packet(struct netlink *batch) {
  struct expression expression = open_expression(batch, "immediate");
  netlink_add_number(batch, NFTA_IMMEDIATE_DREG, NFT_REG_VERDICT);
  size_t data = netlink_open(batch, NFTA_IMMEDIATE_DATA);
  size_t verdict = netlink_open(batch, NFTA_DATA_VERDICT);
  netlink_add_number(batch, NFTA_VERDICT_CODE, NF_ACCEPT);
  netlink_close(batch, verdict);
  netlink_close(batch, data);
  close_expression(batch, expression);
}

static void redirect_packet(struct netlink *batch, uint16_t port) {
  struct expression expression = open_expression(batch, "immediate");
  netlink_add_number(batch, NFTA_IMMEDIATE_DREG, NFT_REG_1);
  size_t data = netlink_open(batch, NFTA_IMMEDIATE_DATA);
  uint16_t value = htons(port);
  netlink_add(batch, NFTA_DATA_VALUE, &value, sizeof value);
  netlink_close(batch, data);
  close_expression(batch, expression);
  expression = open_expression(batch, "redir");
  netlink_add_number(batch, NFTA_REDIR_REG_PROTO_MIN, NFT_REG_1);
  close_expression(batch, expression);
}

// MARK: Rules

static size_t open_rule(struct netlink *batch) {
  begin(batch, NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND);
  netlink_add_text(batch, NFTA_RULE_TABLE, TABLE);
  netlink_add_text(batch, NFTA_RULE_CHAIN, CHAIN);
  return netlink_open(batch, NFTA_RULE_EXPRESSIONS);
}

static void close_rule(struct netlink *batch, size_t expressions) {
  netlink_close(batch, expressions);
  netlink_end(batch);
}

// Whatever name server a program knows: also one at a loopback address, which is the machine's stub
// elsewhere.
static void add_name_rule(struct netlink *batch, uint8_t protocol) {
  size_t rule = open_rule(batch);
  match_meta(batch, NFT_META_L4PROTO, protocol);
  uint16_t port = htons(53);
  match_payload(batch, NFT_PAYLOAD_TRANSPORT_HEADER, 2, &port, sizeof port);
  redirect_packet(batch, 53);
  close_rule(batch, rule);
}

// A command's own servers are reached as they are.
static void add_exception(struct netlink *batch, uint8_t family, const void *address, size_t size) {
  size_t rule = open_rule(batch);
  match_meta(batch, NFT_META_NFPROTO, family);
  match_payload(batch, NFT_PAYLOAD_NETWORK_HEADER, family == NFPROTO_IPV4 ? 16 : 24, address, size);
  accept_packet(batch);
  close_rule(batch, rule);
}

static void add_tcp_rule(struct netlink *batch, uint8_t family, uint16_t port) {
  size_t rule = open_rule(batch);
  match_meta(batch, NFT_META_NFPROTO, family);
  match_meta(batch, NFT_META_L4PROTO, IPPROTO_TCP);
  redirect_packet(batch, port);
  close_rule(batch, rule);
}

int redirect(uint16_t port, uint16_t port6) {
  struct netlink batch = {0};
  mark(&batch, NFNL_MSG_BATCH_BEGIN);
  add_table_and_chain(&batch);
  add_name_rule(&batch, IPPROTO_UDP);
  add_name_rule(&batch, IPPROTO_TCP);
  const uint8_t loopback = 127;
  uint32_t own = htonl(own_address);
  const uint8_t loopback6[16] = {[15] = 1};
  add_exception(&batch, NFPROTO_IPV4, &loopback, sizeof loopback);
  add_exception(&batch, NFPROTO_IPV4, &own, sizeof own);
  add_tcp_rule(&batch, NFPROTO_IPV4, port);
  if (port6) {
    add_exception(&batch, NFPROTO_IPV6, loopback6, sizeof loopback6);
    add_exception(&batch, NFPROTO_IPV6, own_address_6, sizeof own_address_6);
    add_tcp_rule(&batch, NFPROTO_IPV6, port6);
  }
  mark(&batch, NFNL_MSG_BATCH_END);
  return netlink_deliver(&batch, NETLINK_NETFILTER);
}
