#ifndef MARKET_CCRYPTO_SHIM_H
#define MARKET_CCRYPTO_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

// What the program calls of OpenSSL's libcrypto, declared here: the library is in every system whose libcurl speaks TLS
// by OpenSSL, its header is not. All of it is as it has been since OpenSSL 1.1.1 of 2018.

/// The functions of libcrypto that sign requests, which any thread may call. It is opened when the first request is to be
/// signed: nobody else pays for it.
typedef struct __attribute__((swift_name("CryptoFunctions"), swift_attr("@Sendable"))) {
  const void *(*md5)(void);
  const void *(*sha256)(void);
  const void *(*sha384)(void);
  const void *(*sha512)(void);
  int (*digest)(const void *data, size_t count, unsigned char *digest, unsigned int *size, const void *type, void *engine);
  unsigned char *(*hmac)(const void *type, const void *key, int keyCount, const unsigned char *data, size_t count,
                         unsigned char *code, unsigned int *codeCount);
  void *(*newKey)(int type, void *engine, const unsigned char *seed, size_t count);
  void (*freeKey)(void *key);
  void *(*newContext)(void);
  void (*freeContext)(void *context);
  int (*beginSigning)(void *context, void **keyContext, const void *type, void *engine, void *key);
  int (*sign)(void *context, unsigned char *signature, size_t *size, const unsigned char *data, size_t count);
} market_crypto_functions;

/// EVP_PKEY_ED25519.
static const int market_crypto_ed25519 = 1087;

/// Fills the table from the first library that is there. NULL, or what is missing, in the words of the system's loader.
static inline const char *market_crypto_load(market_crypto_functions *functions) {
#if defined(__linux__)
  static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
#else
  // The system's own must not be opened without its version, and has no Ed25519: Homebrew's is.
  static const char *const names[] = {"/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
                                      "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
                                      "/opt/local/libexec/openssl3/lib/libcrypto.3.dylib"};
#endif
  void *library = NULL;
  for (size_t index = 0; !library && index < sizeof(names) / sizeof(names[0]); ++index)
    library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
#if defined(__linux__)
  if (!library) return dlerror();
#else
  // The loader would speak of the last place alone.
  if (!library) return "no libcrypto of OpenSSL 3 (Homebrew or MacPorts)";
#endif
#define MARKET_CRYPTO_FIND(field, name)                                                                                \
  if (!(functions->field = (__typeof__(functions->field))dlsym(library, #name))) return dlerror();
  MARKET_CRYPTO_FIND(md5, EVP_md5)
  MARKET_CRYPTO_FIND(sha256, EVP_sha256)
  MARKET_CRYPTO_FIND(sha384, EVP_sha384)
  MARKET_CRYPTO_FIND(sha512, EVP_sha512)
  MARKET_CRYPTO_FIND(digest, EVP_Digest)
  MARKET_CRYPTO_FIND(hmac, HMAC)
  MARKET_CRYPTO_FIND(newKey, EVP_PKEY_new_raw_private_key)
  MARKET_CRYPTO_FIND(freeKey, EVP_PKEY_free)
  MARKET_CRYPTO_FIND(newContext, EVP_MD_CTX_new)
  MARKET_CRYPTO_FIND(freeContext, EVP_MD_CTX_free)
  MARKET_CRYPTO_FIND(beginSigning, EVP_DigestSignInit)
  MARKET_CRYPTO_FIND(sign, EVP_DigestSign)
#undef MARKET_CRYPTO_FIND
  return NULL;
}

#endif
