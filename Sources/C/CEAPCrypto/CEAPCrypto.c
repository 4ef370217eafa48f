#include "CEAPCrypto.h"

// libcrypto 3 marks the functions of a single block as deprecated, and EVP has none.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <dlfcn.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdbool.h>

// The headers' own declarations are the types of what is looked up.
#define FUNCTIONS(each)                                                                            \
  each(EVP_sha1) each(EVP_sha256) each(EVP_Digest) each(HMAC) each(SHA1_Init) each(SHA1_Transform) \
  each(OPENSSL_cleanse) each(EVP_aes_128_cbc) each(EVP_CIPHER_CTX_new) each(EVP_CIPHER_CTX_free)   \
  each(EVP_CIPHER_CTX_set_padding) each(EVP_CipherInit_ex) each(EVP_CipherUpdate) each(ERR_clear_error)

#define FIELD(name) __typeof__(&name) p_##name;
static struct {
  FUNCTIONS(FIELD)
  bool isThere;
} library;

static void load(void) {
  // By the name with the version whose declarations these are.
  void *handle = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  bool isWhole = true;
#define LOOK_UP(name) isWhole = (library.p_##name = (__typeof__(&name))dlsym(handle, #name)) != NULL && isWhole;
  FUNCTIONS(LOOK_UP)
  library.isThere = isWhole;
}

static bool isLoaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  return pthread_once(&once, load) == 0 && library.isThere;
}

static const EVP_MD *hash(size_t count) { return count == 20 ? library.p_EVP_sha1() : library.p_EVP_sha256(); }

int ceap_digest(size_t count, const void *message, size_t length, unsigned char *digest) {
  if (!isLoaded()) return 0;
  const int isDone = library.p_EVP_Digest(message, length, digest, NULL, hash(count), NULL) == 1;
  library.p_ERR_clear_error();
  return isDone;
}

int ceap_code(size_t count, const void *key, size_t keyLength, const void *message, size_t length,
              unsigned char *code) {
  if (keyLength > INT_MAX || !isLoaded()) return 0;
  const int isDone = library.p_HMAC(hash(count), key, (int)keyLength, message, length, code, NULL) != NULL;
  library.p_ERR_clear_error();
  return isDone;
}

int ceap_sha1_compression(const unsigned char block[64], unsigned char state[20]) {
  if (!isLoaded()) return 0;
  SHA_CTX context;
  if (library.p_SHA1_Init(&context) != 1) {
    library.p_ERR_clear_error();
    return 0;
  }
  library.p_SHA1_Transform(&context, block);
  const SHA_LONG words[5] = {context.h0, context.h1, context.h2, context.h3, context.h4};
  for (int place = 0; place < 20; place++) state[place] = (unsigned char)(words[place / 4] >> (24 - 8 * (place % 4)));
  library.p_OPENSSL_cleanse(&context, sizeof context);
  library.p_OPENSSL_cleanse((void *)words, sizeof words);
  return 1;
}

int ceap_cipher(int encrypts, const unsigned char key[16], const unsigned char vector[16],
                const unsigned char *text, size_t length, unsigned char *result) {
  if (length > INT_MAX || length % 16 != 0 || !isLoaded()) return 0;
  int written = 0, isDone = 0;
  EVP_CIPHER_CTX *context = library.p_EVP_CIPHER_CTX_new();
  if (context != NULL) {
    isDone = library.p_EVP_CipherInit_ex(context, library.p_EVP_aes_128_cbc(), NULL, key, vector, encrypts) == 1 &&
             library.p_EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
             library.p_EVP_CipherUpdate(context, result, &written, text, (int)length) == 1 &&
             (size_t)written == length;
    library.p_EVP_CIPHER_CTX_free(context);
  }
  library.p_ERR_clear_error();
  return isDone;
}
