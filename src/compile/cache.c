/* cache.h: compiled results on disk. */
#include "compile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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
	char *aside = xformat("%s.aside", path);
	if (rmdir(path) < 0) rename(path, aside);
	free(aside);
}

static void write_quietly(const char *name, const void *data, size_t len) {
	char *path = path_of(name);
	if (!path) return;
	folders_make(path, 0700, NULL);
	clear_the_way(path);
	file_write(path, data, len, NULL);
	free(path);
}

static char *read_whole(int fd, size_t bytes) {
	char *data = xcalloc(bytes + 1, 1);
	for (size_t at = 0; at < bytes;) {
		const ssize_t n = read(fd, data + at, bytes - at);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) {
			free(data);
			return NULL;
		}
		at += (size_t)n;
	}
	return data;
}

/* No other user can write it. */
static bool is_ours(const struct stat *about, mode_t type) {
	return (about->st_mode & S_IFMT) == type && about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

/* A regular file of ours that others cannot write. Opened without following a link or waiting for a pipe's other end.
 * NULL: it is anything else. */
static char *read_ours(const char *name, size_t most, size_t *len) {
	char *path = path_of(name), *data = NULL;
	struct stat about;
	const int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) : -1;
	free(path);
	if (fd < 0) return NULL;
	if (fstat(fd, &about) == 0 && is_ours(&about, S_IFREG) && (uint64_t)about.st_size <= most) {
		*len = (size_t)about.st_size;
		data = read_whole(fd, *len);
	}
	close(fd);
	return data;
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
	Str file = {0};
	record_put(&file, &Stored_record, &stored);
	add_digest(&file);
	if (file.len <= RESULT_MOST) write_quietly(key, file.text, file.len);
	str_free(&file);
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

static atomic_bool ending; /* cache_headers_end waits for whoever reads */

/* Of the file's content and of the name it is used under. */
static bool headers_digest(const char *file, const char *path, uint8_t digest[HASH_BYTES]) {
	enum { PART = 1 << 18 };
	const char *slash = strrchr(path, '/');
	Hash hash;
	const int fd = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) return false;
	char *part = xcalloc(PART, 1);
	ssize_t n = -1;
	hash_start(&hash);
	hash_add(&hash, slash ? slash : path, strlen(slash ? slash : path) + 1);
	while (!atomic_load(&ending) && ((n = read(fd, part, PART)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0) hash_add(&hash, part, (size_t)n);
	hash_get(&hash, digest);
	free(part);
	close(fd);
	return n == 0;
}

bool cache_headers_seal(const char *file, const char *path) {
	uint8_t digest[HASH_BYTES];
	if (!headers_digest(file, path, digest)) return false;
	char *seal = seal_of(path);
	unlink(seal);
	const int fd =
		open(seal, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* file_write's fchmod is denied in a sandbox */
	const bool ok = fd >= 0 && write(fd, digest, sizeof digest) == sizeof digest;
	if (fd >= 0) close(fd);
	free(seal);
	return ok;
}

static bool seal_right(const char *path, const char *seal) {
	uint8_t digest[HASH_BYTES];
	size_t len = 0;
	char *want = file_read(seal, &len, NULL);
	const bool right =
		want && len == sizeof digest && headers_digest(path, path, digest) && memcmp(want, digest, sizeof digest) == 0;
	free(want);
	return right;
}

/* --- which of them are good --------------------------------------------------------------------------------------- */

/* Files of 100 MB take a tenth of a second to digest. So a thread does it ahead, and the content is not read again as
 * long as the file is the same. */
typedef struct {
	char *path;
	struct stat about; /* as it was before it was read */
	bool good;
} Checked;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t done;
	VEC(Checked) checked;
	VEC(char *) waiting; /* the first is being read */
	bool started;
} checks = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static bool same_file(const struct stat *a, const struct stat *b) {
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
		   memcmp(&a->st_mtim, &b->st_mtim, sizeof a->st_mtim) == 0 &&
		   memcmp(&a->st_ctim, &b->st_ctim, sizeof a->st_ctim) == 0;
}

/* NULL: not checked, or changed since. */
static const Checked *known(const char *path) {
	struct stat about;
	for (size_t i = 0; i < checks.checked.len; i++) {
		const Checked *c = &checks.checked.data[i];
		if (strcmp(c->path, path) == 0) return lstat(path, &about) == 0 && same_file(&about, &c->about) ? c : NULL;
	}
	return NULL;
}

static void remember(const char *path, const struct stat *about, bool good) {
	size_t i = 0;
	while (i < checks.checked.len && strcmp(checks.checked.data[i].path, path) != 0) i++;
	if (i == checks.checked.len) vec_push(&checks.checked, ((Checked){.path = xstrdup(path)}));
	checks.checked.data[i].about = *about;
	checks.checked.data[i].good = good;
}

/* Called and returns with the lock, which is free while the file is read. */
static void check_now(const char *path) {
	struct stat about;
	char *seal = seal_of(path);
	pthread_mutex_unlock(&checks.lock);
	const bool there = lstat(path, &about) == 0, good = there && seal_right(path, seal);
	pthread_mutex_lock(&checks.lock);
	if (there && !atomic_load(&ending)) remember(path, &about, good);
	free(seal);
}

static void *check_ahead(void *unused) {
	pthread_mutex_lock(&checks.lock);
	while (checks.waiting.len && !atomic_load(&ending)) {
		char *path = checks.waiting.data[0];
		check_now(path);
		for (size_t i = 1; i < checks.waiting.len; i++) checks.waiting.data[i - 1] = checks.waiting.data[i];
		checks.waiting.len--;
		free(path);
		pthread_cond_broadcast(&checks.done);
	}
	checks.started = false;
	pthread_cond_broadcast(&checks.done);
	pthread_mutex_unlock(&checks.lock);
	return NULL;
}

/* Signals are for the thread that reads keys. */
static bool start_checking(void) {
	sigset_t all, before;
	pthread_attr_t detached;
	pthread_t thread;
	sigfillset(&all);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	checks.started = pthread_create(&thread, &detached, check_ahead, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
	return checks.started;
}

static bool is_waiting(const char *path) {
	for (size_t i = 0; checks.started && i < checks.waiting.len; i++)
		if (strcmp(checks.waiting.data[i], path) == 0) return true;
	return false;
}

static bool sealed_alone(const char *path) {
	char *seal = seal_of(path);
	const bool ours = ours_alone(path, S_IFREG) && ours_alone(seal, S_IFREG);
	if (ours) touch(path), touch(seal);
	free(seal);
	return ours;
}

bool cache_headers_check(const char *path) {
	if (!sealed_alone(path)) return false;
	pthread_mutex_lock(&checks.lock);
	const Checked *c = known(path);
	const bool good = !c || c->good;
	if (!c && !is_waiting(path)) {
		vec_push(&checks.waiting, xstrdup(path));
		if (!checks.started && !start_checking()) free(checks.waiting.data[--checks.waiting.len]);
	}
	pthread_mutex_unlock(&checks.lock);
	return good;
}

bool cache_headers_usable(const char *path) {
	if (!sealed_alone(path)) return false;
	pthread_mutex_lock(&checks.lock);
	while (is_waiting(path)) pthread_cond_wait(&checks.done, &checks.lock);
	if (!known(path)) check_now(path);
	const Checked *c = known(path);
	const bool good = c && c->good;
	pthread_mutex_unlock(&checks.lock);
	return good;
}

void cache_headers_end(void) {
	pthread_mutex_lock(&checks.lock);
	atomic_store(&ending, true);
	while (checks.started) pthread_cond_wait(&checks.done, &checks.lock);
	atomic_store(&ending, false);
	for (size_t i = 0; i < checks.waiting.len; i++) free(checks.waiting.data[i]);
	for (size_t i = 0; i < checks.checked.len; i++) free(checks.checked.data[i].path);
	vec_free(&checks.waiting);
	vec_free(&checks.checked);
	pthread_mutex_unlock(&checks.lock);
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
	Str file = {0};
	str_addf(&file, "%s\n%s", name, text);
	add_digest(&file);
	if (file.len <= NOTE_MOST) write_quietly(name, file.text, file.len);
	str_free(&file);
}
