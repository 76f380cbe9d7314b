#ifndef MARKET_CCURL_SHIM_H
#define MARKET_CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call C functions with variable arguments. Each wrapper below fixes the type of the last argument and
// says so in its name; nothing else happens here. The name in parentheses keeps curl's type-checking macro away: it
// wants constant options.

/// Sets an option whose value is a `long` (switches, milliseconds, counts).
static inline CURLcode market_curl_set_long(CURL *easy, CURLoption option, long value) {
  return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option whose value is a `curl_off_t` (the options that end in `_LARGE`).
static inline CURLcode market_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option whose value is a text; curl copies it. NULL puts the default back or switches the option off.
static inline CURLcode market_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return (curl_easy_setopt)(easy, option, value);
}

/// Sets an option whose value is a pointer that the caller keeps alive (user data, buffers, lists).
static inline CURLcode market_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return (curl_easy_setopt)(easy, option, value);
}

/// Sets a callback of the shape that CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION share.
static inline CURLcode market_curl_set_sink(CURL *easy, CURLoption option, curl_write_callback sink) {
  return (curl_easy_setopt)(easy, option, sink);
}

/// Copies a request body of `count` bytes into the handle. The size comes first, else curl looks for a NUL.
static inline CURLcode market_curl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
  CURLcode code = (curl_easy_setopt)(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
  return code != CURLE_OK ? code : (curl_easy_setopt)(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Allows http and https, and nothing else that this libcurl may speak (file, ftp, ldap ...).
static inline CURLcode market_curl_allow_only_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Lets a transfer end without waiting for the thread that still resolves its name (from 7.87 on, else no effect).
static inline void market_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  (void)(curl_easy_setopt)(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

/// Reads a `long` about a transfer: CURLINFO_RESPONSE_CODE and the like.
static inline CURLcode market_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return (curl_easy_getinfo)(easy, info, value);
}

/// Reads a `curl_off_t` about a transfer: the infos that end in `_T`.
static inline CURLcode market_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return (curl_easy_getinfo)(easy, info, value);
}

/// Reads a text about a transfer; it belongs to the handle and lives as long.
static inline CURLcode market_curl_get_text(CURL *easy, CURLINFO info, char **value) {
  return (curl_easy_getinfo)(easy, info, value);
}

/// Sets a `long` option of a multi handle.
static inline CURLMcode market_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return (curl_multi_setopt)(multi, option, value);
}

/// The result code inside a "transfer done" message; Swift does not see into the union.
static inline CURLcode market_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

#endif
