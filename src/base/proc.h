/* Child processes and the clock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

typedef struct {
	const char *path;
	char *const *argv; /* NULL-terminated */
	const int *fds;    /* the child's descriptor i is fds[i]; -1: /dev/null. It has no others */
	unsigned nfds;     /* at most PROC_FDS */
	bool search;       /* for path in PATH */
	bool own_session;  /* it has no terminal: Ctrl-C does not reach it, and it cannot open /dev/tty */
} ProcStart;

enum { PROC_FDS = 8 };

/* The child starts with default signal handlers and nothing blocked. */
bool proc_start(const ProcStart *start, pid_t *pid, Err *err);

/* What starts this program again: GPULAB_WORKER where that is set (a script that finds its libraries, contrib/bundle),
 * else itself. */
const char *proc_self(void);

/* Waits at most `seconds` for the child's end; true: it is gone and *status (may be NULL) is what waitpid said. */
bool proc_wait(pid_t pid, double seconds, int *status);

/* "exited with status 1", "was killed by signal 9 (Killed)". */
void proc_status_text(int status, char *out, size_t size);

/* Seconds of processor time that all its threads have used; 0 where that is not known. */
double proc_computed(pid_t pid);
/* The same with what it has started, and what that has; of those that ended, what they had used. */
double proc_family_computed(pid_t pid);
/* Whether each of its threads waits for something. Not where one could run if the machine let it, is stopped, or waits
 * for a disk. */
bool proc_sleeps(pid_t pid);

/* The system's pages: of 4 KB, on AArch64 also of 16 and 64 KB. */
size_t page_bytes(void);
size_t pages_up(size_t bytes); /* the next multiple */

/* Seconds of a monotonic clock. */
double seconds_now(void);
