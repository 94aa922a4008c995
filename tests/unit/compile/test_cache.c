/* Results on disk: kept, found, damaged, evicted; and the key over headers. */
#include "folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "compile/cache.h"
#include "compile/headers.h"
#include "wire/record.h"

static void key_named(const char *text, char out[CACHE_KEY_CHARS]) {
	CacheKey key = cache_key_start();
	cache_key_text(&key, text);
	cache_key_text_of(&key, out);
}

static Compiled *sample(void) {
	CompiledName names[] = {{(char *)"tile<33>", (char *)"_Z4tileILi33EEvPf"}, {(char *)"copy", (char *)"_Z4copyPf"}};
	const Compiled c = {.cubin = (char *)"\0cub\0n",
						.cubin_bytes = 6,
						.ptx = (char *)".version 9.0\n",
						.ptx_bytes = 13,
						.log = (char *)"a warning",
						.cc = 90,
						.nnames = 2,
						.names = names};
	return compiled_copy(&c);
}

static void expect_sample(const Compiled *c) {
	assert_non_null(c);
	assert_int_equal(c->cubin_bytes, 6);
	assert_memory_equal(c->cubin, "\0cub\0n", 6);
	assert_string_equal(c->ptx, ".version 9.0\n");
	assert_int_equal(c->ptx_bytes, 13);
	assert_string_equal(c->log, "a warning");
	assert_int_equal(c->cc, 90);
	assert_true(c->from_cache);
	assert_int_equal(c->nnames, 2);
	assert_string_equal(c->names[0].name, "tile<33>");
	assert_string_equal(c->names[1].linked, "_Z4copyPf");
}

static void keeps_results(void **state) {
	char key[CACHE_KEY_CHARS];
	key_named("keeps", key);
	assert_null(cache_load(key));
	Compiled *c = sample();
	cache_store(key, c);
	compiled_free(c);
	c = cache_load(key);
	expect_sample(c);
	compiled_free(c);
}

static void keys_tell_apart(void **state) {
	char a[CACHE_KEY_CHARS], b[CACHE_KEY_CHARS];
	key_named("", a);
	key_named(NULL, b);
	assert_string_not_equal(a, b);
	CacheKey one = cache_key_start(), two = cache_key_start();
	cache_key_text(&one, "ab");
	cache_key_text(&one, "c");
	cache_key_text(&two, "a");
	cache_key_text(&two, "bc");
	cache_key_text_of(&one, a);
	cache_key_text_of(&two, b);
	assert_string_not_equal(a, b);
	assert_int_equal(strlen(a), 32);
	CacheKey key = cache_key_start(); /* BLAKE2b-128 of "abc" */
	cache_key_bytes(&key, "abc", 3);
	cache_key_text_of(&key, a);
	assert_string_equal(a, "cf4ab791c62b8d2b2109c90275287816");
	unsigned char many[1000];
	for (size_t i = 0; i < sizeof many; i++) many[i] = (unsigned char)i;
	for (size_t piece = 1; piece <= 300; piece += 13) { /* whatever it comes in */
		key = cache_key_start();
		for (size_t at = 0; at < sizeof many; at += piece)
			cache_key_bytes(&key, many + at, at + piece < sizeof many ? piece : sizeof many - at);
		cache_key_text_of(&key, a);
		assert_string_equal(a, "978a3f8b45508a42fe7f0f99caf2c423");
	}
}

static void ignores_damage(void **state) {
	char key[CACHE_KEY_CHARS];
	key_named("damage", key);
	Compiled *c = sample();
	cache_store(key, c);
	Str name = {0};
	str_addf(&name, "cache/gpulab/%s", key);
	char *path = path_in_folder(name.text);
	size_t len;
	char *good = file_read(path, FILE_SOURCE_MOST, &len, NULL);
	assert_non_null(good);
	for (size_t cut = 0; cut < len; cut++) { /* cut short anywhere */
		put_bytes(name.text, good, cut);
		assert_null(cache_load(key));
	}
	for (size_t at = 0; at < len; at++) { /* one byte changed anywhere */
		good[at] ^= 0x40;
		put_bytes(name.text, good, len);
		assert_null(cache_load(key));
		good[at] ^= 0x40;
	}
	put_bytes(name.text, "", 0);
	assert_null(cache_load(key));
	cache_store(key, c); /* written anew, it serves again */
	compiled_free(c);
	c = cache_load(key);
	expect_sample(c);
	compiled_free(c);
	free(good);
	free(path);
	str_free(&name);
}

