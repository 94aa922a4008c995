/* Strings under construction, files, errors. */
#include "check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

static void strings_grow(void **state) {
	Str s = {0};
	str_add(&s, "");
	assert_string_equal(s.text, "");
	for (int i = 0; i < 1000; i++) str_addf(&s, "%d,", i);
	str_addn(&s, "tail and more", 4);
	assert_true(text_starts(s.text, "0,1,2,"));
	assert_true(text_ends(s.text, "998,999,tail"));
	assert_int_equal(strlen(s.text), s.len);
	str_clear(&s);
	assert_string_equal(s.text, "");
	assert_true(s.cap > 0);
	str_free(&s);
	assert_null(s.text);
	str_clear(&s); /* of an empty one */
}

static void strings_hold_any_byte(void **state) {
	Str s = {0};
	str_addn(&s, "a\0b", 3);
	str_addn(&s, NULL, 0);
	assert_int_equal(s.len, 3);
	assert_memory_equal(s.text, "a\0b", 4);
	str_free(&s);
}

static void formats_of_any_length(void **state) {
	Str s = {0};
	char *huge = malloc(300001);
	memset(huge, 'x', 300000);
	huge[300000] = '\0';
	str_addf(&s, "<%s>%s", huge, "");
	assert_int_equal(s.len, 300002);
	assert_int_equal(s.text[300001], '>');
	str_addf(&s, "%s", "");
	assert_int_equal(s.len, 300002);
	free(huge);
	str_free(&s);
}

static void taking_starts_again(void **state) {
	Str s = {0};
	char *empty = str_take(&s);
	assert_string_equal(empty, "");
	str_add(&s, "one");
	char *one = str_take(&s);
	str_add(&s, "two");
	assert_string_equal(one, "one");
	assert_string_equal(s.text, "two");
	free(empty);
	free(one);
	str_free(&s);
}

static void ends_and_starts(void **state) {
	assert_true(text_starts("kernel", "ker") && text_starts("kernel", "") && text_starts("", ""));
	assert_false(text_starts("ke", "ker") || text_starts("kernel", "Ker"));
	assert_true(text_ends("copy.cu", ".cu") && text_ends("copy.cu", "") && text_ends("", ""));
	assert_false(text_ends("u", ".cu") || text_ends("copy.cu", ".c"));
}

static char folder[64];

