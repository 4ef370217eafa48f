#pragma once
#include <stddef.h>

// The hashes and the cipher of EAP-AKA, of libcrypto. It is loaded with the first use: a port that
// is not asked to log in does without it, and starts without the 4,000 names that it resolves.
// Each function returns 1 on success, and 0 where libcrypto refuses or is not there. Hashes are
// those with 20 bytes (SHA-1) and with 32 (SHA-256).

/// A digest of `count` bytes.
int ceap_digest(size_t count, const void *message, size_t length, unsigned char *digest);

/// HMAC (RFC 2104) with the hash of `count` bytes.
int ceap_code(size_t count, const void *key, size_t keyLength, const void *message, size_t length,
              unsigned char *code);

/// SHA-1's compression of one block (FIPS 180-4, 6.1.2) from its first state, without padding: 20
/// bytes.
int ceap_sha1_compression(const unsigned char block[64], unsigned char state[20]);

/// AES-128-CBC (NIST SP 800-38A) of whole blocks, without padding.
int ceap_cipher(int encrypts, const unsigned char key[16], const unsigned char vector[16],
                const unsigned char *text, size_t length, unsigned char *result);
