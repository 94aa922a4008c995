/* file.h */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"

static bool refuse(Err *why, int error) {
	return err_set(why, ERR_SETUP, "%s", strerror(error));
}

static bool too_large(size_t most, Err *why) {
	const int shift = most % (1 << 20) == 0 ? 20 : most % (1 << 10) == 0 ? 10 : 0;
	return err_set(why, ERR_SETUP, "it is too large, at most %zu %s are read", most >> shift,
				   shift == 20   ? "MB"
				   : shift == 10 ? "KB"
								 : "bytes");
}

static bool keeps(int fd, const FileRules *rules, Err *why) {
	struct stat about;
	if (fstat(fd, &about) != 0) return refuse(why, errno);
	if (S_ISDIR(about.st_mode)) return err_set(why, ERR_SETUP, "it is a folder");
	if (!S_ISREG(about.st_mode)) return err_set(why, ERR_SETUP, "it is not a regular file");
	if (rules->ours && (about.st_uid != geteuid() || about.st_mode & (S_IWGRP | S_IWOTH)))
		return err_set(why, ERR_SETUP, "another user owns it or can write it");
	return (size_t)about.st_size <= rules->most || too_large(rules->most, why);
}

/* O_NONBLOCK: a pipe's other end is not waited for, nor are messages that a file of the kernel may bring some day. */
int file_open(const char *path, const FileRules *rules, Err *why) {
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (rules->no_link ? O_NOFOLLOW : 0));
	if (fd < 0) {
		if (errno == ELOOP && rules->no_link)
			err_set(why, ERR_SETUP, "it is a link");
		else if (errno == ENXIO) /* a socket */
			err_set(why, ERR_SETUP, "it is not a regular file");
		else
			refuse(why, errno);
		return -1;
	}
	if (keeps(fd, rules, why)) return fd;
	close(fd);
	return -1;
}

/* The size that the system reports is none for a file of the kernel, and old for one that is being written. Most files
 * are small, and many texts are kept: the room for one grows with what was read. */
static bool append_all(int fd, size_t most, Str *text, Err *why) {
	enum { LEAST = 4 << 10, PIECE = 1 << 20 };
	for (const size_t from = text->len; not_cancelled(why);) {
		str_reserve(text, LEAST);
		const size_t room = text->cap - text->len - 1;
		const ssize_t n = read(fd, text->text + text->len, room < PIECE ? room : PIECE);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return refuse(why, errno);
		if (n == 0) return true;
		text->len += (size_t)n;
		if (text->len - from > most) return too_large(most, why);
	}
	return false;
}

bool file_append(const char *path, const FileRules *rules, Str *text, Err *why) {
	const size_t before = text->len;
	const int fd = file_open(path, rules, why);
	const bool ok = fd >= 0 && append_all(fd, rules->most, text, why);
	if (fd >= 0) close(fd);
	if (!ok) text->len = before;
	str_addn(text, "", 0);
	return ok;
}

char *file_read(const char *path, size_t most, size_t *len, Err *err) {
	Str text = {0};
	Err why = ERR_INIT;
	if (!file_append(path, &(FileRules){.most = most}, &text, &why)) {
		str_free(&text);
		if (why.kind == ERR_INTERRUPTED)
			not_cancelled(err);
		else
			err_set(err, why.kind, "cannot read %s: %s", path, why.what);
		return NULL;
	}
	if (len) *len = text.len;
	return str_take(&text);
}
