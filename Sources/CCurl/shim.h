#ifndef MARKET_CCURL_SHIM_H
#define MARKET_CCURL_SHIM_H

#include <curl/curl.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#if defined(__linux__)
#include <dlfcn.h>
#elif defined(__APPLE__)
#include <netinet/tcp.h>
#endif

// Every function of libcurl that the program calls, by its name without "curl_".
#define MARKET_CURL_FUNCTIONS(_)                                                                                       \
  _(easy_cleanup) _(easy_getinfo) _(easy_init) _(easy_recv) _(easy_send) _(easy_setopt) _(easy_strerror)               \
  _(multi_add_handle) _(multi_cleanup) _(multi_info_read) _(multi_init) _(multi_perform) _(multi_poll)                 \
  _(multi_remove_handle) _(multi_setopt) _(multi_wakeup)                                                               \
  _(url) _(url_cleanup) _(url_get) _(url_set)                                                                          \
  _(free) _(getdate) _(global_init) _(slist_append) _(slist_free_all) _(version_info)

/// The functions of libcurl, each with the type that its header gives it. Any thread may call them.
///
/// On Linux nothing links libcurl: it comes with some 35 libraries, and mapping them takes the dynamic loader 4 ms of
/// every start, of commands without a network too. So it is opened when it is first needed. On macOS it is part of the
/// shared cache of the system and costs nothing.
typedef struct __attribute__((swift_name("CurlFunctions"), swift_attr("@Sendable"))) {
#define MARKET_CURL_FIELD(name) __typeof__(&curl_##name) name;
  MARKET_CURL_FUNCTIONS(MARKET_CURL_FIELD)
#undef MARKET_CURL_FIELD
} market_curl_functions;

