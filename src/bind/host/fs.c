/* The module gpulab.fs: what the student's copies of kernels need of the machine: files that are written whole or not
 * at all, the editor as a process that has the terminal, and the watch on a folder (watch.c). Not for labs. */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/proc.h"
#include "bind/internal.h"

/* --- files -------------------------------------------------------------------------------------------------------- */

/* stat(path) -> kind, size, stamp: "file", "folder" or "other"; stamp differs whenever the file is another or was
 * written */
static int fs_stat(lua_State *L) {
	struct stat st;
	if (stat(bind_check_path(L, 1), &st) != 0) return 0;
	char stamp[128];
	snprintf(stamp, sizeof stamp, "%llu:%llu:%lld:%lld.%09ld", (unsigned long long)st.st_dev,
			 (unsigned long long)st.st_ino, (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	lua_pushstring(L, S_ISREG(st.st_mode) ? "file" : S_ISDIR(st.st_mode) ? "folder" : "other");
	lua_pushinteger(L, (lua_Integer)st.st_size);
	lua_pushstring(L, stamp);
	return 3;
}

/* kind(path) -> "file", "folder", "link" or "other", of the name itself: a link is not followed */
static int fs_kind(lua_State *L) {
	struct stat st;
	if (lstat(bind_check_path(L, 1), &st) != 0) return 0;
	lua_pushstring(L, S_ISREG(st.st_mode)   ? "file"
					  : S_ISDIR(st.st_mode) ? "folder"
					  : S_ISLNK(st.st_mode) ? "link"
											: "other");
	return 1;
}

/* read(path, most, no_link) -> text; or nil and why not: it is no regular file, has more bytes than `most` (those of a
 * source), or is a link where none may be */
static int fs_read(lua_State *L) {
	const FileRules rules = {.most = (size_t)luaL_optinteger(L, 2, FILE_SOURCE_MOST), .no_link = lua_toboolean(L, 3)};
	const char *path = bind_check_path(L, 1);
	Str *text = bind_str(L);
	Err why = ERR_INIT;
	const bool ok = file_append(path, &rules, text, &why);
	if (why.kind == ERR_INTERRUPTED) bind_raise(L, &why);
	if (!ok) lua_pushnil(L);
	lua_pushlstring(L, ok ? text->text : why.what, ok ? text->len : strlen(why.what));
	str_free(text);
	return ok ? 1 : 2;
}

/* real(path) -> the path without links, from the root */
static int fs_real(lua_State *L) {
	const char *path = bind_check_path(L, 1);
	Holder *holder = bind_hold(L, free);
	holder->data = realpath(path, NULL);
	bind_must(L, holder->data || err_set(bind_err(), ERR_SETUP, "%.300s: %s", path, strerror(errno)));
	lua_pushstring(L, holder->data);
	bind_drop(holder);
	return 1;
}

/* What a call of the system came to: nothing, or an error that says why. */
static int done(lua_State *L, bool ok, const char *what, const char *path) {
	bind_must(L, ok || err_set(bind_err(), ERR_SETUP, "%s %.300s: %s", what, path, strerror(errno)));
	return 0;
}

/* enter(folder): the working folder from now on */
static int fs_enter(lua_State *L) {
	const char *path = bind_check_path(L, 1);
	return done(L, chdir(path) == 0, "cannot enter", path);
}

static int fs_make_folder(lua_State *L) {
	const char *path = lua_pushfstring(L, "%s/", bind_check_path(L, 1));
	bind_must(L, folders_make(path, 0777, bind_err()));
	return 0;
}

/* write(path, text): the file has all of it, or is as it was and why is raised */
static int fs_write(lua_State *L) {
	size_t len;
	const char *path = bind_check_path(L, 1), *text = luaL_checklstring(L, 2, &len);
	bind_must(L, file_write(path, text, len, bind_err()));
	return 0;
}

/* keep(from, to): renames, but never over another file; false if there is one */
static int fs_keep(lua_State *L) {
	const char *from = bind_check_path(L, 1), *to = bind_check_path(L, 2);
	int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
	if (result != 0 &&
		(errno == EINVAL || errno == ENOSYS)) { /* a file system that cannot: a link never replaces either */
		result = link(from, to);
		if (result == 0) result = unlink(from);
	}
	bind_must(L, result == 0 || errno == EEXIST ||
					 err_set(bind_err(), ERR_SETUP, "cannot rename %.300s to %.300s: %s", from, to, strerror(errno)));
	lua_pushboolean(L, result == 0);
	return 1;
}

static int fs_remove(lua_State *L) {
	const char *path = bind_check_path(L, 1);
	return done(L, unlink(path) == 0 || errno == ENOENT, "cannot remove", path);
}

/* remove_folder(path): an empty one */
static int fs_remove_folder(lua_State *L) {
	const char *path = bind_check_path(L, 1);
	return done(L, rmdir(path) == 0 || errno == ENOENT, "cannot remove", path);
}

/* --- a folder of one process -------------------------------------------------------------------------------------- */

/* "process 12 of ann on node7, since 2026-11-29 10:00:00" */
static void sign(int fd, const char *host) {
	char since[32], text[200];
	const struct passwd *who = getpwuid(getuid());
	const time_t now = time(NULL);
	struct tm tm;
	strftime(since, sizeof since, "%F %T", localtime_r(&now, &tm));
	const int n = snprintf(text, sizeof text, "process %d of %.64s on %.64s, since %s", (int)getpid(),
						   who ? who->pw_name : "an unknown user", host, since);
	if (ftruncate(fd, 0) == 0) (void)!pwrite(fd, text, (size_t)n, 0); /* without text it is still a lock */
}

/* Where the file system has no locks: whether the process that signed is at work, or may be (*unsure), elsewhere. */
static bool at_work(const char *text, const char *host, bool *unsure) {
	int pid = 0;
	const char *on = strstr(text, " on ");
	if (sscanf(text, "process %d", &pid) != 1 || pid <= 0 || !on) return false;
	on += strlen(" on ");
	*unsure = strncmp(on, host, strlen(host)) != 0 || on[strlen(host)] != ',';
	return *unsure || (pid != getpid() && (kill(pid, 0) == 0 || errno == EPERM));
}

/* lock(path) -> true: no other process has the lock on this file until this one ends, however it does; or false, which
 * one has it, and whether it may be gone. */
static int fs_lock(lua_State *L) {
	const char *path = bind_check_path(L, 1);
	char host[65] = "", text[300] = "";
	bool unsure = false;
	gethostname(host, sizeof host - 1);
	const int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	bind_must(L, fd >= 0 || err_set(bind_err(), ERR_SETUP, "cannot write %.300s: %s", path, strerror(errno)));
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const bool ours = fcntl(fd, F_OFD_SETLK, &whole) == 0, theirs = !ours && (errno == EAGAIN || errno == EACCES);
	const ssize_t n = pread(fd, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	if (theirs || (!ours && at_work(text, host, &unsure))) {
		close(fd);
		lua_pushboolean(L, false);
		lua_pushstring(L, text);
		lua_pushboolean(L, unsure);
		return 3;
	}
	sign(fd, host);
	lua_pushboolean(L, true);
	return 1;
}

/* --- the editor --------------------------------------------------------------------------------------------------- */

/* What a child may leave changed: the terminal's modes, the foreground process group. Ctrl-C goes to the child while
 * it runs. */
typedef struct {
	bool terminal;
	struct termios modes;
	struct sigaction sigint, sigquit;
} Foreground;

static void give_terminal(Foreground *f) {
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	f->terminal = tcgetattr(STDIN_FILENO, &f->modes) == 0;
	sigaction(SIGINT, &ignore, &f->sigint);
	sigaction(SIGQUIT, &ignore, &f->sigquit);
}

static void take_terminal(const Foreground *f) {
	if (f->terminal) {
		struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
		sigaction(SIGTTOU, &ignore, &before); /* or taking it back would stop us */
		if (tcgetpgrp(STDIN_FILENO) != getpgrp()) tcsetpgrp(STDIN_FILENO, getpgrp());
		tcsetattr(STDIN_FILENO, TCSADRAIN, &f->modes);
		sigaction(SIGTTOU, &before, NULL);
	}
	sigaction(SIGINT, &f->sigint, NULL);
	sigaction(SIGQUIT, &f->sigquit, NULL);
}

/* foreground(command) -> "exit" or "signal", its number and a name for it. Runs it by /bin/sh on our terminal and
 * waits. */
static int fs_foreground(lua_State *L) {
	Foreground terminal;
	const int fds[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)bind_check_path(L, 1), NULL};
	ProcStart start = {.path = "/bin/sh", .argv = argv, .fds = fds, .nfds = 3};
	pid_t pid;
	int status = 0;
	fflush(stdout);
	fflush(stderr);
	give_terminal(&terminal);
	bool started = proc_start(&start, &pid, bind_err());
	while (started && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	take_terminal(&terminal);
	bind_must(L, started);
	int code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	bool signaled = WIFSIGNALED(status) || code > 128; /* 128 + n: the shell's word for it */
	if (code > 128) code -= 128;
	lua_pushstring(L, signaled ? "signal" : "exit");
	lua_pushinteger(L, code);
	lua_pushstring(L, signaled ? strsignal(code) : "");
	return 3;
}

/* --- the module --------------------------------------------------------------------------------------------------- */

int bind_fs_module(lua_State *L) {
	static const luaL_Reg functions[] = {
		METHODS(fs, stat, make_folder, write, keep, remove, remove_folder, kind, read, enter, real, lock, foreground),
		METHODS(bind, watch), METHODS_END};
	bind_watch_class(L);
	luaL_newlib(L, functions);
	return 1;
}
