#ifndef MARKET_CPROCESS_SHIM_H
#define MARKET_CPROCESS_SHIM_H

#include <signal.h>
#include <stddef.h>

#if defined(__linux__)
#include <malloc.h>
#include <sys/prctl.h>

/// Lets all threads share one heap, where each would else grow one of its own, page by page.
static inline void market_share_heap(void) {
#if defined(M_ARENA_MAX)
  mallopt(M_ARENA_MAX, 1);
#endif
}

/// Keeps the memory from programs that gather crashes, which no limit of sizes holds back, and from other programs of the
/// user.
static inline void market_forbid_readers(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Whether they may have it.
static inline int market_allows_readers(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0; }
#else
static inline void market_share_heap(void) {}
static inline void market_forbid_readers(void) {}
static inline int market_allows_readers(void) { return 0; }
#endif

/// Ends the process at a crash without a word. Swift's own handlers print what lies where the registers point to; ours take
/// no information of a signal, and stay.
static inline void market_silence_crashes(void) {
  static const int crashes[] = {SIGQUIT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  for (unsigned index = 0; index < sizeof crashes / sizeof crashes[0]; index++) {
    struct sigaction known;
    if (sigaction(crashes[index], NULL, &known) == 0 && (known.sa_flags & SA_SIGINFO)) signal(crashes[index], SIG_DFL);
  }
}

#endif
