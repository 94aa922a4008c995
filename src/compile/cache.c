/* cache.h: compiled results on disk. */
#include "compile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef unsigned __int128 u128;

static u128 wide(const CacheKey *key) {
	return (u128)key->high << 64 | key->low;
}

CacheKey cache_key_start(void) {
	return (CacheKey){0x6c62272e07bb0142u, 0x62b821756295c58du};
}

void cache_key_bytes(CacheKey *key, const void *data, size_t len) {
	const u128 prime = ((u128)1 << 88) + 0x13b;
	const unsigned char *p = data;
	u128 h = wide(key);
	for (size_t i = 0; i < len; i++) h = (h ^ p[i]) * prime;
	*key = (CacheKey){(uint64_t)(h >> 64), (uint64_t)h};
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
	snprintf(out, CACHE_KEY_CHARS, "%016" PRIx64 "%016" PRIx64, key->high, key->low);
}

/* NULL: there is no place for a cache. Relative values of XDG_CACHE_HOME count as unset, as its specification says. */
static char *folder(void) {
	const char *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	Str s = {0};
	if (xdg && *xdg == '/') {
		str_addf(&s, "%s/gpulab", xdg);
	} else if (home && *home == '/') {
		str_addf(&s, "%s/.cache/gpulab", home);
	} else {
		return NULL;
	}
	return str_take(&s);
}

static char *path_of(const char *name) {
	char *dir = folder();
	if (!dir) return NULL;
	Str s = {0};
	str_addf(&s, "%s/%s", dir, name);
	free(dir);
	return str_take(&s);
}

static void make_folders(const char *path) {
	char *copy = xstrdup(path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0700);
		*slash = '/';
	}
	free(copy);
}

static void write_quietly(const char *name, const void *data, size_t len) {
	char *path = path_of(name);
	if (!path) return;
	make_folders(path);
	file_write(path, data, len, NULL);
	free(path);
}

/* A result's file: this head, then cubin, PTX with its terminator, log with its, names ("name\0linked\0" each), and the hash
 * of all that as the last 16 bytes. Numbers are this machine's own: the file never travels. */
typedef struct {
	char magic[8];
	uint64_t cc, cubin_bytes, ptx_bytes, log_bytes, names_bytes, nnames; /* ptx and log with their terminators */
} Head;

static const char magic[8] = "gpulab1";

static CacheKey hash_of(const char *data, size_t len) {
	CacheKey key = cache_key_start();
	cache_key_bytes(&key, data, len);
	return key;
}

void cache_store(const char *key, const Compiled *compiled) {
	Str names = {0};
	for (size_t i = 0; i < compiled->nnames; i++) {
		str_addn(&names, compiled->names[i].name, strlen(compiled->names[i].name) + 1);
		str_addn(&names, compiled->names[i].linked, strlen(compiled->names[i].linked) + 1);
	}
	Head head = {.cc = compiled->cc,
				 .cubin_bytes = compiled->cubin_bytes,
				 .ptx_bytes = compiled->ptx_bytes + 1,
				 .log_bytes = strlen(compiled->log) + 1,
				 .names_bytes = names.len,
				 .nnames = compiled->nnames};
	memcpy(head.magic, magic, sizeof magic);
	Str file = {0};
	str_addn(&file, (const char *)&head, sizeof head);
	str_addn(&file, compiled->cubin, head.cubin_bytes);
	str_addn(&file, compiled->ptx, head.ptx_bytes);
	str_addn(&file, compiled->log, head.log_bytes);
	str_addn(&file, names.text, names.len);
	CacheKey check = hash_of(file.text, file.len);
	str_addn(&file, (const char *)&check, sizeof check);
	write_quietly(key, file.text, file.len);
	str_free(&file);
	str_free(&names);
	cache_trim(CACHE_MAX_BYTES);
}

static size_t count_terminators(const char *text, size_t len) {
	size_t n = 0;
	for (size_t i = 0; i < len; i++) n += text[i] == '\0';
	return n;
}

/* The parts fill the body exactly, and the texts in it end where they should. */
static bool sizes_fit(const char *file, size_t body, const Head *head) {
	const uint64_t sizes[] = {head->cubin_bytes, head->ptx_bytes, head->log_bytes, head->names_bytes};
	uint64_t total = sizeof *head;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (sizes[i] > body) return false;
		total += sizes[i];
	}
	if (total != body || !head->ptx_bytes || !head->log_bytes || head->nnames > head->names_bytes) return false;
	const char *names = file + body - head->names_bytes;
	return count_terminators(names, head->names_bytes) == 2 * head->nnames && (!head->nnames || !file[body - 1]);
}

/* True: the file is one that cache_store wrote, whole. */
static bool sound(const char *file, size_t len, Head *head) {
	CacheKey check;
	if (len < sizeof *head + sizeof check) return false;
	size_t body = len - sizeof check;
	memcpy(head, file, sizeof *head);
	memcpy(&check, file + body, sizeof check);
	CacheKey found = hash_of(file, body);
	return memcmp(head->magic, magic, sizeof magic) == 0 && check.high == found.high && check.low == found.low &&
		   sizes_fit(file, body, head);
}

static char *take(const char **at, size_t bytes) {
	char *copy = xcalloc(bytes + 1, 1);
	memcpy(copy, *at, bytes);
	*at += bytes;
	return copy;
}

static Compiled *unpack(const char *file, const Head *head) {
	Compiled *c = xcalloc(1, sizeof *c);
	const char *at = file + sizeof *head;
	c->cc = (uint32_t)head->cc;
	c->cubin_bytes = head->cubin_bytes;
	c->cubin = take(&at, head->cubin_bytes);
	c->ptx_bytes = head->ptx_bytes - 1;
	c->ptx = take(&at, head->ptx_bytes);
	c->log = take(&at, head->log_bytes);
	c->nnames = head->nnames;
	c->names = xcalloc(c->nnames + 1, sizeof *c->names);
	for (size_t i = 0; i < c->nnames; i++) {
		c->names[i].name = take(&at, strlen(at) + 1);
		c->names[i].linked = take(&at, strlen(at) + 1);
	}
	c->from_cache = true;
	return c;
}

/* The time of a file tells when it was last of use; once an hour is exact enough. */
static void touch(const char *path) {
	struct stat st;
	if (stat(path, &st) == 0 && time(NULL) - st.st_mtime > 3600) utimensat(AT_FDCWD, path, NULL, 0);
}

Compiled *cache_load(const char *key) {
	char *path = path_of(key);
	if (!path) return NULL;
	size_t len = 0;
	char *file = file_read(path, &len, NULL);
	Head head;
	Compiled *c = file && sound(file, len, &head) ? unpack(file, &head) : NULL;
	if (c) touch(path);
	free(file);
	free(path);
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

void cache_trim(uint64_t max_bytes) {
	char *path = folder();
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

char *cache_note_read(const char *name) {
	char *path = path_of(name);
	char *text = path ? file_read(path, NULL, NULL) : NULL;
	free(path);
	return text;
}

void cache_note_write(const char *name, const char *text) {
	write_quietly(name, text, strlen(text));
}
