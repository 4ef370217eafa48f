#define _GNU_SOURCE
#include "Messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_line(const char *format, va_list arguments) {
  char line[2048] = "modemctl run: ";
  size_t start = strlen(line);
  int length = vsnprintf(line + start, sizeof line - start - 1, format, arguments);
  if (length < 0) return;
  size_t end = start + (size_t)length;
  if (end > sizeof line - 2) end = sizeof line - 2;
  for (size_t index = start; index < end; index++) {
    unsigned char byte = (unsigned char)line[index];
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) line[index] = '?';
  }
  line[end] = '\n';
  ssize_t written = write(2, line, end + 1);
  (void)written;
}

void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
  exit(status_of_run);
}
