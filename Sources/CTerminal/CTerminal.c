#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

// MARK: - State

// A handler may only touch lock-free atomics and what was written before it was installed.

static atomic_uint pending_signals;
static atomic_int ends_wanted;
static atomic_int current_screen;
static atomic_int has_settings;
static atomic_int has_crashed;
static atomic_int is_writing;

static int pipe_ends[2] = {-1, -1};
static int terminal_descriptor = -1;
static struct termios kept_settings;
static unsigned char leaving_bytes[TERMINAL_LEAVING_LIMIT];
static size_t leaving_count;
static size_t blanking_count;

struct watched {
  int number;
  unsigned bit;
  struct sigaction before;
  int is_installed;
};

static struct watched noted[] = {
    {SIGWINCH, TERMINAL_SIGNAL_WINDOW, {{0}}, 0},  {SIGCONT, TERMINAL_SIGNAL_CONTINUE, {{0}}, 0},
    {SIGTSTP, TERMINAL_SIGNAL_STOP, {{0}}, 0},     {SIGINT, TERMINAL_SIGNAL_INTERRUPT, {{0}}, 0},
    {SIGTERM, TERMINAL_SIGNAL_TERMINATE, {{0}}, 0}, {SIGHUP, TERMINAL_SIGNAL_HANGUP, {{0}}, 0},
    // Swift's own handler would print a crash report.
    {SIGQUIT, TERMINAL_SIGNAL_QUIT, {{0}}, 0},
};

static struct watched fatal[] = {
    {SIGILL, 0, {{0}}, 0}, {SIGTRAP, 0, {{0}}, 0}, {SIGSEGV, 0, {{0}}, 0},
    {SIGBUS, 0, {{0}}, 0}, {SIGFPE, 0, {{0}}, 0},  {SIGABRT, 0, {{0}}, 0},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ENDING \
  (TERMINAL_SIGNAL_INTERRUPT | TERMINAL_SIGNAL_TERMINATE | TERMINAL_SIGNAL_HANGUP | TERMINAL_SIGNAL_QUIT)

// MARK: - Handlers

/// Leaves the screen by async-signal-safe calls only. A terminal that takes nothing for a tenth of a second is given
/// up.
static void leave_in_handler(void) {
  int screen = atomic_exchange(&current_screen, TERMINAL_SCREEN_LEFT);
  if (screen == TERMINAL_SCREEN_LEFT || !terminal_is_foreground(terminal_descriptor)) return;
  // The loop may be about to blank and leave the screen itself. Blanked after it is left, the user's own lines are lost.
  if (screen == TERMINAL_SCREEN_ENTERED) poll(NULL, 0, 20);
  size_t sent = screen == TERMINAL_SCREEN_SHOWN ? 0 : blanking_count;
  for (int tries = 0; sent < leaving_count && tries < 10;) {
    ssize_t count = write(terminal_descriptor, leaving_bytes + sent, leaving_count - sent);
    if (count > 0) {
      sent += (size_t)count;
    } else if (count < 0 && errno == EAGAIN) {
      struct pollfd writable = {terminal_descriptor, POLLOUT, 0};
      poll(&writable, 1, 10);
      tries++;
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  if (atomic_load(&has_settings)) {
    // Replies to our questions that nobody will read must not reach the shell. Not TCSAFLUSH: it waits for the output.
    tcflush(terminal_descriptor, TCIFLUSH);
    tcsetattr(terminal_descriptor, TCSANOW, &kept_settings);
  }
}

/// Hands a signal to its default action, on this thread.
static void raise_by_default(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
}

static void note_signal(int number) {
  int saved = errno;
  for (size_t index = 0; index < COUNT(noted); index++) {
    if (noted[index].number != number) continue;
    if ((noted[index].bit & ENDING) && atomic_fetch_add(&ends_wanted, 1) > 0) {
      leave_in_handler();
      raise_by_default(number);
    }
    if (noted[index].bit & TERMINAL_SIGNAL_CONTINUE) {
      int shown = TERMINAL_SCREEN_SHOWN;
      atomic_compare_exchange_strong(&current_screen, &shown, TERMINAL_SCREEN_ENTERED);
    }
    atomic_fetch_or(&pending_signals, noted[index].bit);
  }
  // A full pipe is as good as a byte more: the loop wakes either way.
  ssize_t ignored = write(pipe_ends[1], "", 1);
  (void)ignored;
  errno = saved;
}

static void handle_fatal(int number) {
  int saved = errno;
  // The thread of the screen goes on while another one crashes, for seconds if a report is written.
  atomic_store(&has_crashed, 1);
  for (int tries = 0; atomic_load(&is_writing) && tries < 20; tries++) poll(NULL, 0, 1);
  leave_in_handler();
#if defined(__linux__)
  // A process whose memory nobody may read holds a secret, which must not be printed either.
  if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0) raise_by_default(number);
#endif
  for (size_t index = 0; index < COUNT(fatal); index++) {
    if (fatal[index].number == number) sigaction(number, &fatal[index].before, NULL);
  }
  errno = saved;
  // SA_NODEFER is set, so whoever handled it before gets it here and now; by default that is the end.
  raise(number);
}

// MARK: - Watching

static void install(struct watched *signals, size_t count, void (*handler)(int), int flags) {
  for (size_t index = 0; index < count; index++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    if (sigaction(signals[index].number, NULL, &signals[index].before) != 0) continue;
    int is_handled = (signals[index].before.sa_flags & SA_SIGINFO) != 0;
    if (!is_handled && signals[index].before.sa_handler == SIG_IGN) continue;
    signals[index].is_installed = sigaction(signals[index].number, &action, NULL) == 0;
  }
}

static void uninstall(struct watched *signals, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (signals[index].is_installed) sigaction(signals[index].number, &signals[index].before, NULL);
    signals[index].is_installed = 0;
  }
}

int terminal_watch_signals(int *readable) {
  if (pipe_ends[0] < 0) {
    int ends[2];
    if (pipe(ends) != 0) return errno;
    for (int index = 0; index < 2; index++) {
      fcntl(ends[index], F_SETFL, O_NONBLOCK);
      fcntl(ends[index], F_SETFD, FD_CLOEXEC);
      pipe_ends[index] = ends[index];
    }
  }
  *readable = pipe_ends[0];
  atomic_store(&pending_signals, 0);
  atomic_store(&ends_wanted, 0);
  atomic_store(&has_crashed, 0);
  install(noted, COUNT(noted), note_signal, SA_RESTART);
  install(fatal, COUNT(fatal), handle_fatal, SA_NODEFER | SA_ONSTACK);
  return 0;
}

void terminal_unwatch_signals(void) {
  uninstall(noted, COUNT(noted));
  uninstall(fatal, COUNT(fatal));
}

unsigned terminal_take_signals(void) {
  char bytes[64];
  while (read(pipe_ends[0], bytes, sizeof bytes) > 0) {
  }
  return atomic_exchange(&pending_signals, 0);
}

void terminal_prepare_thread(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTSTP);
  sigaddset(&signals, SIGTTIN);
  sigaddset(&signals, SIGTTOU);
  for (size_t index = 0; index < COUNT(fatal); index++) sigaddset(&signals, fatal[index].number);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);

  stack_t before;
  if (sigaltstack(NULL, &before) != 0 || !(before.ss_flags & SS_DISABLE)) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_size = 64 * 1024;
  // Never freed: the handler may run until the process ends.
  stack.ss_sp = malloc(stack.ss_size);
  if (stack.ss_sp != NULL) sigaltstack(&stack, NULL);
}

