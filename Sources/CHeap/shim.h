#ifndef MARKET_CHEAP_SHIM_H
#define MARKET_CHEAP_SHIM_H

#if defined(__linux__)
#include <malloc.h>

/// Lets all threads share one heap, where each would else grow one of its own, page by page.
static inline void market_share_heap(void) {
#if defined(M_ARENA_MAX)
  mallopt(M_ARENA_MAX, 1);
#endif
}
#else
static inline void market_share_heap(void) {}
#endif

#endif
