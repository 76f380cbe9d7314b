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

/// Gives a signal back its default action where Swift's runtime has taken it, which it does before `main`, except from
/// callers who ignore it. Its handlers take information of a signal; ours do not, and stay.
static inline void market_restore_signal(int number) {
  struct sigaction known;
  if (sigaction(number, NULL, &known) == 0 && (known.sa_flags & SA_SIGINFO)) signal(number, SIG_DFL);
}

/// Ends the process at a crash without a word. Swift's own handlers print what lies where the registers point to.
static inline void market_silence_crashes(void) {
  static const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  for (unsigned index = 0; index < sizeof crashes / sizeof crashes[0]; index++) market_restore_signal(crashes[index]);
}

#endif
