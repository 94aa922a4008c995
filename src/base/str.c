/* str.h: strings under construction, files that are written whole. */
#include "base/str.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

void str_reserve(Str *s, size_t more) {
	size_t need = s->len + more + 1;
	if (need <= s->cap) return;
	size_t cap = s->cap ? s->cap * 2 : 64;
	if (cap < need) cap = need;
	s->text = xrealloc(s->text, cap);
	s->cap = cap;
}

void str_addn(Str *s, const char *text, size_t len) {
	str_reserve(s, len);
	if (len) memcpy(s->text + s->len, text, len);
	s->len += len;
	s->text[s->len] = '\0';
}

void str_add(Str *s, const char *text) {
	str_addn(s, text, strlen(text));
}

void str_addf(Str *s, const char *fmt, ...) {
	assert(fmt);
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n > 0) {
		str_reserve(s, (size_t)n);
		vsnprintf(s->text + s->len, (size_t)n + 1, fmt, again);
		s->len += (size_t)n;
	}
	va_end(again);
}

void str_cut(Str *s, size_t len) {
	if (len >= s->len) return;
	s->len = len;
	s->text[len] = '\0';
}

void str_clear(Str *s) {
	str_cut(s, 0);
}

void str_free(Str *s) {
	free(s->text);
	*s = (Str){0};
}

char *str_take(Str *s) {
	str_reserve(s, 0);
	s->text[s->len] = '\0';
	char *text = s->text;
	*s = (Str){0};
	return text;
}

char *str_take_in(Arena *arena, Str *s) {
	char *text = arena_strndup(arena, s->text, s->len);
	str_free(s);
	return text;
}

bool file_write(const char *path, const void *data, size_t len, Err *err) {
	Str beside = {0};
	str_addf(&beside, "%s.XXXXXX", path);
	int fd = mkostemp(beside.text, O_CLOEXEC);
	bool ok = fd >= 0 && fd_write(fd, data, len) && fchmod(fd, 0644) == 0;
	int why = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		why = errno;
		ok = false;
	}
	if (ok && rename(beside.text, path) != 0) {
		why = errno;
		ok = false;
	}
	if (!ok) {
		if (fd >= 0) unlink(beside.text);
		err_set(err, ERR_SETUP, "cannot write %s: %s", path, strerror(why));
	}
	str_free(&beside);
	return ok;
}

bool folders_make(const char *path, unsigned mode, Err *err) {
	char *copy = xstrdup(path);
	bool ok = true;
	for (char *slash = strchr(copy + 1, '/'); ok && slash; slash = strchr(slash + 1, '/')) {
		struct stat about;
		*slash = '\0';
		ok = mkdir(copy, mode) == 0;
		const int why = errno == EEXIST ? ENOTDIR : errno;
		ok = ok || (stat(copy, &about) == 0 && S_ISDIR(about.st_mode));
		if (!ok) err_set(err, ERR_SETUP, "cannot make the folder %.300s: %s", copy, strerror(why));
		*slash = '/';
	}
	free(copy);
	return ok;
}

char *path_real(Arena *arena, const char *path) {
	char *real = realpath(path, NULL), *copy = real ? arena_strdup(arena, real) : NULL;
	free(real);
	return copy;
}

char *path_folder(Arena *arena, const char *path) {
	const char *slash = strrchr(path, '/');
	return arena_strndup(arena, path, slash ? (size_t)(slash - path) : 0);
}

bool text_starts(const char *text, const char *prefix) {
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *text, const char *suffix) {
	size_t n = strlen(text), m = strlen(suffix);
	return n >= m && memcmp(text + n - m, suffix, m) == 0;
}

bool text_has_word(const char *words, const char *word, size_t len) {
	for (size_t n; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (n == len && memcmp(words, word, len) == 0) return true;
	}
	return false;
}

bool word_is(Word word, const char *text) {
	return strlen(text) == word.len && memcmp(word.at, text, word.len) == 0;
}

bool words_same(Word a, Word b) {
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}
