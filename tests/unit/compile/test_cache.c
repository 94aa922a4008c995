/* Results on disk: kept, found, damaged, evicted; and the key over headers. */
#include "folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/cache.h"
#include "compile/headers.h"

static void key_named(const char *text, char out[CACHE_KEY_CHARS]) {
	CacheKey key = cache_key_start();
	cache_key_text(&key, text);
	cache_key_text_of(&key, out);
}

static Compiled *sample(void) {
	Compiled *c = xcalloc(1, sizeof *c);
	c->cubin = xcalloc(6, 1);
	memcpy(c->cubin, "\0cub\0n", 6);
	c->cubin_bytes = 6;
	c->ptx = xstrdup(".version 9.0\n");
	c->ptx_bytes = strlen(c->ptx);
	c->log = xstrdup("a warning");
	c->cc = 90;
	c->nnames = 2;
	c->names = xcalloc(2, sizeof *c->names);
	c->names[0] = (CompiledName){xstrdup("tile<33>"), xstrdup("_Z4tileILi33EEvPf")};
	c->names[1] = (CompiledName){xstrdup("copy"), xstrdup("_Z4copyPf")};
	return c;
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
	/* the published test value of 128-bit FNV-1a: the empty text gives the offset basis, "a" this */
	CacheKey fnv = cache_key_start();
	cache_key_bytes(&fnv, "a", 1);
	cache_key_text_of(&fnv, a);
	assert_string_equal(a, "d228cb696f1a8caf78912b704e4a8964");
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
	char *good = file_read(path, &len, NULL);
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

/* Sizes that add up to the file's only by overflow must not be believed: the hash is right, the content is not. */
static void ignores_forged_sizes(void **state) {
	char key[CACHE_KEY_CHARS];
	key_named("forged", key);
	struct {
		char magic[8];
		uint64_t cc, cubin_bytes, ptx_bytes, log_bytes, names_bytes, nnames;
	} head = {"gpulab1", 90, UINT64_MAX, 0, 1, 0, 0};
	CacheKey check = cache_key_start();
	cache_key_bytes(&check, &head, sizeof head);
	Str file = {0}, name = {0};
	str_addn(&file, (const char *)&head, sizeof head);
	str_addn(&file, (const char *)&check, sizeof check);
	str_addf(&name, "cache/gpulab/%s", key);
	put_bytes(name.text, file.text, file.len);
	assert_null(cache_load(key));
	str_free(&file);
	str_free(&name);
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
		char text[8];
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
	char *dir = path_in_folder("inc"), *cuda = path_in_folder("cuda");
	const char *const dirs[] = {dir, cuda}, *const toolkit[] = {cuda};
	CacheKey key = cache_key_start();
	bool known = headers_add(&key, source, folder_path(), dirs, 2, toolkit, 1);
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

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_results),
		cmocka_unit_test(keys_tell_apart),
		cmocka_unit_test(ignores_damage),
		cmocka_unit_test(ignores_forged_sizes),
		cmocka_unit_test(no_place_is_no_error),
		cmocka_unit_test(oldest_go_first),
		cmocka_unit_test(headers_are_followed),
		cmocka_unit_test(circles_and_hostile_headers_end),
		cmocka_unit_test(macro_headers_are_unknown),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("cache", tests, folder_make, folder_remove);
}