void terminal_stop_process(void) {
  struct sigaction ours;
  sigaction(SIGTSTP, NULL, &ours);
  raise_by_default(SIGTSTP);
  sigaction(SIGTSTP, &ours, NULL);
}

void terminal_end_by_signal(int signal_number) {
  terminal_unwatch_signals();
  raise_by_default(signal_number);
}

ssize_t terminal_write(int descriptor, const void *bytes, size_t count) {
  atomic_store(&is_writing, 1);
  if (atomic_load(&has_crashed)) {
    atomic_store(&is_writing, 0);
    for (;;) poll(NULL, 0, 1000);
  }
  ssize_t written = write(descriptor, bytes, count);
  int problem = errno;
  atomic_store(&is_writing, 0);
  errno = problem;
  return written;
}

// MARK: - Settings

int terminal_prepare_leaving(int descriptor, const unsigned char *bytes, size_t count, size_t blanking) {
  if (count > sizeof leaving_bytes || blanking > count) return E2BIG;
  terminal_descriptor = descriptor;
  memcpy(leaving_bytes, bytes, count);
  leaving_count = count;
  blanking_count = blanking;
  return 0;
}

int terminal_set_screen(int screen) {
  return atomic_exchange(&current_screen, screen);
}

int terminal_keep_settings(int descriptor) {
  struct termios settings;
  if (tcgetattr(descriptor, &settings) != 0) return errno;
  atomic_store(&has_settings, 0);
  kept_settings = settings;
  atomic_store(&has_settings, 1);
  return 0;
}

int terminal_make_raw(int descriptor) {
  struct termios raw = kept_settings;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | IGNCR | INLCR | INPCK | ISTRIP | IXON | PARMRK);
  raw.c_oflag &= ~(tcflag_t)OPOST;
  raw.c_cflag |= CS8;
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
  // With VMIN 1 a read of nothing means the end of the input, and no byte yet is EAGAIN.
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  while (tcsetattr(descriptor, TCSANOW, &raw) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int terminal_hide_typing(int descriptor) {
  struct termios hidden = kept_settings;
  hidden.c_iflag |= ICRNL;
  hidden.c_lflag |= ICANON | ISIG;
  hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
  while (tcsetattr(descriptor, TCSAFLUSH, &hidden) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int terminal_restore_settings(int descriptor) {
  if (!atomic_load(&has_settings)) return 0;
  while (tcsetattr(descriptor, TCSANOW, &kept_settings) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// MARK: - Asking

int terminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return errno;
  if (size.ws_col == 0 || size.ws_row == 0) return ENOTTY;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int terminal_is_foreground(int descriptor) {
  pid_t group = tcgetpgrp(descriptor);
  // A terminal that does not control the process never stops it either.
  if (group < 0) return errno == ENOTTY;
  return group == getpgrp();
}

// MARK: - Pipes

static int is_pipe(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

int terminal_reader_is_gone(int descriptor) {
  // macOS watches a descriptor only for what is asked of it, and tells a lost reader by POLLHUP.
  struct pollfd waited = {descriptor, POLLOUT, 0};
  return is_pipe(descriptor) && poll(&waited, 1, 0) > 0 && (waited.revents & (POLLERR | POLLHUP)) != 0;
}

int terminal_unread(int descriptor) {
  if (!is_pipe(descriptor) || terminal_reader_is_gone(descriptor)) return -1;
#if defined(__APPLE__)
  // FIONREAD counts what the end itself could read, which is nothing; the size is what the other end has yet to read.
  struct stat status;
  return fstat(descriptor, &status) == 0 ? (int)status.st_size : -1;
#else
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
#endif
}
