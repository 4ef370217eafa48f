#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>

// Parameters keep the pointers of their names, which Swift's text has for one call only.

/// A public key of these parameters, which are freed; NULL where they make none.
static inline EVP_PKEY *ccrypto_public_key(const char *type, OSSL_PARAM *parameters) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = parameters ? EVP_PKEY_CTX_new_from_name(NULL, type, NULL) : NULL;
  if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  OSSL_PARAM_free(parameters);
  return key;
}

/// A public RSA key of modulus and exponent; NULL where they make none.
static inline EVP_PKEY *ccrypto_rsa_public_key(const BIGNUM *n, const BIGNUM *e) {
  OSSL_PARAM *parameters = NULL;
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  if (builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
    parameters = OSSL_PARAM_BLD_to_param(builder);
  OSSL_PARAM_BLD_free(builder);
  return ccrypto_public_key("RSA", parameters);
}

/// A public key on P-256 of a point (SEC 1, 2.3.3); NULL where it is not of the curve.
static inline EVP_PKEY *ccrypto_p256_public_key(const unsigned char *point, size_t count) {
  OSSL_PARAM *parameters = NULL;
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  if (builder != NULL &&
      OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, SN_X9_62_prime256v1, 0) == 1 &&
      OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1)
    parameters = OSSL_PARAM_BLD_to_param(builder);
  OSSL_PARAM_BLD_free(builder);
  return ccrypto_public_key("EC", parameters);
}
