/* cache.h: compiled results on disk. */
#include "compile/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/worker/calls.h"

CacheKey cache_key_start(void) {
	CacheKey key;
	hash_start(&key);
	return key;
}

void cache_key_bytes(CacheKey *key, const void *data, size_t len) {
	hash_add(key, data, len);
}

void cache_key_number(CacheKey *key, uint64_t number) {
	cache_key_bytes(key, &number, sizeof number);
}

void cache_key_text(CacheKey *key, const char *text) {
	size_t len = text ? strlen(text) : 0;
	cache_key_number(key, text ? len : UINT64_MAX);
	cache_key_bytes(key, text ? text : "", len);
}

void cache_key_text_of(const CacheKey *key, char out[CACHE_KEY_CHARS]) {
	hash_text(key, out);
}

/* NULL: there is no place for a cache. Relative values of XDG_CACHE_HOME count as unset, as its specification says. */
static char *folder(void) {
	const char *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	if (xdg && *xdg == '/') return xformat("%s/gpulab", xdg);
	return home && *home == '/' ? xformat("%s/.cache/gpulab", home) : NULL;
}

static char *path_of(const char *name) {
	char *dir = folder(), *path = dir ? xformat("%s/%s", dir, name) : NULL;
	free(dir);
	return path;
}

/* A folder by this name would be in the way for ever. */
static void clear_the_way(const char *path) {
	struct stat about;
	if (lstat(path, &about) < 0 || !S_ISDIR(about.st_mode)) return;
	AUTO_FREE char *aside = xformat("%s.aside", path);
	if (rmdir(path) < 0) rename(path, aside);
}

static void write_quietly(const char *name, const void *data, size_t len) {
	AUTO_FREE char *path = path_of(name);
	if (!path) return;
	folders_make(path, 0700, NULL);
	clear_the_way(path);
	file_write(path, data, len, NULL);
}

