#ifndef MARKET_CTERMINAL_H
#define MARKET_CTERMINAL_H

#include <stddef.h>
#include <sys/types.h>

// What a live screen needs of the system and what Swift cannot promise: handlers of signals that call nothing but
// async-signal-safe functions (POSIX.1-2017, XSH 2.4.3), and the settings of the terminal that such a handler restores.
//
// One process has one screen: the state is global. Only the thread of the screen calls these functions, but for what says
// otherwise; handlers run on any thread. Where nothing else is said, a function returns 0, or the `errno` of what failed.

// Signals that have come, as bits: `terminal_take_signals`.
#define TERMINAL_SIGNAL_WINDOW 1u
#define TERMINAL_SIGNAL_CONTINUE 2u
#define TERMINAL_SIGNAL_STOP 4u
#define TERMINAL_SIGNAL_INTERRUPT 8u
#define TERMINAL_SIGNAL_TERMINATE 16u
#define TERMINAL_SIGNAL_HANGUP 32u
#define TERMINAL_SIGNAL_QUIT 64u

// What the process has done to the terminal: `terminal_set_screen`.
/// Nothing that would have to be undone.
#define TERMINAL_SCREEN_LEFT 0
/// It has changed the settings; whether the alternate screen is shown is not certain.
#define TERMINAL_SCREEN_ENTERED 1
/// The alternate screen is shown.
#define TERMINAL_SCREEN_SHOWN 2

/// The most bytes that `terminal_prepare_leaving` takes.
#define TERMINAL_LEAVING_LIMIT 512

/// Installs the handlers.
///
/// SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGTERM, SIGHUP and SIGQUIT are noted, and a byte goes into a pipe. A second one
/// of the last four, while the first waits, leaves the screen in the handler and ends the process by it. SIGILL, SIGTRAP,
/// SIGSEGV, SIGBUS, SIGFPE and SIGABRT leave the screen at once and go to whoever handled them before. A signal that the
/// caller had ignored stays ignored, as POSIX wants it of programs under `nohup`.
///
/// @param readable the end of the pipe to be polled.
int terminal_watch_signals(int *readable);

/// Puts back what handled the signals before.
void terminal_unwatch_signals(void);

/// Empties the pipe. Returns the bits of the signals that have come since the last call.
unsigned terminal_take_signals(void);

/// Lets the calling thread be stopped, continued and killed like any other, whatever was blocked when it began: what
/// touches a terminal from the background would else not be stopped, and what traps would not be heard of. Gives it a
/// stack of its own for handlers, so that an overflow of the ordinary one leaves the screen too.
void terminal_prepare_thread(void);

/// Any thread may ask this.
///
/// @return how many bytes the reader of a pipe has yet to read; -1 where that is no pipe, or nobody reads it.
int terminal_unread(int descriptor);

/// Says whether the descriptor is a pipe that nothing reads any more.
int terminal_reader_is_gone(int descriptor);

/// Remembers the terminal and the bytes that leave its screen, for the handlers.
///
/// @param blanking how many of the bytes, from the first on, erase the screen: they are sent only while it is shown, as
/// they would erase the user's own lines on any other.
int terminal_prepare_leaving(int descriptor, const unsigned char *bytes, size_t count, size_t blanking);

/// Says what a handler has to undo. SIGCONT makes a shown screen an entered one, as what ran meanwhile may have left it.
/// Returns what it was before: left, if a handler has undone it.
int terminal_set_screen(int screen);

/// Reads and keeps the terminal's settings, to be restored later.
int terminal_keep_settings(int descriptor);

/// Turns off echo, lines and the translation of bytes; the keys that send signals stay on.
int terminal_make_raw(int descriptor);

/// Turns off echo alone, and forgets what was typed before: lines are still edited by the terminal.
int terminal_hide_typing(int descriptor);

/// Restores the settings that were kept.
int terminal_restore_settings(int descriptor);

/// Stops the process as Ctrl-Z does where no handler is installed; returns once it is continued, or at once where
/// nobody could continue it (an orphaned process group).
void terminal_stop_process(void);

/// Ends the process by a signal, as if no handler had ever been installed.
void terminal_end_by_signal(int signal_number);

/// Writes to the terminal like `write`. Once a thread has crashed, and its handler has left the screen, it never returns:
/// what was still to be written would be on the user's own screen, and the process ends by the crash.
ssize_t terminal_write(int descriptor, const void *bytes, size_t count);

/// The cells of the screen; ENOTTY and the like where they are unknown.
int terminal_size(int descriptor, int *columns, int *rows);

/// 1: the process may read and write the terminal without being stopped; 0: it is in the background.
int terminal_is_foreground(int descriptor);

#endif
