// Runs a command whose connections leave by the bearer: in namespaces of its own, with a relay to
// modemd's proxy. `modemctl run` becomes this program, and this program becomes the command, so
// that signals, terminal and exit status are the command's without anybody between. Only one thread
// may make a user namespace, which is why modemctl does not.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Confinement.h"
#include "Messages.h"
#include "Relay.h"

// The relay is no child of the command, which may wait for all of its children, and not in its
// session, whose signals are the command's.
static void become_relay(const struct network *network, const struct proxy *proxy, int command) {
  setsid();
  static const int ignored[] = {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
  for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) signal(ignored[index], SIG_IGN);
  // Standard error stays, for what the proxy refuses. Whatever else was inherited is the command's.
  int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) _exit(1);
  dup2(nothing, 0);
  dup2(nothing, 1);
  close(nothing);
  if (chdir("/")) _exit(1);
  relay(network, proxy, command);
}

// Files and pipes that the command inherits are not the relay's.
static void close_inherited(void) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) _exit(1);
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    int descriptor = atoi(entry->d_name);
    if (descriptor > 2 && !(fcntl(descriptor, F_GETFD) & FD_CLOEXEC)) close(descriptor);
  }
  closedir(folder);
}

static void start_relay(const struct network *network, const struct proxy *proxy) {
  int command = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (command < 0) fail("the relay could not be started: %s; Linux 5.3 is needed", strerror(errno));
  pid_t between = fork();
  if (between < 0) fail("the relay could not be started: %s", strerror(errno));
  if (between == 0) {
    pid_t child = fork();
    if (child == 0) {
      close_inherited();
      become_relay(network, proxy, command);
    }
    _exit(child < 0);
  }
  int status;
  while (waitpid(between, &status, 0) < 0 && errno == EINTR) {}
  if (status) fail("the relay could not be started");
  // The sockets close with the command's start.
}

int main(int count, char **arguments) {
  const char *path = 0, *modem = 0;
  int at = 1;
  while (at + 1 < count && strcmp(arguments[at], "--")) {
    if (!strcmp(arguments[at], "--proxy")) path = arguments[at + 1];
    else if (!strcmp(arguments[at], "--modem")) modem = arguments[at + 1];
    else break;
    at += 2;
  }
  if (!path || at + 1 >= count || strcmp(arguments[at], "--"))
    fail("modemd-run is a part of `modemctl run`: start that one");
  char **command = arguments + at + 1;

  close_foreign_descriptors();
  struct proxy proxy;
  proxy_name(&proxy, path, modem);
  proxy_try(&proxy);
  enter_namespaces();
  struct network network = network_set_up();
  hide_resolvers();
  give_up_privileges();
  start_relay(&network, &proxy);

  execvp(command[0], command);
  int error = errno;
  say("%s: %s", command[0], strerror(error));
  return error == ENOENT ? status_not_found : status_not_runnable;
}
