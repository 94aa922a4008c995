/* The module gpulab.jobs: child processes whose output is read as it comes. Not for labs.
 *
 *     local job = jobs.start({ "/proc/self/exe", "--version" }, "errors.txt")
 *     jobs.wait({ job }, 1)          until one of them has something to read or has ended, at most 1 s
 *     local text = job:read()        what has come; nil: it has closed its output
 *     local s = job:computed()       seconds of processor time that it and what it started have used
 *     local how, code = job:finish() "exit" or "signal"; ends it where it still runs
 *
 * A job has a session of its own, so Ctrl-C does not reach it; the collector ends those that are forgotten. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "bind/internal.h"

#define CLASS_JOB "gpulab.job"

enum { MOST_JOBS = 256 };

typedef struct {
	pid_t pid; /* 0: none */
	int fd;    /* -1: closed */
	int status;
} JobBox;

static JobBox *check(lua_State *L, int arg) {
	return luaL_checkudata(L, arg, CLASS_JOB);
}

static void close_output(JobBox *job) {
	if (job->fd >= 0) close(job->fd);
	job->fd = -1;
}

static void end(JobBox *job, bool now) {
	static const double END_S = 5; /* its output is closed, so it is about to end */
	if (!job->pid) return;
	if (now || !proc_wait(job->pid, END_S, &job->status)) {
		kill(-job->pid, SIGKILL);
		kill(job->pid, SIGKILL);
		while (waitpid(job->pid, &job->status, 0) < 0 && errno == EINTR) {
		}
	}
	job->pid = 0;
}

/* start(argv, errors): errors is the file of its standard error */
static int jobs_start(lua_State *L) {
	size_t n;
	luaL_checktype(L, 1, LUA_TTABLE);
	char *const *argv = (char *const *)bind_check_texts(L, 1, 1, "", 0, &n);
	luaL_argcheck(L, n > 0, 1, "a program is needed");
	const char *path = bind_check_path(L, 2);
	JobBox *job = lua_newuserdatauv(L, sizeof *job, 0);
	*job = (JobBox){.fd = -1};
	luaL_setmetatable(L, CLASS_JOB);
	int ends[2] = {-1, -1};
	const int errors = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = errors >= 0 && pipe2(ends, O_CLOEXEC) == 0;
	if (!ok) err_set(bind_err(), ERR_SETUP, "cannot start a process: %s", strerror(errno));
	if (ok) {
		const int fds[] = {-1, ends[1], errors};
		ok = proc_start(&(ProcStart){.path = argv[0], .argv = argv, .fds = fds, .nfds = 3, .own_session = true},
						&job->pid, bind_err());
		job->fd = ends[0];
		fcntl(job->fd, F_SETFL, O_NONBLOCK);
		close(ends[1]);
	}
	if (errors >= 0) close(errors);
	bind_must(L, ok);
	return 1;
}

/* wait(jobs, seconds): also returns when a signal comes */
static int jobs_wait(lua_State *L) {
	struct pollfd polled[MOST_JOBS];
	luaL_checktype(L, 1, LUA_TTABLE);
	const size_t n = lua_rawlen(L, 1);
	const double seconds = luaL_checknumber(L, 2);
	luaL_argcheck(L, n <= MOST_JOBS, 1, "too many jobs");
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		polled[i] = (struct pollfd){.fd = check(L, -1)->fd, .events = POLLIN};
		lua_pop(L, 1);
	}
	poll(polled, n, seconds < 0 ? 0 : (int)(seconds * 1000 + 1));
	return 0;
}

static int job_read(lua_State *L) {
	JobBox *job = check(L, 1);
	char piece[1 << 16];
	if (job->fd < 0) return 0;
	const ssize_t n = read(job->fd, piece, sizeof piece);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close_output(job);
		return 0;
	}
	lua_pushlstring(L, piece, n < 0 ? 0 : (size_t)n);
	return 1;
}

static int job_computed(lua_State *L) {
	const JobBox *job = check(L, 1);
	lua_pushnumber(L, job->pid ? proc_family_computed(job->pid) : 0);
	return 1;
}

static int job_finish(lua_State *L) {
	JobBox *job = check(L, 1);
	const bool running = job->fd >= 0;
	close_output(job);
	end(job, running);
	lua_pushstring(L, WIFSIGNALED(job->status) ? "signal" : "exit");
	lua_pushinteger(L, WIFSIGNALED(job->status) ? WTERMSIG(job->status) : WEXITSTATUS(job->status));
	return 2;
}

static int job_gc(lua_State *L) {
	JobBox *job = check(L, 1);
	close_output(job);
	end(job, true);
	return 0;
}

/* die_with_parent(): of a job: kill -9 of the program that started it ends it, too */
static int jobs_die_with_parent(lua_State *L) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return 0;
}

static int jobs_cores(lua_State *L) {
	const long n = sysconf(_SC_NPROCESSORS_ONLN);
	lua_pushinteger(L, n < 1 ? 1 : n);
	return 1;
}

int bind_jobs_module(lua_State *L) {
	static const luaL_Reg methods[] = {METHODS(job, read, computed, finish), METHODS_END};
	static const BindClass class = {.metatable = CLASS_JOB, .methods = methods, .release = job_gc};
	static const luaL_Reg functions[] = {METHODS(jobs, start, wait, cores, die_with_parent), METHODS_END};
	bind_class(L, &class);
	luaL_newlib(L, functions);
	return 1;
}
