#define _GNU_SOURCE
#include "Confinement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Messages.h"

// MARK: Descriptors

// Memory devices (null, zero, random) and terminals: others, such as a TUN device, are networks.
static bool is_harmless(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status)) return false;
  switch (status.st_mode & S_IFMT) {
  case S_IFREG:
  case S_IFDIR:
  case S_IFIFO: return true;
  case S_IFCHR: return major(status.st_rdev) == 1 || isatty(descriptor);
  default: return false;
  }
}

void close_foreign_descriptors(void) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) {
    // Nothing tells what they are.
    if (close_range(3, ~0U, 0)) fail("descriptors could not be closed: %s", strerror(errno));
    return;
  }
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    int descriptor = atoi(entry->d_name);
    if (descriptor > 2 && descriptor != dirfd(folder) && !is_harmless(descriptor)) close(descriptor);
  }
  closedir(folder);
}

// MARK: Namespaces

static bool read_number(const char *path, long *number) {
  FILE *file = fopen(path, "re");
  if (!file) return false;
  bool is_read = fscanf(file, "%ld", number) == 1;
  fclose(file);
  return is_read;
}

void fail_namespaces(const char *step, int error) {
  long value;
  const char *apparmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
  if (read_number("/proc/sys/kernel/unprivileged_userns_clone", &value) && value == 0)
    fail("this machine allows no user namespaces (%s); an administrator can set kernel.unprivileged_userns_clone=1 "
         "with sysctl", step);
  if (read_number("/proc/sys/user/max_user_namespaces", &value) && value == 0)
    fail("this machine allows no user namespaces (%s); an administrator can set user.max_user_namespaces with sysctl, "
         "to 10000 for instance", step);
  if (error == ENOSPC)
    fail("there are as many namespaces as this machine allows (%s); an administrator can raise "
         "user.max_user_namespaces, user.max_net_namespaces and user.max_mnt_namespaces with sysctl", step);
  if (read_number(apparmor, &value) && value == 1)
    fail("AppArmor allows this program no user namespace (%s); an administrator can load the profile in "
         "/usr/share/doc/modemd/examples/apparmor/modemd-run, or set kernel.apparmor_restrict_unprivileged_userns=0 "
         "with sysctl", step);
  fail("the kernel refused a namespace (%s): %s; in a container or chroot, its manager must allow user namespaces",
       step, strerror(error));
}

static bool write_file(const char *path, const char *text) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  ssize_t length = (ssize_t)strlen(text);
  bool is_written = write(descriptor, text, (size_t)length) == length;
  close(descriptor);
  return is_written;
}

// Each id that exists here is itself in the new namespace.
static bool copy_map(pid_t process, const char *name) {
  char path[64], map[4096] = "";
  snprintf(path, sizeof path, "/proc/self/%s", name);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  unsigned long inside, outside, count;
  size_t length = 0;
  while (length < sizeof map - 96 && fscanf(file, "%lu %lu %lu", &inside, &outside, &count) == 3)
    length += (size_t)snprintf(map + length, sizeof map - length, "%lu %lu %lu\n", inside, inside, count);
  fclose(file);
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  return write_file(path, map);
}

enum { namespaces = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS };

// Root's commands use other users, so that all ids are mapped. That takes a process outside.
static void enter_as_root(void) {
  pid_t self = getpid();
  int begin[2];
  if (pipe2(begin, O_CLOEXEC)) fail("no pipe could be made: %s", strerror(errno));
  pid_t child = fork();
  if (child < 0) fail("no process could be made: %s", strerror(errno));
  if (child == 0) {
    close(begin[1]);
    char byte;
    if (read(begin[0], &byte, 1) != 1) _exit(1);
    _exit(copy_map(self, "uid_map") && copy_map(self, "gid_map") ? 0 : 1);
  }
  close(begin[0]);
  if (unshare(namespaces)) fail_namespaces("unshare", errno);
  ssize_t written = write(begin[1], "", 1);
  close(begin[1]);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (written != 1 || status != 0) fail_namespaces("users could not be mapped", EPERM);
}

static void enter_as_user(uid_t user, gid_t group) {
  if (unshare(namespaces)) fail_namespaces("unshare", errno);
  char users[64], groups[64];
  snprintf(users, sizeof users, "%u %u 1\n", user, user);
  snprintf(groups, sizeof groups, "%u %u 1\n", group, group);
  if (!write_file("/proc/self/setgroups", "deny") || !write_file("/proc/self/uid_map", users) ||
      !write_file("/proc/self/gid_map", groups))
    fail_namespaces("the user could not be mapped", errno);
}

void enter_namespaces(void) {
  // Unknown in the new namespace until they are mapped.
  uid_t user = geteuid();
  gid_t group = getegid();
  if (user == 0) {
    enter_as_root();
  } else {
    enter_as_user(user, group);
  }
}

// MARK: Privileges

static void remove_proxy_variables(void) {
  static const char *const names[] = {"http_proxy", "https_proxy", "ftp_proxy", "all_proxy",   "no_proxy",
                                      "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY",   "NO_PROXY",
                                      "RES_OPTIONS", "LOCALDOMAIN", "HOSTALIASES"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) unsetenv(names[index]);
}

// Root keeps what its commands need with files and users, as apt does, and loses what could undo
// the namespaces. Others have no capability at all.
static bool is_kept(int capability, bool is_root) {
  return is_root && capability != CAP_NET_ADMIN && capability != CAP_NET_RAW && capability != CAP_SYS_ADMIN &&
         capability != CAP_SYS_PTRACE && capability != CAP_SYS_MODULE && capability != CAP_SETPCAP;
}

void give_up_privileges(void) {
  bool is_root = geteuid() == 0;
  remove_proxy_variables();
  struct __user_cap_data_struct data[2] = {{0}, {0}};
  for (int capability = 0; capability < 64; capability++) {
    if (is_kept(capability, is_root)) {
      data[capability / 32].permitted |= 1U << capability % 32;
      data[capability / 32].effective |= 1U << capability % 32;
      continue;
    }
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) && errno != EINVAL)
      fail("privileges could not be given up: %s", strerror(errno));
  }
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct now[2];
  if (syscall(SYS_capget, &header, now)) fail("privileges could not be read: %s", strerror(errno));
  for (int index = 0; index < 2; index++) {
    data[index].permitted &= now[index].permitted;
    data[index].effective &= now[index].permitted;
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(SYS_capset, &header, data)) fail("privileges could not be given up: %s", strerror(errno));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("privileges could not be given up: %s", strerror(errno));
}