/* A size beyond the file's end must not be believed: the digest is right, the contents are not. */
static void ignores_forged_sizes(void **state) {
	char key[CACHE_KEY_CHARS];
	const uint64_t cubin_bytes = UINT64_MAX;
	uint8_t digest[HASH_BYTES];
	Str file = {0}, name = {0};
	key_named("forged", key);
	put_text(&file, "gpulab result 3");
	put_text(&file, key);
	put_raw(&file, &cubin_bytes, sizeof cubin_bytes);
	hash_of(file.text, file.len, digest);
	str_addn(&file, (const char *)digest, sizeof digest);
	str_addf(&name, "cache/gpulab/%s", key);
	put_bytes(name.text, file.text, file.len);
	assert_null(cache_load(key));
	str_free(&file);
	str_free(&name);
}

/* --- what is no file of ours -------------------------------------------------------------------------------------- */

static char key_tried[CACHE_KEY_CHARS];
static char *path_tried;

static void make_folder(void) {
	unlink(path_tried);
	assert_int_equal(mkdir(path_tried, 0700), 0);
}

static void make_full_folder(void) {
	make_folder();
	Str inside = {0};
	str_addf(&inside, "%s/inside", path_tried);
	assert_true(file_write(inside.text, "x", 1, NULL));
	str_free(&inside);
}

static void make_fifo(void) {
	unlink(path_tried);
	assert_int_equal(mkfifo(path_tried, 0600), 0);
}

/* To the same contents, elsewhere. */
static void make_link(void) {
	char *other = path_in_folder("elsewhere");
	assert_int_equal(rename(path_tried, other), 0);
	assert_int_equal(symlink(other, path_tried), 0);
	free(other);
}

static void make_link_to_zero(void) {
	unlink(path_tried);
	assert_int_equal(symlink("/dev/zero", path_tried), 0);
}

static void make_writable(void) {
	assert_int_equal(chmod(path_tried, 0666), 0);
}

static void make_group_writable(void) {
	assert_int_equal(chmod(path_tried, 0664), 0);
}

static void make_anothers(void) {
	if (geteuid() == 0)
		assert_int_equal(chown(path_tried, 12345, 12345), 0);
	else
		make_writable();
}

static void make_huge(void) {
	assert_int_equal(truncate(path_tried, (off_t)1 << 40), 0);
}

/* One good entry under another's name. */
static void make_copy(void) {
	char other[CACHE_KEY_CHARS];
	size_t len;
	Compiled *c = sample();
	key_named("another", other);
	cache_store(other, c);
	compiled_free(c);
	Str name = {0};
	str_addf(&name, "cache/gpulab/%s", other);
	char *from = path_in_folder(name.text), *data = file_read(from, FILE_SOURCE_MOST, &len, NULL);
	assert_true(file_write(path_tried, data, len, NULL));
	free(data);
	free(from);
	str_free(&name);
}

static void what_is_not_ours_is_made_anew(void **state) {
	static void (*const make[])(void) = {make_folder,       make_full_folder, make_fifo,           make_link,
										 make_link_to_zero, make_writable,    make_group_writable, make_anothers,
										 make_huge,         make_copy};
	Compiled *c = sample();
	Str name = {0};
	key_named("ours", key_tried);
	str_addf(&name, "cache/gpulab/%s", key_tried);
	path_tried = path_in_folder(name.text);
	for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
		cache_store(key_tried, c);
		make[i]();
		if (cache_load(key_tried)) fail_msg("case %zu is believed", i);
		cache_store(key_tried, c);
		Compiled *loaded = cache_load(key_tried);
		if (!loaded) fail_msg("case %zu is in the way", i);
		expect_sample(loaded);
		compiled_free(loaded);
	}
	struct stat about;
	assert_int_equal(stat("cache/gpulab", &about), 0);
	assert_int_equal(about.st_mode & 0777, 0700);
	compiled_free(c);
	free(path_tried);
	str_free(&name);
}

static void notes_are_checked_too(void **state) {
	cache_note_write("version", "13.0\n");
	char *text = cache_note_read("version");
	assert_string_equal(text, "13.0\n");
	free(text);
	size_t len;
	char *file = file_read("cache/gpulab/version", FILE_SOURCE_MOST, &len, NULL);
	assert_non_null(file);
	put_bytes("cache/gpulab/copied", file, len); /* another's name */
	assert_null(cache_note_read("copied"));
	for (size_t at = 0; at < len; at++) {
		file[at] ^= 1;
		put_bytes("cache/gpulab/version", file, len);
		assert_null(cache_note_read("version"));
		file[at] ^= 1;
	}
	put_bytes("cache/gpulab/version", file, len);
	assert_int_equal(chmod("cache/gpulab/version", 0666), 0);
	assert_null(cache_note_read("version"));
	unlink("cache/gpulab/version");
	assert_int_equal(mkfifo("cache/gpulab/version", 0600), 0);
	assert_null(cache_note_read("version"));
	cache_note_write("version", "13.1\n");
	text = cache_note_read("version");
	assert_string_equal(text, "13.1\n");
	free(text);
	free(file);
}

