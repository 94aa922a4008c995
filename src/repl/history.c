/* history.h: entries between prompts. */
#include "repl/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "repl/editor.h"

enum { KEPT = 2000, TOO_MANY = 4000, LONGEST = 64 * 1024 };

char *history_path(void) {
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state && state[0] == '/') return xformat("%s/gpulab/history", state);
	return home && home[0] == '/' ? xformat("%s/.local/state/gpulab/history", home) : NULL;
}

static void unescape(char *line) {
	char *to = line;
	for (const char *from = line; *from; from++) {
		if (*from == '\\' && from[1])
			*to++ = *++from == 'n' ? '\n' : *from;
		else
			*to++ = *from;
	}
	*to = '\0';
}

static char *escaped(const char *entry) {
	Str s = {0};
	for (const char *c = entry; *c; c++) {
		if (*c == '\n')
			str_add(&s, "\\n");
		else if (*c == '\\')
			str_add(&s, "\\\\");
		else
			str_addn(&s, c, 1);
	}
	str_add(&s, "\n");
	return str_take(&s);
}

/* Where the last `kept` lines of the text begin. */
static char *last_lines(char *text, size_t len, int kept) {
	char *at = text + len;
	while (at > text && kept >= 0)
		if (*--at == '\n' && at + 1 < text + len) kept--;
	return kept < 0 ? at + 1 : text;
}

/* The lock is on a file of its own next to the history, which shortening replaces. */
static int lock(const char *path) {
	char *beside = xformat("%s.lock", path);
	int fd = open(beside, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	free(beside);
	if (fd >= 0) flock(fd, LOCK_EX);
	return fd;
}

static void unlock(int fd) {
	if (fd >= 0) close(fd);
}

static void add_lines(char *text) {
	for (char *line = text, *end; *line; line = end) {
		end = strchr(line, '\n');
		end = end ? (*end = '\0', end + 1) : line + strlen(line);
		unescape(line);
		if (*line) editor_remember(line);
	}
}

bool history_load(const char *path, Err *err) {
	struct stat st;
	size_t len;
	if (stat(path, &st) != 0 && errno == ENOENT) return true;
	int fd = lock(path);
	AUTO_FREE char *text = file_read(path, TOO_MANY * LONGEST, &len, err);
	if (text) {
		char *kept = last_lines(text, len, TOO_MANY) != text ? last_lines(text, len, KEPT) : text;
		if (kept != text)
			file_write(path, kept, len - (size_t)(kept - text), NULL); /* if it cannot be, it stays long */
		add_lines(kept);
	}
	unlock(fd);
	return text != NULL;
}

static bool repeats_last(const char *entry) {
	const char *last = editor_last_entry();
	return last && strcmp(last, entry) == 0;
}

bool history_append(const char *path, const char *entry, Err *err) {
	if (entry[strspn(entry, " \t\n")] == '\0' || repeats_last(entry)) return true;
	editor_remember(entry);
	if (!path || strlen(entry) > LONGEST) return true; /* a pasted megabyte stays in this session */
	if (!folders_make(path, 0700, err)) return false;
	AUTO_FREE char *line = escaped(entry);
	size_t len = strlen(line);
	int held = lock(path), fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && write(fd, line, len) == (ssize_t)len;
	if (!ok) err_set(err, ERR_SETUP, "the history %s cannot be written: %s", path, strerror(errno));
	if (fd >= 0) close(fd);
	unlock(held);
	return ok;
}