static int enter_folder(void **state) {
	snprintf(folder, sizeof folder, "/tmp/gpulab-test-XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
	DIR *dir = opendir(".");
	for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
		if (unlink(d->d_name) != 0) rmdir(d->d_name);
	}
	if (dir) closedir(dir);
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static size_t files_here(void) {
	size_t n = 0;
	DIR *dir = opendir(".");
	while (readdir(dir)) n++;
	closedir(dir);
	return n - 2;
}

static void files_come_back_as_written(void **state) {
	Err err = ERR_INIT;
	const char data[] = "first\0second\xff";
	size_t len = 0;
	assert_true(file_write("data", data, sizeof data, &err));
	char *back = file_read("data", &len, &err);
	assert_non_null(back);
	assert_int_equal(len, sizeof data);
	assert_memory_equal(back, data, sizeof data);
	assert_int_equal(back[len], '\0');
	free(back);
	assert_true(file_write("data", "", 0, &err)); /* replaces */
	back = file_read("data", NULL, &err);
	assert_string_equal(back, "");
	free(back);
	struct stat st;
	assert_int_equal(stat("data", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(err.kind, ERR_NONE);
}

static void large_files(void **state) {
	enum { N = 3000000 };
	char *data = malloc(N);
	for (size_t i = 0; i < N; i++) data[i] = (char)(i * 31 >> 3);
	assert_true(file_write("large", data, N, NULL));
	size_t len;
	char *back = file_read("large", &len, NULL);
	assert_int_equal(len, N);
	assert_memory_equal(back, data, N);
	free(back);
	free(data);
}

static void pipes_can_be_read(void **state) {
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "through", 7), 7);
	close(ends[1]);
	char path[32];
	snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
	char *text = file_read(path, NULL, NULL);
	assert_non_null(text);
	assert_string_equal(text, "through");
	free(text);
	close(ends[0]);
}

static void expect_unreadable(const char *path) {
	Err err = ERR_INIT;
	size_t len = 77;
	assert_null(file_read(path, &len, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_true(text_starts(err.what, "cannot read "));
	assert_int_equal(len, 77); /* outputs stay untouched */
}

static void unreadable_files_are_told(void **state) {
	char *huge = calloc(10001, 1);
	memset(huge, 'x', 10000);
	expect_unreadable("no such file");
	expect_unreadable("");
	expect_unreadable(folder);
	expect_unreadable("/proc/self/mem");
	expect_unreadable(huge);
	free(huge);
}

static void expect_unwritable(const char *path) {
	Err err = ERR_INIT;
	assert_false(file_write(path, "x", 1, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_true(text_starts(err.what, "cannot write "));
}

static void failed_writes_leave_nothing_behind(void **state) {
	assert_int_equal(mkdir("full", 0777), 0);
	assert_true(file_write("full/inside", "x", 1, NULL));
	size_t before = files_here();
	expect_unwritable("no/such/folder/file");
	expect_unwritable("full"); /* a folder cannot be replaced by a file */
	expect_unwritable("");
	expect_unwritable("/proc/gpulab-cannot-write-here");
	assert_int_equal(files_here(), before);
	unlink("full/inside");
}

static void errors_tell_everything(void **state) {
	Err err = ERR_INIT;
	assert_false(err_set(&err, ERR_FAULT, "store %d past the end of %s", 1, "out"));
	assert_false(err_where(&err, "copy.cu", 12));
	assert_false(err_hint(&err, "check %s", "the index"));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_string_equal(err.what, "store 1 past the end of out");
	assert_string_equal(err.where, "copy.cu:12");
	assert_string_equal(err.hint, "check the index");
	err_set(&err, ERR_SETUP, "another"); /* begins anew */
	assert_string_equal(err.where, "");
	assert_string_equal(err.hint, "");
	err_clear(&err);
	assert_int_equal(err.kind, ERR_NONE);
	assert_string_equal(err.what, "");
}

static void errors_may_quote_themselves(void **state) {
	Err err = ERR_INIT;
	err_set(&err, ERR_SETUP, "inner");
	err_set(&err, ERR_COMPILE, "outer: %s", err.what);
	assert_string_equal(err.what, "outer: inner");
}

static void errors_nobody_wants(void **state) {
	assert_false(err_set(NULL, ERR_FAULT, "x"));
	assert_false(err_hint(NULL, "x"));
	assert_false(err_where(NULL, "x", 1));
	err_clear(NULL);
}

static void long_errors_are_cut_not_spilled(void **state) {
	Err err = ERR_INIT;
	char *huge = calloc(10001, 1);
	memset(huge, 'x', 10000);
	err_set(&err, ERR_SETUP, "%s", huge);
	err_hint(&err, "%s", huge);
	err_where(&err, huge, 1);
	assert_int_equal(strlen(err.what), sizeof err.what - 1);
	assert_int_equal(strlen(err.hint), sizeof err.hint - 1);
	assert_int_equal(strlen(err.where), sizeof err.where - 1);
	assert_int_equal(err.kind, ERR_SETUP);
	free(huge);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_grow),
		cmocka_unit_test(strings_hold_any_byte),
		cmocka_unit_test(formats_of_any_length),
		cmocka_unit_test(taking_starts_again),
		cmocka_unit_test(ends_and_starts),
		cmocka_unit_test(files_come_back_as_written),
		cmocka_unit_test(large_files),
		cmocka_unit_test(pipes_can_be_read),
		cmocka_unit_test(unreadable_files_are_told),
		cmocka_unit_test(failed_writes_leave_nothing_behind),
		cmocka_unit_test(errors_tell_everything),
		cmocka_unit_test(errors_may_quote_themselves),
		cmocka_unit_test(errors_nobody_wants),
		cmocka_unit_test(long_errors_are_cut_not_spilled),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text", tests, enter_folder, leave_folder);
}