static void no_place_is_no_error(void **state) {
	char key[CACHE_KEY_CHARS];
	key_named("nowhere", key);
	char *cache = xstrdup(getenv("XDG_CACHE_HOME")), *home = getenv("HOME") ? xstrdup(getenv("HOME")) : NULL;
	Compiled *c = sample();
	const char *const places[] = {"/dev/null/no", "/proc/no/such"};
	for (size_t i = 0; i < 2; i++) {
		setenv("XDG_CACHE_HOME", places[i], 1);
		cache_store(key, c);
		assert_null(cache_load(key));
		cache_note_write("note", "text");
		assert_null(cache_note_read("note"));
	}
	setenv("XDG_CACHE_HOME", "relative", 1); /* counts as unset */
	unsetenv("HOME");
	cache_store(key, c);
	assert_null(cache_load(key));
	assert_int_not_equal(access("relative", F_OK), 0);
	char *fallback = path_in_folder("a home");
	setenv("HOME", fallback, 1);
	cache_store(key, c);
	assert_int_equal(access("a home/.cache/gpulab", F_OK), 0);
	compiled_free(c);
	if (home) setenv("HOME", home, 1);
	setenv("XDG_CACHE_HOME", cache, 1);
	free(fallback);
	free(home);
	free(cache);
}

static void oldest_go_first(void **state) {
	empty_cache();
	char keys[4][CACHE_KEY_CHARS];
	Compiled *c = sample();
	for (int i = 0; i < 4; i++) {
		char text[24];
		snprintf(text, sizeof text, "age%d", i);
		key_named(text, keys[i]);
		cache_store(keys[i], c);
		Str name = {0};
		str_addf(&name, "cache/gpulab/%s", keys[i]);
		char *path = path_in_folder(name.text);
		struct timespec times[2] = {{.tv_sec = 1000000 + i}, {.tv_sec = 1000000 + i}};
		assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
		free(path);
		str_free(&name);
	}
	compiled_free(c);
	compiled_free(cache_load(keys[0])); /* used again, and so no longer the oldest */
	cache_trim((uint64_t)1 << 20);
	assert_int_equal(cached_results(), 4);
	Str name = {0};
	str_addf(&name, "cache/gpulab/%s", keys[0]);
	struct stat st;
	char *path = path_in_folder(name.text);
	assert_int_equal(stat(path, &st), 0);
	cache_trim((uint64_t)st.st_size * 2);
	assert_int_equal(cached_results(), 2);
	const bool wanted[] = {true, false, false, true};
	for (int i = 0; i < 4; i++) {
		c = cache_load(keys[i]);
		assert_int_equal(c != NULL, wanted[i]);
		compiled_free(c);
	}
	cache_trim(0);
	assert_int_equal(cached_results(), 0);
	free(path);
	str_free(&name);
}

/* The key over a source and the headers it reaches; NULL: not to be known. */
static char *headers_key(const char *source) {
	static char out[CACHE_KEY_CHARS];
	char *dir = path_in_folder("inc"), *cuda = path_in_folder("cuda/x/..");
	const char *const dirs[] = {dir, cuda}, *const toolkit[] = {cuda};
	CacheKey key = cache_key_start();
	HeaderReport report = {0};
	Arena *arena = arena_new();
	const HeaderPlaces places = {.folder = folder_path(), .dirs = dirs, .ndirs = 2, .cuda = toolkit, .ncuda = 1};
	headers_add(arena, &key, source, &places, &report);
	bool known = !report.unknown;
	arena_free(arena);
	cache_key_text_of(&key, out);
	free(dir);
	free(cuda);
	return known ? out : NULL;
}

static char *headers_key_copy(const char *source) {
	char *key = headers_key(source);
	assert_non_null(key);
	return xstrdup(key);
}

static void headers_are_followed(void **state) {
	put("a.h", "#include \"deep/b.h\"\n");
	put("deep/b.h", "#include \"c.h\"\n");
	put("deep/c.h", "1\n");
	put("inc/d.h", "1\n");
	put("cuda/e.h", "1\n");
	const char *source = "#include \"a.h\"\n#include <d.h>\n#include <e.h>\n#include \"missing.h\"\n";
	char *first = headers_key_copy(source);
	assert_string_equal(headers_key(source), first);
	put("cuda/x/y", "");
	put("cuda/e.h", "2\n"); /* the toolkit's own: known by the library */
	assert_string_equal(headers_key(source), first);
	const char *const changes[] = {"deep/c.h", "inc/d.h", "missing.h"};
	for (size_t i = 0; i < 3; i++) {
		put(changes[i], "2\n");
		char *changed = headers_key_copy(source);
		assert_string_not_equal(changed, first);
		free(first);
		first = changed;
	}
	put("d.h", "beside the source, but asked for in brackets\n");
	assert_string_equal(headers_key(source), first);
	free(first);
}

