#pragma once
#include <stddef.h>
#include <stdint.h>

// Largest question and answer over UDP (RFC 1035, section 2.3.4).
enum { name_message_bytes = 512 };

// Answers a question. The proxy resolves names, when it is asked for a connection: here, each name
// has an address that stands for it while the command runs.
//
// Returns the answer's length; 0 if the question is none and gets no answer.
size_t names_answer(const uint8_t *question, size_t length, uint8_t answer[name_message_bytes]);

// The name that an address in host order stands for; null for none.
const char *names_of(uint32_t address);