/// Fills the table. NULL, or what is missing, in the words of the system's loader.
static inline const char *market_curl_load(market_curl_functions *functions) {
#if defined(__linux__)
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define MARKET_CURL_FIND(name)                                                                                         \
  if (!(functions->name = (__typeof__(&curl_##name))dlsym(library, "curl_" #name))) return dlerror();
#else
#define MARKET_CURL_FIND(name) functions->name = &curl_##name;
#endif
  MARKET_CURL_FUNCTIONS(MARKET_CURL_FIND)
#undef MARKET_CURL_FIND
  return NULL;
}

// Swift cannot call C functions with variable arguments. Each wrapper below fixes the type of the last argument and
// says so in its name; nothing else happens here.

/// Sets an option whose value is a `long` (switches, milliseconds, counts).
static inline CURLcode market_curl_set_long(market_curl_functions curl, CURL *easy, CURLoption option, long value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets an option whose value is a `curl_off_t` (the options that end in `_LARGE`).
static inline CURLcode market_curl_set_offset(market_curl_functions curl, CURL *easy, CURLoption option, curl_off_t value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets an option whose value is a text; curl copies it. NULL puts the default back or switches the option off.
static inline CURLcode market_curl_set_text(market_curl_functions curl, CURL *easy, CURLoption option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets an option whose value is a pointer that the caller keeps alive (user data, buffers, lists).
static inline CURLcode market_curl_set_pointer(market_curl_functions curl, CURL *easy, CURLoption option, void *value) {
  return curl.easy_setopt(easy, option, value);
}

/// Sets a callback of the shape that CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION share.
static inline CURLcode market_curl_set_sink(market_curl_functions curl, CURL *easy, CURLoption option, curl_write_callback sink) {
  return curl.easy_setopt(easy, option, sink);
}

typedef int (*market_curl_check)(void *data, char *remote, char *local, int remote_port, int local_port);

/// Sets the function that decides, when a connection is ready, whether the request is sent over it: 0 if so, 1 if not.
/// From 7.80 on, else no effect.
static inline void market_curl_set_check(market_curl_functions curl, CURL *easy, market_curl_check check, void *data) {
#if LIBCURL_VERSION_NUM >= 0x075000
  (void)curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, check);
  (void)curl.easy_setopt(easy, CURLOPT_PREREQDATA, data);
#else
  (void)curl, (void)easy, (void)check, (void)data;
#endif
}

/// Counts in `counter` the searches for a name that begin, also of what is an address already.
static inline int market_curl_count_lookup(void *resolver, void *reserved, void *counter) {
  (void)resolver, (void)reserved;
  *(int *)counter += 1;
  return 0;
}

/// Has the searches for names counted.
static inline void market_curl_set_lookup_counter(market_curl_functions curl, CURL *easy, int *counter) {
  (void)curl.easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, market_curl_count_lookup);
  (void)curl.easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, counter);
}

/// Sets the functions that are told of a new socket and that close it, and what each is given.
static inline void market_curl_set_socket_functions(
  market_curl_functions curl, CURL *easy, curl_sockopt_callback take, void *taker, curl_closesocket_callback close,
  void *closer
) {
  (void)curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, take);
  (void)curl.easy_setopt(easy, CURLOPT_SOCKOPTDATA, taker);
  (void)curl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  (void)curl.easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, closer);
}

/// Copies a request body of `count` bytes into the handle. The size comes first, else curl looks for a NUL.
static inline CURLcode market_curl_set_body(market_curl_functions curl, CURL *easy, const void *bytes, curl_off_t count) {
  CURLcode code = curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return code != CURLE_OK ? code : curl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Allows http and https, and nothing else that this libcurl may speak (file, ftp, ldap ...).
static inline CURLcode market_curl_allow_only_http(market_curl_functions curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Lets a transfer end without waiting for the thread that still resolves its name (from 7.87 on, else no effect).
static inline void market_curl_set_quick_exit(market_curl_functions curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  (void)curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

/// Reads a `long` about a transfer: CURLINFO_RESPONSE_CODE and the like.
static inline CURLcode market_curl_get_long(market_curl_functions curl, CURL *easy, CURLINFO info, long *value) {
  return curl.easy_getinfo(easy, info, value);
}

/// Reads a `curl_off_t` about a transfer: the infos that end in `_T`.
static inline CURLcode market_curl_get_offset(market_curl_functions curl, CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl.easy_getinfo(easy, info, value);
}

/// Reads a text about a transfer; it belongs to the handle and lives as long.
static inline CURLcode market_curl_get_text(market_curl_functions curl, CURL *easy, CURLINFO info, char **value) {
  return curl.easy_getinfo(easy, info, value);
}

/// Reads a socket about a transfer: CURLINFO_ACTIVESOCKET.
static inline CURLcode market_curl_get_socket(market_curl_functions curl, CURL *easy, CURLINFO info, curl_socket_t *value) {
  return curl.easy_getinfo(easy, info, value);
}

/// Sets a `long` option of a multi handle.
static inline CURLMcode market_curl_multi_set_long(market_curl_functions curl, CURLM *multi, CURLMoption option, long value) {
  return curl.multi_setopt(multi, option, value);
}

/// Counts the bytes that a TCP socket has received. Negative if the system does not tell.
static inline int64_t market_bytes_received(curl_socket_t socket) {
#if defined(__linux__)
  // The kernel's struct tcp_info has grown since glibc copied it: tcpi_bytes_received is at 128, from Linux 4.1 on.
  const int tcp_info = 11, offset = 128;
  unsigned char info[512];
  socklen_t length = sizeof info;
  uint64_t count;
  if (getsockopt(socket, IPPROTO_TCP, tcp_info, info, &length) != 0 || length < offset + sizeof count) return -1;
  memcpy(&count, info + offset, sizeof count);
  return (int64_t)count;
#elif defined(__APPLE__)
  struct tcp_connection_info info;
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &length) != 0) return -1;
  return (int64_t)info.tcpi_rxbytes;
#else
  (void)socket;
  return -1;
#endif
}

/// Counts the bytes that have been read from a TCP socket: those received, less those that still wait. Others may arrive
/// meanwhile, so these are bounds. False if the system does not tell.
static inline bool market_bytes_read(curl_socket_t socket, int64_t *least, int64_t *most) {
  int before = 0, after = 0;
  if (ioctl(socket, FIONREAD, &before) != 0) return false;
  int64_t received = market_bytes_received(socket);
  if (received < 0 || ioctl(socket, FIONREAD, &after) != 0) return false;
  *least = received - after;
  *most = received - before;
  return true;
}

/// The result code inside a "transfer done" message; Swift does not see into the union.
static inline CURLcode market_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

#endif
