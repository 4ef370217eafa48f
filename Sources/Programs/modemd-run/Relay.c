#define _GNU_SOURCE
#include "Relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netfilter_ipv4.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "Messages.h"
#include "Names.h"
#include "Pump.h"

enum {
  // How long a proxy whose queue is full is asked again, and an answer is waited for: modemd's own
  // limits are shorter.
  answer_seconds = 60,
  retry_milliseconds = 20,
  head_bytes = 4096,
  // Refusals that are told to people.
  most_told = 20,
};

enum kind { of_command, of_listener, of_udp_names, of_tcp_names, of_name_client, of_program, of_proxy };

// What a descriptor is. Program and proxy are the two sides of a flow.
struct end {
  enum kind kind;
  int descriptor;
};

enum phase { is_connecting, is_asking, is_open };

struct flow {
  struct end program, proxy;
  enum phase phase;
  struct pump up, down;
  char host[256];
  uint16_t port;
  // The proxy's answer, until it is whole.
  char *head;
  size_t head_length;
  time_t deadline;
  // Both lists: those that wait for time, and those that have more to do at once.
  struct flow *next, **previous;
  bool has_more;
};

// A program that asks for names over TCP (RFC 1035, section 4.2.2).
struct name_client {
  struct end end;
  size_t length;
  uint8_t bytes[2 + name_message_bytes];
};

static const struct proxy *the_proxy;
static int events;
static struct flow *waiting, *busy;
static size_t open_descriptors, most_descriptors;
static struct end listeners[2];
static bool is_full;
static int told;

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static void watch(struct end *end, uint32_t what) {
  struct epoll_event event = {.events = what, .data.ptr = end};
  if (epoll_ctl(events, EPOLL_CTL_ADD, end->descriptor, &event)) fail("the relay cannot go on: %s", strerror(errno));
}

// While there is no room for another connection, the kernel keeps those that wait.
static void set_listening(bool listens) {
  is_full = !listens;
  for (int index = 0; index < 2; index++) {
    struct epoll_event event = {.events = listens ? EPOLLIN : 0, .data.ptr = &listeners[index]};
    if (listeners[index].descriptor >= 0) epoll_ctl(events, EPOLL_CTL_MOD, listeners[index].descriptor, &event);
  }
}

static void close_counted(int descriptor) {
  close(descriptor);
  open_descriptors--;
  if (is_full) set_listening(true);
}

// MARK: Flows

static void put(struct flow *flow, struct flow **list) {
  flow->next = *list;
  flow->previous = list;
  if (*list) (*list)->previous = &flow->next;
  *list = flow;
}

static void take_out(struct flow *flow) {
  if (!flow->previous) return;
  *flow->previous = flow->next;
  if (flow->next) flow->next->previous = flow->previous;
  flow->previous = 0;
  flow->next = 0;
}

static struct flow *flow_of(struct end *end) {
  size_t offset = end->kind == of_program ? offsetof(struct flow, program) : offsetof(struct flow, proxy);
  return (struct flow *)((char *)end - offset);
}

// Closed flows are freed after the events that name them.
static struct flow *closed;

