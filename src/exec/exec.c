/* exec.h: starts the program, and serves each of its processes that uses CUDA, one call at a time. */
#include "exec/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/vec.h"
#include "exec/calls.h"
#include "exec/session.h"
#include "wire/join.h"

typedef struct {
	const ExecOptions *options;
	ExecResult *result;
	char name[JOIN_NAME]; /* where processes connect */
	int listener;
	int life; /* a lock on it can be had when no process has what the program inherited */
	pid_t pid;
	int ended;           /* a pidfd of the program, or -1 on older kernels */
	bool over;           /* the program, not what it forked */
	double asked_to_end; /* when Ctrl-C or a signal came; 0: none has */
	VEC(Session *) sessions;
} Run;

/* --- starting it -------------------------------------------------------------------------------------------------- */

/* The folder of our libcudart: next to this program as it was built, or where it was installed. */
static bool library_folder(char *out, size_t size, Err *err) {
	static const char *const places[] = {"exec", "../lib/gpulab"};
	char self[3072], file[4096];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0) {
		err_set(err, ERR_SETUP, "/proc is not mounted: gpulab starts its workers from there");
		return err_hint(err, "mount -t proc proc /proc");
	}
	self[n] = 0;
	char *slash = strrchr(self, '/');
	if (slash) *slash = 0;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(out, size, "%.3000s/%s", self, places[i]);
		snprintf(file, sizeof file, "%s/libcudart.so.13", out);
		if (access(file, R_OK) != 0) continue;
		if (!strpbrk(out, ":;")) return true;
		err_set(err, ERR_SETUP, "%s: the loader finds no library in a folder with a colon or semicolon", out);
		return err_hint(err, "install gpulab in a folder without these characters");
	}
	return err_set(err, ERR_SETUP, "gpulab's CUDA runtime for programs, libcudart.so.13, is not next to %s", self);
}

static bool is_program(const char *path, Err *err) {
	struct stat about;
	if (stat(path, &about) < 0 || !S_ISREG(about.st_mode)) return err_set(err, ERR_SETUP, "%s: no such program", path);
	return (about.st_size && access(path, R_OK | X_OK) == 0) ||
		   err_set(err, ERR_SETUP, "%s is not a program that can be run", path);
}

/* Adds the text at the front or at the end. Returns what there was, which put_back takes; NULL: nothing. */
static char *put_at(bool front, const char *variable, const char *text, char separator) {
	const char *there = getenv(variable);
	char *old = there ? xstrdup(there) : NULL;
	AUTO_STR Str value = {0};
	if (old && *old && !front) str_addf(&value, "%s%c", old, separator);
	str_add(&value, text);
	if (old && *old && front) str_addf(&value, "%c%s", separator, old);
	setenv(variable, value.text, 1);
	return old;
}

static void put_back(const char *variable, char *old) {
	if (old)
		setenv(variable, old, 1);
	else
		unsetenv(variable);
	free(old);
}

