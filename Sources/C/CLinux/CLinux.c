#define _GNU_SOURCE
#include "CLinux.h"

#include <linux/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

// What Rtnetlink's Sockets reads and writes byte by byte. linux/tcp.h cannot be in a module beside
// the C library's header of the same types.
_Static_assert(sizeof(struct inet_diag_req_v2) == 56 && offsetof(struct inet_diag_req_v2, id) == 8, "request");
_Static_assert(sizeof(struct inet_diag_msg) == 72 && offsetof(struct inet_diag_msg, id) == 4, "answer");
_Static_assert(offsetof(struct inet_diag_msg, idiag_uid) == 64, "user");
_Static_assert(offsetof(struct inet_diag_msg, idiag_inode) == 68, "inode");
_Static_assert(sizeof(struct inet_diag_sockid) == 48, "identity");
_Static_assert(offsetof(struct inet_diag_sockid, idiag_src) == 4, "source");
_Static_assert(offsetof(struct inet_diag_sockid, idiag_dst) == 20, "destination");
_Static_assert(offsetof(struct inet_diag_sockid, idiag_if) == 36, "interface");
_Static_assert(offsetof(struct inet_diag_sockid, idiag_cookie) == 40, "cookie");
_Static_assert(sizeof(struct inet_diag_bc_op) == 4, "instruction");
_Static_assert(offsetof(struct tcp_info, tcpi_bytes_acked) == 120, "acknowledged");
_Static_assert(offsetof(struct tcp_info, tcpi_bytes_received) == 128, "received");

int clinux_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

int clinux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void clinux_reset_signals(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t none;
  // Two signals cannot be changed, and two belong to the C library: these refuse, and are right.
  for (int signal = 1; signal <= SIGRTMAX; signal++) sigaction(signal, &usual, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
}

int clinux_spawn_with_usual_signals(posix_spawnattr_t *attributes, short flags) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setsigmask(attributes, &none);
  if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
  return error ? error : posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int clinux_spawn_without_files(posix_spawn_file_actions_t *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int clinux_set_timer_slack(unsigned long nanoseconds) { return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }

int clinux_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds) {
  struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(descriptors, count, nanoseconds < 0 ? 0 : &limit, 0);
}

ssize_t clinux_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor, int flags) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  control.head.cmsg_level = SOL_SOCKET;
  control.head.cmsg_type = SCM_RIGHTS;
  control.head.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&control.head), &descriptor, sizeof(int));
  struct iovec data = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
  return sendmsg(socket, &message, flags);
}

ssize_t clinux_receive_with_descriptors(int socket, void *bytes, size_t count, int *descriptors, size_t *number,
                                        int flags) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(clinux_most_descriptors * sizeof(int))];
  } control;
  struct iovec data = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
  *number = 0;
  ssize_t received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    size_t here = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    if (here > clinux_most_descriptors - *number) here = clinux_most_descriptors - *number;
    memcpy(descriptors + *number, CMSG_DATA(each), here * sizeof(int));
    *number += here;
  }
  return received;
}
