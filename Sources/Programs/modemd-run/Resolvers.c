#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Confinement.h"
#include "Messages.h"

// Where files are made that are then mounted elsewhere. It is uncovered again.
#define WORKSHOP "/tmp"
#define SERVER "# Made by modemctl run: names are resolved over the bearer.\nnameserver 198.18.0.1\n"

static void make_file(const char *path, const char *text) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  size_t length = strlen(text);
  if (descriptor < 0 || write(descriptor, text, length) != (ssize_t)length)
    fail("a file of the command's own could not be made: %s", strerror(errno));
  close(descriptor);
}

// Mounts a file or folder over another one, where there is one.
static void cover(const char *source, const char *target) {
  if (access(target, F_OK) && errno == ENOENT) return;
  if (mount(source, target, 0, MS_BIND, 0)) fail("%s could not be replaced for the command: %s", target, strerror(errno));
  // The file is the user's own all the same: this keeps programs from changing it by mistake.
  mount(0, target, 0, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, 0);
}

static bool is_hosts_line(const char *line) {
  while (isspace((unsigned char)*line)) line++;
  if (strncasecmp(line, "hosts", 5)) return false;
  line += 5;
  while (isspace((unsigned char)*line)) line++;
  return *line == ':';
}

// The machine's own nsswitch.conf, but that hosts come from files and DNS alone: other modules ask
// the machine's resolver past every namespace.
static void make_switch(const char *path) {
  FILE *from = fopen("/etc/nsswitch.conf", "re");
  FILE *to = fopen(path, "we");
  if (!to) fail("a file of the command's own could not be made: %s", strerror(errno));
  char *line = 0;
  size_t room = 0;
  while (from && getline(&line, &room, from) > 0)
    if (!is_hosts_line(line)) fputs(line, to);
  fputs("\nhosts: files dns\n", to);
  free(line);
  if (from) fclose(from);
  if (fclose(to) || chmod(path, 0444)) fail("a file of the command's own could not be made: %s", strerror(errno));
}

static void make_hosts(const char *path) {
  char name[65] = "", text[256];
  gethostname(name, sizeof name - 1);
  snprintf(text, sizeof text, "127.0.0.1 localhost\n127.0.1.1 %s\n::1 localhost ip6-localhost ip6-loopback\n",
           *name ? name : "localhost");
  make_file(path, text);
}

void hide_resolvers(void) {
  if (mount("none", "/", 0, MS_REC | MS_SLAVE, 0)) fail_namespaces("mounts", errno);
  if (mount("tmpfs", WORKSHOP, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0755,size=256k"))
    fail_namespaces("mounts", errno);
  make_file(WORKSHOP "/resolv.conf", SERVER);
  make_switch(WORKSHOP "/nsswitch.conf");
  make_hosts(WORKSHOP "/hosts");
  mkdir(WORKSHOP "/empty", 0755);
  mkdir(WORKSHOP "/resolve", 0755);
  make_file(WORKSHOP "/resolve/resolv.conf", SERVER);
  make_file(WORKSHOP "/resolve/stub-resolv.conf", SERVER);
  // systemd-resolved's sockets. /etc/resolv.conf is often a link into this folder.
  cover(WORKSHOP "/resolve", "/run/systemd/resolve");
  cover(WORKSHOP "/resolv.conf", "/etc/resolv.conf");
  cover(WORKSHOP "/nsswitch.conf", "/etc/nsswitch.conf");
  cover(WORKSHOP "/hosts", "/etc/hosts");
  // Sockets of daemons that resolve names for whoever asks.
  static const char *const folders[] = {"/run/nscd", "/var/run/nscd", "/run/avahi-daemon", "/var/run/avahi-daemon"};
  for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) cover(WORKSHOP "/empty", folders[index]);
  if (umount2(WORKSHOP, MNT_DETACH)) fail_namespaces("mounts", errno);
}