static void circles_and_hostile_headers_end(void **state) {
	put("x.h", "#include \"y.h\"\n#include \"x.h\"\n");
	put("y.h", "#include \"x.h\"\n");
	put("folder.h/inside", "");
	assert_non_null(headers_key("#include \"x.h\"\n#include \"folder.h\"\n#include \"\"\n#include \"/dev/zero\"\n"));
	put_bytes("binary.h", "\0\xff#include \"\0\"\n\"", 16);
	assert_non_null(headers_key("#include \"binary.h\"\n"));
	Str wide = {0};
	for (int i = 0; i < 200000; i++) str_add(&wide, "/* x */ ");
	put_bytes("wide.h", wide.text, wide.len);
	assert_non_null(headers_key("#include \"wide.h\"\n"));
	str_free(&wide);
}

static void macro_headers_are_unknown(void **state) {
	put("m.h", "#define NAME \"x.h\"\n#include NAME\n");
	assert_null(headers_key("#include \"m.h\"\n"));
	assert_null(headers_key("#include NAME\n"));
}

/* --- precompiled headers ------------------------------------------------------------------------------------------ */

enum { HEADERS_BYTES = 4 << 20 };

static char *sealed(const char *name) {
	char *folder = cache_headers_folder(), *content = xcalloc(HEADERS_BYTES, 1);
	Str path = {0};
	Err err = ERR_INIT;
	assert_non_null(folder);
	str_addf(&path, "%s/%s", folder, name);
	if (!file_write(path.text, content, HEADERS_BYTES, &err)) fail_msg("%s", err.what);
	assert_int_equal(chmod(path.text, 0600), 0);
	assert_true(cache_headers_seal(path.text, path.text));
	free(content);
	free(folder);
	return str_take(&path);
}

/* What this thread has read, of all files. */
static unsigned long long bytes_read(void) {
	unsigned long long n = 0;
	FILE *io = fopen("/proc/thread-self/io", "r");
	assert_non_null(io);
	assert_int_equal(fscanf(io, "rchar: %llu", &n), 1);
	fclose(io);
	return n;
}

/* The content is read once as long as the file is the same; a damaged one is found and goes. */
static void headers_are_checked(void **state) {
	char *a = sealed("a"), *b = sealed("b");
	unsigned long long before = bytes_read();
	assert_true(cache_headers_there(a));
	assert_true(bytes_read() - before < HEADERS_BYTES);
	assert_true(cache_headers_usable(a));
	assert_true(bytes_read() - before >= HEADERS_BYTES);
	before = bytes_read();
	for (int i = 0; i < 3; i++) assert_true(cache_headers_usable(a));
	assert_true(bytes_read() - before < HEADERS_BYTES);
	free(a);
	a = sealed("a"); /* made again */
	assert_true(cache_headers_usable(a));
	assert_int_equal(truncate(a, HEADERS_BYTES / 2), 0);
	assert_true(cache_headers_there(a));
	assert_false(cache_headers_usable(a));
	assert_false(cache_headers_there(a)); /* to be made again */
	for (int i = 0; i < 200; i++) {       /* any byte of the content */
		free(sealed("b"));
		const int fd = open(b, O_WRONLY);
		assert_true(fd >= 0);
		assert_int_equal(pwrite(fd, "x", 1, i < 40 ? HEADERS_BYTES - i - 1 : rand() % HEADERS_BYTES), 1);
		close(fd);
		assert_false(cache_headers_usable(b));
	}
	free(sealed("b"));
	char *seal = xformat("%s.sum", b);
	assert_int_equal(unlink(seal), 0);
	assert_false(cache_headers_there(b));
	assert_false(cache_headers_usable(b));
	free(seal);
	free(a);
	free(b);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(keeps_results),
		cmocka_unit_test(keys_tell_apart),
		cmocka_unit_test(ignores_damage),
		cmocka_unit_test(ignores_forged_sizes),
		cmocka_unit_test(no_place_is_no_error),
		cmocka_unit_test(oldest_go_first),
		cmocka_unit_test(what_is_not_ours_is_made_anew),
		cmocka_unit_test(notes_are_checked_too),
		cmocka_unit_test(headers_are_followed),
		cmocka_unit_test(circles_and_hostile_headers_end),
		cmocka_unit_test(macro_headers_are_unknown),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("cache", tests, folder_make, folder_remove);
}
