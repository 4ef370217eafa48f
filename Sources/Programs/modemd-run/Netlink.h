#pragma once
#include <stddef.h>
#include <stdint.h>

// Messages to the kernel, built one behind the other.
struct netlink {
  char bytes[8192];
  size_t length;
  // Where the message that is being built begins.
  size_t message;
  uint32_t sequence;
  // Messages that the kernel will answer.
  int answers;
};

void netlink_begin(struct netlink *batch, uint16_t type, uint16_t flags, const void *header, size_t size);
void netlink_add(struct netlink *batch, uint16_t type, const void *value, size_t size);
void netlink_add_text(struct netlink *batch, uint16_t type, const char *text);
// nf_tables has its numbers in network order.
void netlink_add_number(struct netlink *batch, uint16_t type, uint32_t number);
size_t netlink_open(struct netlink *batch, uint16_t type);
void netlink_close(struct netlink *batch, size_t nest);
void netlink_end(struct netlink *batch);

// Sends the messages, and reads their answers. 0, or the first error's number.
int netlink_deliver(struct netlink *batch, int protocol);
