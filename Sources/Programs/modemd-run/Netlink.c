#define _GNU_SOURCE
#include "Netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static void append(struct netlink *batch, const void *value, size_t size) {
  size_t padded = NLMSG_ALIGN(size);
  // All messages are this program's own, and far shorter.
  if (batch->length + padded > sizeof batch->bytes) abort();
  memset(batch->bytes + batch->length, 0, padded);
  if (size) memcpy(batch->bytes + batch->length, value, size);
  batch->length += padded;
}

void netlink_begin(struct netlink *batch, uint16_t type, uint16_t flags, const void *header, size_t size) {
  batch->message = batch->length;
  struct nlmsghdr message = {
      .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | flags, .nlmsg_seq = ++batch->sequence};
  append(batch, &message, sizeof message);
  append(batch, header, size);
  if (flags & NLM_F_ACK) batch->answers++;
}

void netlink_add(struct netlink *batch, uint16_t type, const void *value, size_t size) {
  struct nlattr attribute = {.nla_len = (uint16_t)(NLA_HDRLEN + size), .nla_type = type};
  append(batch, &attribute, sizeof attribute);
  append(batch, value, size);
}

void netlink_add_text(struct netlink *batch, uint16_t type, const char *text) {
  netlink_add(batch, type, text, strlen(text) + 1);
}

void netlink_add_number(struct netlink *batch, uint16_t type, uint32_t number) {
  uint32_t value = htonl(number);
  netlink_add(batch, type, &value, sizeof value);
}

size_t netlink_open(struct netlink *batch, uint16_t type) {
  size_t nest = batch->length;
  netlink_add(batch, type | NLA_F_NESTED, 0, 0);
  return nest;
}

void netlink_close(struct netlink *batch, size_t nest) {
  struct nlattr attribute;
  memcpy(&attribute, batch->bytes + nest, sizeof attribute);
  attribute.nla_len = (uint16_t)(batch->length - nest);
  memcpy(batch->bytes + nest, &attribute, sizeof attribute);
}

void netlink_end(struct netlink *batch) {
  struct nlmsghdr message;
  memcpy(&message, batch->bytes + batch->message, sizeof message);
  message.nlmsg_len = (uint32_t)(batch->length - batch->message);
  memcpy(batch->bytes + batch->message, &message, sizeof message);
}

static int read_answers(int descriptor, int count) {
  static char buffer[65536];
  int error = 0;
  while (count > 0) {
    ssize_t length = recv(descriptor, buffer, sizeof buffer, 0);
    if (length < 0) {
      if (errno == EINTR) continue;
      return error ? error : errno;
    }
    int left = (int)length;
    for (struct nlmsghdr *message = (struct nlmsghdr *)buffer; NLMSG_OK(message, left);
         message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_type != NLMSG_ERROR) continue;
      count--;
      int number = -((struct nlmsgerr *)NLMSG_DATA(message))->error;
      // A batch that fails is answered once for what failed, and not at all for the rest.
      if (number) return number;
    }
  }
  return error;
}

int netlink_deliver(struct netlink *batch, int protocol) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
  if (descriptor < 0) return errno;
  // The kernel answers while it is asked; this is for one that does not.
  struct timeval limit = {.tv_sec = 5};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  int error = 0;
  if (sendto(descriptor, batch->bytes, batch->length, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0) error = errno;
  if (!error) error = read_answers(descriptor, batch->answers);
  close(descriptor);
  return error;
}