/* No other user can write it. */
static bool is_ours(const struct stat *about, mode_t type) {
	return (about->st_mode & S_IFMT) == type && about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

/* NULL: there is none, or it is not ours alone. */
static char *read_ours(const char *name, size_t most, size_t *len) {
	AUTO_FREE char *path = path_of(name);
	Str text = {0};
	if (!path || !file_append(path, &(FileRules){.most = most, .no_link = true, .ours = true}, &text, NULL)) {
		str_free(&text);
		return NULL;
	}
	*len = text.len;
	return str_take(&text);
}

/* A result's file: this record and, as the last 16 bytes, its digest. Numbers are this machine's own: the file never
 * travels. */
typedef struct {
	const char *format, *key;
	Compiled compiled;
} Stored;

static const char FORMAT[] = "gpulab result 3";

RECORD(CompiledName, FIELD_REQUIRED(CompiledName, name), FIELD_REQUIRED(CompiledName, linked))
RECORD(Compiled, FIELD_BYTES(Compiled, cubin, cubin_bytes), FIELD_REQUIRED(Compiled, ptx),
	   FIELD_REQUIRED(Compiled, log), FIELD(Compiled, cc),
	   FIELD_LIST(Compiled, names, nnames, CompiledName, COMPILE_TEXTS))
RECORD(Stored, FIELD_REQUIRED(Stored, format), FIELD_REQUIRED(Stored, key), FIELD_RECORD(Stored, compiled, Compiled))

/* Larger ones are not read, and not written either. */
enum { RESULT_MOST = 128 << 20, NOTE_MOST = 4096 };

static void add_digest(Str *file) {
	uint8_t digest[HASH_BYTES];
	hash_of(file->text, file->len, digest);
	str_addn(file, (const char *)digest, sizeof digest);
}

/* The last bytes are the digest of those before. */
static bool digest_right(const char *file, size_t len) {
	uint8_t digest[HASH_BYTES];
	if (len < sizeof digest) return false;
	hash_of(file, len - sizeof digest, digest);
	return memcmp(digest, file + len - sizeof digest, sizeof digest) == 0;
}

void cache_store(const char *key, const Compiled *compiled) {
	const Stored stored = {FORMAT, key, *compiled};
	AUTO_STR Str file = {0};
	record_put(&file, &Stored_record, &stored);
	add_digest(&file);
	if (file.len <= RESULT_MOST) write_quietly(key, file.text, file.len);
	cache_trim(CACHE_MAX_BYTES);
}

/* NULL: the file is not one that cache_store wrote for this key, whole. */
static Compiled *unpack(const char *key, const char *file, size_t len) {
	if (!digest_right(file, len)) return NULL;
	Stored stored;
	Compiled *c = NULL;
	const uint8_t *at = (const uint8_t *)file;
	Reader r = {.at = at, .end = at + len - HASH_BYTES, .arena = arena_new()};
	record_get(&r, &Stored_record, &stored);
	if (reader_done(&r) && strcmp(stored.format, FORMAT) == 0 && strcmp(stored.key, key) == 0) {
		stored.compiled.ptx_bytes = strlen(stored.compiled.ptx);
		stored.compiled.from_cache = true;
		c = compiled_copy(&stored.compiled);
	}
	arena_free(r.arena);
	return c;
}

/* The time of a file is that of its last use; once an hour is exact enough. */
static void touch(const char *path) {
	struct stat st;
	if (stat(path, &st) == 0 && time(NULL) - st.st_mtime > 3600) utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

Compiled *cache_load(const char *key) {
	size_t len = 0;
	char *file = read_ours(key, RESULT_MOST, &len), *path;
	Compiled *c = file ? unpack(key, file, len) : NULL;
	if (c && (path = path_of(key)) != NULL) {
		touch(path);
		free(path);
	}
	free(file);
	return c;
}

typedef struct {
	char *name;
	uint64_t bytes;
	struct timespec used;
} Entry;

static int older_first(const void *a, const void *b) {
	const Entry *x = a, *y = b;
	if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void trim(char *path, uint64_t max_bytes) {
	DIR *dir = path ? opendir(path) : NULL;
	free(path);
	if (!dir) return;
	VEC(Entry) entries = {0};
	uint64_t total = 0;
	for (struct dirent *d; (d = readdir(dir)) != NULL;) {
		struct stat st;
		if (fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) continue;
		vec_push(&entries, (Entry){xstrdup(d->d_name), (uint64_t)st.st_size, st.st_mtim});
		total += (uint64_t)st.st_size;
	}
	if (total > max_bytes) qsort(entries.data, entries.len, sizeof *entries.data, older_first);
	for (size_t i = 0; i < entries.len; i++) {
		if (total > max_bytes && unlinkat(dirfd(dir), entries.data[i].name, 0) == 0) total -= entries.data[i].bytes;
		free(entries.data[i].name);
	}
	vec_free(&entries);
	closedir(dir);
}

void cache_trim(uint64_t max_bytes) {
	trim(folder(), max_bytes);
}

/* --- precompiled headers ------------------------------------------------------------------------------------------ */

static bool ours_alone(const char *path, mode_t type) {
	struct stat about;
	return lstat(path, &about) == 0 && is_ours(&about, type);
}

static char *subfolder(const char *name) {
	char *path = path_of(name);
	if (!path) return NULL;
	folders_make(path, 0700, NULL);
	mkdir(path, 0700);
	if (ours_alone(path, S_IFDIR)) return path;
	free(path);
	return NULL;
}

char *cache_headers_folder(void) {
	return subfolder("headers");
}

char *cache_scratch_folder(void) {
	static const uint64_t LEFT_OVER = 64 << 20;
	trim(path_of("scratch"), LEFT_OVER);
	return subfolder("scratch");
}

static char *seal_of(const char *path) {
	return xformat("%s.sum", path);
}

/* Against damage alone, since no one else can write the files, which have 100 MB: as fast as they are read. */
typedef struct {
	uint64_t lanes[4];
} Sum;

static void sum_add(Sum *sum, const void *data, size_t bytes) {
	const uint8_t *at = data;
	for (; bytes >= sizeof *sum; at += sizeof *sum, bytes -= sizeof *sum) {
		uint64_t words[4];
		memcpy(words, at, sizeof words);
		for (int i = 0; i < 4; i++) sum->lanes[i] = (sum->lanes[i] ^ words[i]) * 0x9e3779b97f4a7c15u;
	}
	uint8_t rest[sizeof *sum] = {0};
	if (bytes) sum_add(sum, memcpy(rest, at, bytes), sizeof rest);
}

/* Of the file's content and of the name it is used under. */
static bool headers_sum(const char *file, const char *path, Sum *sum) {
	uint8_t part[1 << 16];
	const char *slash = strrchr(path, '/');
	const int fd = file_open(file, &(FileRules){.most = SIZE_MAX, .no_link = true}, NULL);
	if (fd < 0) return false;
	*sum = (Sum){{1, 2, 3, 4}};
	sum_add(sum, slash ? slash : path, strlen(slash ? slash : path));
	ssize_t n;
	while ((n = read(fd, part, sizeof part)) > 0) sum_add(sum, part, (size_t)n);
	close(fd);
	return n == 0;
}

bool cache_headers_seal(const char *file, const char *path) {
	Sum sum;
	if (!headers_sum(file, path, &sum)) return false;
	AUTO_FREE char *seal = seal_of(path);
	unlink(seal);
	const int fd =
		open(seal, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* file_write's fchmod is denied in a sandbox */
	const bool ok = fd >= 0 && write(fd, &sum, sizeof sum) == sizeof sum;
	if (fd >= 0) close(fd);
	return ok;
}

static bool seal_right(const char *path) {
	Sum sum;
	size_t len = 0;
	AUTO_FREE char *seal = seal_of(path), *want = file_read(seal, sizeof sum, &len, NULL);
	return want && len == sizeof sum && headers_sum(path, path, &sum) && memcmp(want, &sum, sizeof sum) == 0;
}

bool cache_headers_there(const char *path) {
	AUTO_FREE char *seal = seal_of(path);
	const bool ours = ours_alone(path, S_IFREG) && ours_alone(seal, S_IFREG);
	if (ours) touch(path), touch(seal);
	return ours;
}

bool cache_headers_usable(const char *path) {
	static Map *right; /* files whose content need not be read again */
	struct stat about;
	if (!cache_headers_there(path) || lstat(path, &about) != 0) return false;
	if (!right) right = map_new();
	AUTO_FREE char *file = xformat("%s %llu %lld.%09ld", path, (unsigned long long)about.st_ino,
								   (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
	const bool usable = map_has(right, file) || seal_right(path);
	if (usable)
		map_put(right, file, right);
	else
		unlink(path);
	return usable;
}

void cache_headers_trim(uint64_t max_bytes) {
	trim(path_of("headers"), max_bytes);
}

/* A note's file: its name, a line end, the text, the digest. */
char *cache_note_read(const char *name) {
	size_t len = 0;
	const size_t n = strlen(name);
	char *file = read_ours(name, NOTE_MOST, &len), *text = NULL;
	if (file && digest_right(file, len) && len >= n + 1 + HASH_BYTES && memcmp(file, name, n) == 0 && file[n] == '\n') {
		file[len - HASH_BYTES] = '\0';
		text = xstrdup(file + n + 1);
	}
	free(file);
	return text;
}

void cache_note_write(const char *name, const char *text) {
	AUTO_STR Str file = {0};
	str_addf(&file, "%s\n%s", name, text);
	add_digest(&file);
	if (file.len <= NOTE_MOST) write_quietly(name, file.text, file.len);
}
