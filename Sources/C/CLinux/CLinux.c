#define _GNU_SOURCE
#include "CLinux.h"

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>

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
