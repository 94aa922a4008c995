/* proc.h: child processes by posix_spawn, which stays cheap however much memory the parent holds. */
#include "base/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

size_t page_bytes(void) {
	static size_t bytes;
	if (!bytes) bytes = (size_t)sysconf(_SC_PAGESIZE);
	return bytes;
}

size_t pages_up(size_t bytes) {
	return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

double seconds_now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The child's descriptors are first copied above PROC_FDS, so that putting one in place never overwrites another that
 * is still to be moved. */
static bool copy_high(const ProcStart *start, int *high, Err *err) {
	for (unsigned i = 0; i < start->nfds; i++) {
		high[i] = start->fds[i] < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : start->fds[i];
		int moved = high[i] < 0 ? -1 : fcntl(high[i], F_DUPFD_CLOEXEC, PROC_FDS);
		if (start->fds[i] < 0 && high[i] >= 0) close(high[i]);
		high[i] = moved;
		if (moved < 0) return err_set(err, ERR_SETUP, "no descriptor left for a new process: %s", strerror(errno));
	}
	return true;
}

static void set_attributes(posix_spawnattr_t *attr, bool own_session) {
	sigset_t all, none;
	sigfillset(&all);
	sigemptyset(&none);
	short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
	posix_spawnattr_setsigdefault(attr, &all);
	posix_spawnattr_setsigmask(attr, &none);
	if (own_session) flags |= POSIX_SPAWN_SETSID;
	posix_spawnattr_setflags(attr, flags);
}

bool proc_start(const ProcStart *start, pid_t *pid, Err *err) {
	int high[PROC_FDS];
	for (unsigned i = 0; i < PROC_FDS; i++) high[i] = -1;
	if (start->nfds > PROC_FDS)
		return err_set(err, ERR_USAGE, "a child process takes at most %d descriptors", PROC_FDS);

	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	bool ok = copy_high(start, high, err);
	if (!ok) goto cleanup;
	for (unsigned i = 0; i < start->nfds; i++) posix_spawn_file_actions_adddup2(&actions, high[i], (int)i);
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 34)
	posix_spawn_file_actions_addclosefrom_np(&actions, (int)start->nfds);
#endif
	set_attributes(&attr, start->own_session);
	int failed = (start->search ? posix_spawnp : posix_spawn)(pid, start->path, &actions, &attr, start->argv, environ);
	if (failed) ok = err_set(err, ERR_SETUP, "cannot start %s: %s", start->path, strerror(failed));

cleanup:
	for (unsigned i = 0; i < start->nfds; i++)
		if (high[i] >= 0) close(high[i]);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return ok;
}

const char *proc_self(void) {
	const char *path = getenv("GPULAB_WORKER");
	return path && *path ? path : "/proc/self/exe";
}

bool proc_wait(pid_t pid, double seconds, int *status) {
	enum { SHORTEST_NS = 50000, LONGEST_NS = 2000000 }; /* most are gone at once */
	struct timespec nap = {.tv_nsec = SHORTEST_NS};
	const double until = seconds_now() + seconds;
	int unused;
	for (;;) {
		pid_t got = waitpid(pid, status ? status : &unused, WNOHANG);
		if (got == pid) return true;
		if (got < 0 && errno == ECHILD) { /* another waitpid has reaped it: its status is lost */
			if (status) *status = 0;
			return true;
		}
		if (seconds_now() >= until) return false;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < LONGEST_NS) nap.tv_nsec *= 2;
	}
}

/* --- what it does ------------------------------------------------------------------------------------------------- */

enum { PROC_TEXT = 1024 };

double proc_computed(pid_t pid) {
	clockid_t clock;
	struct timespec t;
	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What /proc says in a file of the process, or of its thread tid. */
static const char *read_about(pid_t pid, const char *tid, const char *file, char text[PROC_TEXT]) {
	char path[80];
	snprintf(path, sizeof path, "/proc/%d/%s%.20s/%s", (int)pid, *tid ? "task/" : ".", tid, file);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, text, PROC_TEXT - 1);
	if (fd >= 0) close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* What follows the name, which may contain anything: the state, and numbers. */
static const char *after_name(const char *stat) {
	const char *end = strrchr(stat, ')');
	return end && end[1] == ' ' ? end + 2 : "";
}

/* Calls `each` with the number of each thread, until it says no. */
static bool each_thread(pid_t pid, bool (*each)(pid_t pid, const char *tid, void *user), void *user) {
	char path[32];
	bool more = true;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *task = opendir(path);
	for (struct dirent *e; task && more && (e = readdir(task));)
		if (e->d_name[0] != '.') more = each(pid, e->d_name, user);
	if (task) closedir(task);
	return more;
}

static bool thread_sleeps(pid_t pid, const char *tid, void *user) {
	char text[PROC_TEXT];
	return !strchr("RDTt", *after_name(read_about(pid, tid, "stat", text))) || !*text;
}

bool proc_sleeps(pid_t pid) {
	return each_thread(pid, thread_sleeps, NULL);
}

static bool add_children(pid_t pid, const char *tid, void *sum) {
	char text[PROC_TEXT], *rest;
	const char *at = read_about(pid, tid, "children", text);
	for (long child; (child = strtol(at, &rest, 10)) > 0; at = rest)
		*(double *)sum += proc_family_computed((pid_t)child);
	return true;
}

double proc_family_computed(pid_t pid) {
	char text[PROC_TEXT];
	unsigned long ended[2] = {0, 0};
	sscanf(after_name(read_about(pid, "", "stat", text)), "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
		   &ended[0], &ended[1]);
	double sum = proc_computed(pid) + (double)(ended[0] + ended[1]) / (double)sysconf(_SC_CLK_TCK);
	each_thread(pid, add_children, &sum);
	return sum;
}

void proc_status_text(int status, char *out, size_t size) {
	if (WIFSIGNALED(status))
		snprintf(out, size, "was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "exited with status %d", WEXITSTATUS(status));
}