static void end_flow(struct flow *flow, bool is_broken) {
  // A connection that breaks must not look to the program as if all had come.
  struct linger at_once = {.l_onoff = 1};
  if (is_broken) setsockopt(flow->program.descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close_counted(flow->program.descriptor);
  if (flow->proxy.descriptor >= 0) close_counted(flow->proxy.descriptor);
  flow->program.descriptor = flow->proxy.descriptor = -1;
  pump_free(&flow->up);
  pump_free(&flow->down);
  free(flow->head);
  flow->head = 0;
  take_out(flow);
  put(flow, &closed);
}

static void refuse(struct flow *flow, const char *why) {
  if (told < most_told) say("%s:%u: %s", flow->host, flow->port, why);
  if (++told == most_told) say("further failures are not shown");
  end_flow(flow, true);
}

static void move(struct flow *flow) {
  // Once the program has ended its side, both sides end at once where nothing is wrong.
  flow->down.may_break_off = !flow->up.is_closed;
  enum pump_state down = pump_move(&flow->down, flow->proxy.descriptor, flow->program.descriptor);
  enum pump_state up = pump_move(&flow->up, flow->program.descriptor, flow->proxy.descriptor);
  if (down == pump_is_broken || up == pump_is_broken) return end_flow(flow, true);
  if (down == pump_is_done && up == pump_is_done) return end_flow(flow, false);
  take_out(flow);
  if (down == pump_goes_on || up == pump_goes_on) put(flow, &busy);
}

static void send_request(struct flow *flow) {
  char text[1024];
  size_t length = proxy_request(the_proxy, flow->host, flow->port, text, sizeof text);
  // The socket is fresh: it has room.
  if (!length || send(flow->proxy.descriptor, text, length, MSG_NOSIGNAL) != (ssize_t)length)
    return refuse(flow, "the proxy takes no request");
  flow->phase = is_asking;
}

static void connect_flow(struct flow *flow) {
  int descriptor = proxy_connect(the_proxy);
  if (descriptor < 0) {
    if (errno != EAGAIN) refuse(flow, errno == ENOENT || errno == ECONNREFUSED ? "modemd does not run" : strerror(errno));
    return;
  }
  open_descriptors++;
  flow->proxy.descriptor = descriptor;
  watch(&flow->proxy, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
  send_request(flow);
}

static void explain(struct flow *flow) {
  char *why = strstr(flow->head, "\r\n\r\n");
  if (!why || !why[4]) return refuse(flow, "the proxy ended the connection");
  why += 4;
  why[strcspn(why, "\n")] = 0;
  refuse(flow, why);
}

static void read_answer(struct flow *flow) {
  for (;;) {
    // One byte is for the end of a text.
    size_t room = head_bytes - 1 - flow->head_length;
    ssize_t length = room ? recv(flow->proxy.descriptor, flow->head + flow->head_length, room, 0) : 0;
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) return explain(flow);
    flow->head_length += (size_t)length;
    flow->head[flow->head_length] = 0;
    char *end = memmem(flow->head, flow->head_length, "\r\n\r\n", 4);
    if (!end || strncmp(flow->head, "HTTP/1.1 200 ", 13)) continue;
    end += 4;
    if (!pump_hold(&flow->down, end, (size_t)(flow->head + flow->head_length - end))) return end_flow(flow, true);
    free(flow->head);
    flow->head = 0;
    flow->phase = is_open;
    return move(flow);
  }
}

static void go_on(struct flow *flow) {
  if (flow->program.descriptor < 0) return;
  switch (flow->phase) {
  case is_connecting: return connect_flow(flow);
  case is_asking: return read_answer(flow);
  case is_open: return move(flow);
  }
}

// MARK: New connections

// Where the program wanted to go, before the kernel redirected it. False for a connection to the
// relay's own port.
static bool find_destination(int descriptor, bool is_ipv6, struct flow *flow) {
  if (is_ipv6) {
    struct sockaddr_in6 to;
    socklen_t size = sizeof to;
    if (getsockopt(descriptor, IPPROTO_IPV6, SO_ORIGINAL_DST, &to, &size)) return false;
    flow->port = ntohs(to.sin6_port);
    return inet_ntop(AF_INET6, &to.sin6_addr, flow->host, sizeof flow->host);
  }
  struct sockaddr_in to;
  socklen_t size = sizeof to;
  if (getsockopt(descriptor, IPPROTO_IP, SO_ORIGINAL_DST, &to, &size)) return false;
  flow->port = ntohs(to.sin_port);
  uint32_t address = ntohl(to.sin_addr.s_addr);
  if (address >> 24 == 127) return false;
  if (address < own_address - 1 || address > last_name_address + 1)
    return inet_ntop(AF_INET, &to.sin_addr, flow->host, sizeof flow->host);
  const char *name = names_of(address);
  if (name) strcpy(flow->host, name);
  return name;
}

static void begin_flow(int descriptor, bool is_ipv6) {
  struct flow *flow = calloc(1, sizeof *flow);
  char *head = malloc(head_bytes);
  open_descriptors++;
  if (!flow || !head || !find_destination(descriptor, is_ipv6, flow)) {
    struct linger at_once = {.l_onoff = 1};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close_counted(descriptor);
    free(flow);
    free(head);
    return;
  }
  int one = 1;
  setsockopt(descriptor, IPPROTO_TCP, 1 /* TCP_NODELAY */, &one, sizeof one);
  head[0] = 0;
  flow->head = head;
  flow->program = (struct end){of_program, descriptor};
  flow->proxy = (struct end){of_proxy, -1};
  flow->deadline = now() + answer_seconds;
  put(flow, &waiting);
  watch(&flow->program, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
  connect_flow(flow);
}

static void accept_flows(struct end *end) {
  for (int count = 0; count < 16; count++) {
    if (open_descriptors + 2 > most_descriptors) return set_listening(false);
    int descriptor = accept4(end->descriptor, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return;
    begin_flow(descriptor, end == &listeners[1]);
  }
}

// MARK: Names

static void answer_datagrams(struct end *end) {
  for (int count = 0; count < 16; count++) {
    uint8_t question[name_message_bytes], answer[name_message_bytes];
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    ssize_t length = recvfrom(end->descriptor, question, sizeof question, 0, (struct sockaddr *)&from, &size);
    if (length < 0) return;
    size_t answered = names_answer(question, (size_t)length, answer);
    if (answered) sendto(end->descriptor, answer, answered, MSG_NOSIGNAL, (struct sockaddr *)&from, size);
  }
}

static void accept_name_client(struct end *end) {
  if (open_descriptors + 2 > most_descriptors) return;
  int descriptor = accept4(end->descriptor, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
  struct name_client *client = descriptor < 0 ? 0 : calloc(1, sizeof *client);
  if (!client) {
    if (descriptor >= 0) close(descriptor);
    return;
  }
  open_descriptors++;
  client->end = (struct end){of_name_client, descriptor};
  watch(&client->end, EPOLLIN);
}

static void answer_client(struct end *end) {
  struct name_client *client = (struct name_client *)end;
  ssize_t length = recv(end->descriptor, client->bytes + client->length, sizeof client->bytes - client->length, 0);
  bool is_over = length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR);
  if (length > 0) client->length += (size_t)length;
  while (!is_over && client->length >= 2) {
    size_t size = (size_t)client->bytes[0] << 8 | client->bytes[1];
    if (size > name_message_bytes) is_over = true;
    if (is_over || client->length < 2 + size) break;
    uint8_t answer[2 + name_message_bytes];
    size_t answered = names_answer(client->bytes + 2, size, answer + 2);
    answer[0] = (uint8_t)(answered >> 8);
    answer[1] = (uint8_t)answered;
    // A client that does not read its answers gets no more of them.
    if (!answered || send(end->descriptor, answer, 2 + answered, MSG_NOSIGNAL) != (ssize_t)(2 + answered)) is_over = true;
    client->length -= 2 + size;
    memmove(client->bytes, client->bytes + 2 + size, client->length);
  }
  if (!is_over) return;
  close_counted(end->descriptor);
  // Its descriptor is in no later event of this round: each has one event.
  free(client);
}

// MARK: The loop

static void serve(struct end *end) {
  switch (end->kind) {
  // The command has ended, and its connections end with it. Listening ends first: at its exit the
  // kernel may end a process's connections before it.
  case of_command:
    for (int index = 0; index < 2; index++)
      if (listeners[index].descriptor >= 0) close(listeners[index].descriptor);
    _exit(0);
  case of_listener: return accept_flows(end);
  case of_udp_names: return answer_datagrams(end);
  case of_tcp_names: return accept_name_client(end);
  case of_name_client: return answer_client(end);
  case of_program:
  case of_proxy: return go_on(flow_of(end));
  }
}

// Flows that are not open yet: those whose proxy's queue was full, and those whose time is over.
static bool serve_waiting(void) {
  bool is_soon = false;
  time_t time = now();
  struct flow *next;
  for (struct flow *flow = waiting; flow; flow = next) {
    next = flow->next;
    if (time >= flow->deadline) {
      refuse(flow, "the proxy gave no answer in time");
    } else if (flow->phase == is_connecting) {
      connect_flow(flow);
      is_soon = is_soon || flow->phase == is_connecting;
    }
  }
  return is_soon;
}

static void serve_busy(void) {
  struct flow *list = busy;
  busy = 0;
  if (list) list->previous = &list;
  while (list) go_on(list);
}

static void free_closed(void) {
  while (closed) {
    struct flow *flow = closed;
    take_out(flow);
    free(flow);
  }
}

static void watch_all(const struct network *network, int command) {
  static struct end names[6], process;
  int count = 0;
  process = (struct end){of_command, command};
  watch(&process, EPOLLIN);
  listeners[0] = (struct end){of_listener, network->tcp};
  listeners[1] = (struct end){of_listener, network->tcp6};
  for (int index = 0; index < 2; index++)
    if (listeners[index].descriptor >= 0) watch(&listeners[index], EPOLLIN);
  for (int index = 0; index < 3; index++) {
    if (network->udp_names[index] < 0) continue;
    names[count] = (struct end){of_udp_names, network->udp_names[index]};
    watch(&names[count++], EPOLLIN);
    names[count] = (struct end){of_tcp_names, network->tcp_names[index]};
    watch(&names[count++], EPOLLIN);
  }
}

void relay(const struct network *network, const struct proxy *proxy, int command) {
  the_proxy = proxy;
  struct rlimit files = {.rlim_cur = 256, .rlim_max = 256};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max > 16384 ? 16384 : files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  most_descriptors = files.rlim_cur > 96 ? files.rlim_cur - 64 : 32;
  events = epoll_create1(EPOLL_CLOEXEC);
  if (events < 0) fail("the relay cannot begin: %s", strerror(errno));
  watch_all(network, command);
  bool is_soon = false;
  for (;;) {
    struct epoll_event ready[64];
    int limit = busy ? 0 : is_soon ? retry_milliseconds : waiting ? 1000 : -1;
    int count = epoll_wait(events, ready, 64, limit);
    for (int index = 0; index < count; index++) serve(ready[index].data.ptr);
    serve_busy();
    is_soon = serve_waiting();
    free_closed();
  }
}
