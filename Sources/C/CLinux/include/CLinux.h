#pragma once
// The parts of Linux's own headers that the programs need. Types only: macros that Swift cannot
// import get names of their own.
#include <linux/capability.h>
#include <linux/fib_rules.h>
#include <linux/filter.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <linux/veth.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/types.h>

// struct ucred is hidden behind _GNU_SOURCE.
struct clinux_peer_credentials {
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

// SO_PEERGROUPS fills as many as there are; the rest stays unchanged.
struct clinux_peer_groups {
  uint32_t gid[256];
};

// Hidden behind _GNU_SOURCE, or in a header of libcap. glibc exports all of them.
extern int unshare(int flags);
extern int setns(int descriptor, int type);
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int capset(cap_user_header_t header, const cap_user_data_t data);

enum {
  clinux_clone_newns = 0x00020000,
  clinux_clone_newuser = 0x10000000,
  clinux_clone_newnet = 0x40000000,
  clinux_eventfd_cloexec = 02000000,
  clinux_eventfd_nonblock = 00004000,
  // _IOW('T', 202, int)
  clinux_tunsetiff = 0x400454ca,
  clinux_most_descriptors = 253,
};

// prctl takes a variable number of arguments, and ppoll is hidden behind _GNU_SOURCE.
// The signal that this process gets when the thread that started it ends.
extern int clinux_set_parent_death_signal(int signal);
// Prevents core dumps of this process and tracing by other processes of its user, and makes its
// files in /proc root's.
extern int clinux_forbid_dumps(void);
// Resets every signal to its default and unblocks all, for a process that is about to become
// another program, which inherits ignored and blocked signals. A Swift program's tasks run on
// threads that block all signals.
extern void clinux_reset_signals(void);
// The same for a process to be spawned, in addition to its other `flags`. Returns 0 or an errno.
extern int clinux_spawn_with_usual_signals(posix_spawnattr_t *attributes, short flags);
// A process that is to be spawned keeps its three streams alone: SwiftNIO's sockets are not closed
// by themselves when a program starts. To be added last. 0, or an error's number.
extern int clinux_spawn_without_files(posix_spawn_file_actions_t *actions);
// Nanoseconds by which the kernel may be late in waking this thread; 50,000 unless set.
extern int clinux_set_timer_slack(unsigned long nanoseconds);
// Sends bytes and, with the first of them, a descriptor (SCM_RIGHTS). As sendmsg.
extern ssize_t clinux_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor, int flags);
// As recvmsg. `descriptors` has room for clinux_most_descriptors, which is all that one message can
// carry (SCM_MAX_FD); `number` is how many came. They are closed when a program is started.
extern ssize_t clinux_receive_with_descriptors(int socket, void *bytes, size_t count, int *descriptors,
                                               size_t *number, int flags);
// poll with a time limit in nanoseconds; negative for none.
extern int clinux_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);