/* Memory of no contents, whose lock every process has that inherited it. Its own descriptor of it is to see that. */
static int open_life(int *watch, unsigned long *inode, Err *err) {
	struct stat about = {0};
	char path[64];
	const int life = memfd_create("gpulab-exec", MFD_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", life);
	*watch = life < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
	if (*watch < 0 || flock(life, LOCK_SH) < 0 || fstat(life, &about) < 0)
		err_set(err, ERR_SETUP, "no descriptor for the program: %s", strerror(errno));
	*inode = about.st_ino;
	return life;
}

/* A blank or a colon ends a name in LD_PRELOAD. A name without its folder is looked for in LD_LIBRARY_PATH, where a
 * blank ends nothing. */
static const char *preloaded(const char *library) {
	return strpbrk(library, " :") ? strrchr(library, '/') + 1 : library;
}

static bool start(Run *r, Err *err) {
	char folder[4000], library[4096], joining[JOIN_NAME + 32];
	unsigned long inode;
	if (!library_folder(folder, sizeof folder, err)) return false;
	const int life = open_life(&r->life, &inode, err);
	const int fds[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, [EXEC_LIFE] = life};
	snprintf(library, sizeof library, "%s/libcudart.so.%s", folder, r->options->cuda_12 ? "12" : "13");
	snprintf(joining, sizeof joining, "%s,%lu", r->name, inode);
	/* A library that the user preloads may wrap the runtime's functions: it comes before ours, as on a GPU. */
	char *preload = put_at(false, "LD_PRELOAD", preloaded(library), ' '),
		 *path = put_at(true, "LD_LIBRARY_PATH", folder, ':');
	setenv(EXEC_VARIABLE, joining, 1);
	const ProcStart how = {.path = r->options->program, .argv = r->options->argv, .fds = fds, .nfds = EXEC_LIFE + 1};
	const bool ok = inode && proc_start(&how, &r->pid, err);
	unsetenv(EXEC_VARIABLE);
	put_back("LD_PRELOAD", preload);
	put_back("LD_LIBRARY_PATH", path);
	if (life >= 0) close(life);
	r->ended = ok ? (int)syscall(SYS_pidfd_open, r->pid, 0) : -1;
	return ok;
}

/* --- serving it --------------------------------------------------------------------------------------------------- */

static void admit(Run *r) {
	Err err = ERR_INIT;
	pid_t process;
	const int connection = join_accept(r->listener, &process);
	if (connection < 0) return;
	Session *s = session_open(r->options, r->result, connection, process, &err);
	join_answer(connection, s ? session_memory(s) : -1, s ? "" : err.what);
	if (s)
		vec_push(&r->sessions, s);
	else
		close(connection);
}

static void end_session(Run *r, size_t i) {
	session_close(r->sessions.data[i]);
	r->sessions.data[i] = vec_last(&r->sessions);
	r->sessions.len--;
}

static bool look_for_end(Run *r, bool ended) {
	if (!r->over && ended) r->over = waitpid(r->pid, &r->result->status, WNOHANG) != 0;
	if (r->over) admit(r); /* whoever connected before that */
	return r->over && !r->sessions.len && flock(r->life, LOCK_EX | LOCK_NB) == 0;
}

/* Something has come, or after a while: not everything that may end can be waited for. */
static void wait_for_calls(const Run *r, struct pollfd *at) {
	enum { WHILE_MS = 20 };
	const bool all = !r->asked_to_end && (r->over ? r->sessions.len != 0 : r->ended >= 0);
	at[0] = (struct pollfd){.fd = r->listener, .events = POLLIN};
	at[1] = (struct pollfd){.fd = r->over ? -1 : r->ended, .events = POLLIN};
	for (size_t i = 0; i < r->sessions.len; i++)
		at[i + 2] = (struct pollfd){.fd = session_connection(r->sessions.data[i]), .events = POLLIN};
	if (poll(at, r->sessions.len + 2, all ? -1 : WHILE_MS) < 0)
		for (size_t i = 0; i < r->sessions.len + 2; i++) at[i].revents = 0;
}

/* --- ending it ---------------------------------------------------------------------------------------------------- */

static const int endings[] = {SIGTERM, SIGHUP};
enum { NENDINGS = sizeof endings / sizeof *endings };
static volatile sig_atomic_t ending; /* the signal that ends gpulab, which first ends the program */

static void note_ending(int sig) {
	ending = sig;
}

static void catch_endings(struct sigaction before[NENDINGS]) {
	const struct sigaction note = {.sa_handler = note_ending};
	ending = 0;
	for (int i = 0; i < NENDINGS; i++) sigaction(endings[i], &note, &before[i]);
}

static void put_endings_back(const struct sigaction before[NENDINGS]) {
	for (int i = 0; i < NENDINGS; i++) sigaction(endings[i], &before[i], NULL);
	if (ending) raise(ending);
}

/* Ctrl-C reaches the program, too, unless it is stopped: that takes no signal but those that continue or kill it. What
 * catches the signal may put things in order. */
static void end_program(Run *r) {
	const double patience = ending ? 0.2 : 2;
	if (r->over || (!ending && !atomic_load(&cancel_flag))) return;
	if (!r->asked_to_end) {
		r->asked_to_end = seconds_now();
		if (ending) kill(r->pid, ending);
		kill(r->pid, SIGCONT);
		if (!ending) kill(0, SIGCONT); /* also what it forked */
	} else if (seconds_now() - r->asked_to_end > patience) {
		kill(r->pid, SIGKILL);
	}
}

static void serve(Run *r) {
	bool ended = false;
	while (!look_for_end(r, ended) && !(ending && r->over)) {
		end_program(r);
		AUTO_FREE struct pollfd *at = xcalloc(r->sessions.len + 2, sizeof *at);
		wait_for_calls(r, at);
		for (size_t i = r->sessions.len; i-- > 0;)
			if (at[i + 2].revents && !session_serve(r->sessions.data[i])) end_session(r, i);
		if (at[0].revents) admit(r);
		ended = at[1].revents || r->ended < 0;
	}
}

bool exec_run(const ExecOptions *options, ExecResult *result, Err *err) {
	Run r = {.options = options, .result = result, .listener = -1, .life = -1, .ended = -1};
	*result = (ExecResult){0};
	if (!is_program(options->program, err)) return false;
	r.listener = join_listen(r.name, err);
	const bool ok = r.listener >= 0 && start(&r, err);
	struct sigaction before[NENDINGS];
	catch_endings(before);
	if (ok) serve(&r);
	for (size_t i = r.sessions.len; i-- > 0;) end_session(&r, i);
	put_endings_back(before);
	const int open[] = {r.listener, r.life, r.ended};
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (open[i] >= 0) close(open[i]);
	vec_free(&r.sessions);
	return ok;
}
