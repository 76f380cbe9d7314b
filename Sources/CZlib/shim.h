#ifndef MARKET_CZLIB_SHIM_H
#define MARKET_CZLIB_SHIM_H

#include <stddef.h>

#if defined(__linux__)
#include <dlfcn.h>
#endif

// What the program calls of zlib, declared here: the library is in every system that has libcurl, its header is not. All of
// it is as it has been since zlib 1.2.0 of 2003.

/// zlib's `z_stream`: what goes in and comes out of a decompression.
typedef struct __attribute__((swift_name("ZlibStream"))) {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *zalloc;
  void *zfree;
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} market_zlib_stream;

// Results of `inflate`.
static const int market_zlib_ok = 0;
static const int market_zlib_stream_end = 1;

#if !defined(__linux__)
int inflateInit2_(market_zlib_stream *stream, int windowBits, const char *version, int streamSize);
int inflate(market_zlib_stream *stream, int flush);
int inflateReset(market_zlib_stream *stream);
int inflateEnd(market_zlib_stream *stream);
#endif

/// The functions of zlib that undo a compression, which any thread may call. On Linux it is opened when it is first needed, as libcurl is.
typedef struct __attribute__((swift_name("ZlibFunctions"), swift_attr("@Sendable"))) {
  int (*init)(market_zlib_stream *stream, int windowBits, const char *version, int streamSize);
  int (*inflate)(market_zlib_stream *stream, int flush);
  int (*reset)(market_zlib_stream *stream);
  int (*end)(market_zlib_stream *stream);
} market_zlib_functions;

/// Fills the table. NULL, or what is missing, in the words of the system's loader.
static inline const char *market_zlib_load(market_zlib_functions *functions) {
#if defined(__linux__)
  void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define MARKET_ZLIB_FIND(field, name)                                                                                  \
  if (!(functions->field = (__typeof__(functions->field))dlsym(library, #name))) return dlerror();
#else
#define MARKET_ZLIB_FIND(field, name) functions->field = &name;
#endif
  MARKET_ZLIB_FIND(init, inflateInit2_)
  MARKET_ZLIB_FIND(inflate, inflate)
  MARKET_ZLIB_FIND(reset, inflateReset)
  MARKET_ZLIB_FIND(end, inflateEnd)
#undef MARKET_ZLIB_FIND
  return NULL;
}

/// Prepares a stream for data with a window of this size, which also says what is around it: see zlib's `inflateInit2`.
static inline int market_zlib_begin(market_zlib_functions zlib, market_zlib_stream *stream, int windowBits) {
  // Of the version only the first number counts.
  return zlib.init(stream, windowBits, "1.2.0", (int)sizeof(*stream));
}

#endif
