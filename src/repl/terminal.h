/* The terminal, given back as it was found by whatever ends or stops the program. */
#pragma once

#include <stdbool.h>

/* Saves the terminal's modes, and what SIGTERM, SIGHUP and SIGQUIT do after they are back. Once, at the beginning. */
void terminal_open(void);

/* From here on the terminal is ours: without lines and echo. `leave` is written to it when a signal ends the
 * program. */
void terminal_taken(const char *leave);
void terminal_given_back(void);
void terminal_leave(void); /* as such a signal does; for a handler of another one */

/* SIGTSTP, SIGCONT and SIGWINCH between the two calls: they are blocked, to be unblocked by a wait that then checks
 * what happened. */
void terminal_watch(void);
void terminal_watch_no_more(void);
/* Since the last call: Ctrl-Z was pressed, the program goes on after a stop, the window has another size. */
bool terminal_stop_wanted(void);
bool terminal_continued(void);
bool terminal_resized(void);
/* Stops as Ctrl-Z does elsewhere; returns when the shell says fg. */
void terminal_stop(void);
