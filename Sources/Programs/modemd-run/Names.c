#define _GNU_SOURCE
#include "Names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "Network.h"

enum {
  header_bytes = 12,
  most_names = last_name_address - first_name_address + 1,
  // A power of two, more than twice as many.
  places = 1 << 18,
  // What an answer is good for. An address never comes to stand for another name.
  seconds = 60,
  // RFC 1035, section 4.1.1.
  no_error = 0, server_failure = 2, no_such_name = 3, not_implemented = 4,
  type_address = 1, class_internet = 1,
};

static char *names[most_names];
static uint32_t count;
// By their names: the index of each, plus 1.
static uint32_t table[places];

static uint32_t hash(const char *name) {
  uint32_t value = 2166136261u;
  for (; *name; name++) value = (value ^ (uint8_t)*name) * 16777619u;
  return value & (places - 1);
}

// The address that stands for a name; 0 if there is no more room.
static uint32_t address_of(const char *name) {
  uint32_t place = hash(name);
  for (; table[place]; place = (place + 1) & (places - 1))
    if (!strcmp(names[table[place] - 1], name)) return first_name_address + table[place] - 1;
  if (count == most_names || !(names[count] = strdup(name))) return 0;
  table[place] = ++count;
  return first_name_address + count - 1;
}

const char *names_of(uint32_t address) {
  if (address < first_name_address || address - first_name_address >= count) return 0;
  return names[address - first_name_address];
}

// Reads the question's name into text of 256 bytes. Its length in the message, or 0 for a name that
// no host has: the name comes into a line of a request.
static size_t read_name(const uint8_t *from, size_t length, char *text, bool *is_host) {
  size_t at = 0, end = 0;
  *is_host = true;
  while (at < length && from[at]) {
    size_t label = from[at++];
    // Compressed names have nothing to refer to in a question.
    if (label > 63 || at + label > length || end + label + 1 > 254) return 0;
    if (end) text[end++] = '.';
    for (size_t index = 0; index < label; index++) {
      uint8_t byte = from[at + index];
      if (!isalnum(byte) && byte != '-' && byte != '_') *is_host = false;
      text[end++] = (char)tolower(byte);
    }
    at += label;
  }
  if (at == length) return 0;
  text[end] = 0;
  if (!end) *is_host = false;
  return at + 1;
}

static bool is_local(const char *name) {
  size_t length = strlen(name);
  return !strcmp(name, "localhost") || (length > 10 && !strcmp(name + length - 10, ".localhost"));
}

static size_t finish(uint8_t *answer, size_t length, uint8_t code, uint8_t answers) {
  // An answer, recursion available; what was asked of recursion stays.
  answer[2] = (answer[2] & 0x79) | 0x80;
  answer[3] = 0x80 | code;
  memset(answer + 6, 0, 6);
  answer[7] = answers;
  return length;
}

size_t names_answer(const uint8_t *question, size_t length, uint8_t answer[name_message_bytes]) {
  if (length < header_bytes || question[2] & 0x80) return 0;
  memcpy(answer, question, header_bytes);
  // One question of the usual kind; an additional record (EDNS) is ignored.
  if (question[2] & 0x78 || question[4] || question[5] != 1) {
    answer[5] = 0;
    return finish(answer, header_bytes, not_implemented, 0);
  }
  char name[256];
  bool is_host;
  const uint8_t *from = question + header_bytes;
  size_t size = read_name(from, length - header_bytes, name, &is_host);
  if (!size || length < header_bytes + size + 4) {
    answer[5] = 0;
    return finish(answer, header_bytes, 1, 0);
  }
  memcpy(answer + header_bytes, from, size + 4);
  size_t end = header_bytes + size + 4;
  if (!is_host) return finish(answer, end, no_such_name, 0);
  const uint8_t *kind = from + size;
  if (kind[0] || kind[1] != type_address || kind[2] || kind[3] != class_internet)
    return finish(answer, end, no_error, 0);
  uint32_t address = is_local(name) ? 0x7f000001 : address_of(name);
  if (!address) return finish(answer, end, server_failure, 0);
  const uint8_t record[16] = {0xc0, header_bytes, 0, type_address, 0, class_internet, 0, 0, 0, seconds, 0, 4,
                              (uint8_t)(address >> 24), (uint8_t)(address >> 16), (uint8_t)(address >> 8),
                              (uint8_t)address};
  memcpy(answer + end, record, sizeof record);
  return finish(answer, end + sizeof record, no_error, 1);
}
