/* Strings under construction, files, errors. */
#include "check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/file.h"
#include "base/str.h"
#include "base/text/printable.h"

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
	char *back = file_read("data", FILE_SOURCE_MOST, &len, &err);
	assert_non_null(back);
	assert_int_equal(len, sizeof data);
	assert_memory_equal(back, data, sizeof data);
	assert_int_equal(back[len], '\0');
	free(back);
	assert_true(file_write("data", "", 0, &err)); /* replaces */
	back = file_read("data", FILE_SOURCE_MOST, NULL, &err);
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
	char *back = file_read("large", FILE_SOURCE_MOST, &len, NULL);
	assert_int_equal(len, N);
	assert_memory_equal(back, data, N);
	free(back);
	free(data);
}

static void expect_unreadable(const char *path, size_t most, const char *why) {
	Err err = ERR_INIT;
	size_t len = 77;
	assert_null(file_read(path, most, &len, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_true(text_starts(err.what, "cannot read "));
	if (!text_ends(err.what, why)) fail_msg("\"%s\" does not end with \"%s\"", err.what, why);
	assert_int_equal(len, 77); /* outputs stay untouched */
}

static void unreadable_files_are_told(void **state) {
	char *huge = calloc(10001, 1);
	memset(huge, 'x', 10000);
	expect_unreadable("no such file", 10, "No such file or directory");
	expect_unreadable("", 10, "No such file or directory");
	expect_unreadable(folder, 10, "it is a folder");
	expect_unreadable("/proc/self/mem", 10, "Input/output error");
	expect_unreadable(huge, 10, "");
	free(huge);
}

/* What may never end, or wait for another process: nothing of it is read. */
static void what_is_no_regular_file_is_refused(void **state) {
	static const char not_regular[] = "it is not a regular file";
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	const int server = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(server, (const struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(symlink("/dev/zero", "zero"), 0);
	expect_unreadable("socket", SIZE_MAX, not_regular);
	expect_unreadable("pipe", SIZE_MAX, not_regular);
	expect_unreadable("zero", SIZE_MAX, not_regular);
	expect_unreadable("/dev/urandom", SIZE_MAX, not_regular);
	close(server);
	unlink("socket");
	unlink("pipe");
	unlink("zero");
}

static void what_is_too_large_is_refused(void **state) {
	assert_true(file_write("twelve", "twelve bytes", 12, NULL));
	char *back = file_read("twelve", 12, NULL, NULL);
	assert_string_equal(back, "twelve bytes");
	free(back);
	expect_unreadable("twelve", 11, "it is too large, at most 11 bytes are read");
	assert_int_equal(truncate("twelve", (off_t)1 << 40), 0);
	expect_unreadable("twelve", 16 << 20, "it is too large, at most 16 MB are read");
	expect_unreadable("/proc/self/maps", 1 << 10, "it is too large, at most 1 KB are read"); /* reports no size */
}

static void rules_of_a_file(void **state) {
	Err why = ERR_INIT;
	AUTO_STR Str text = {0};
	str_add(&text, "before ");
	assert_true(file_write("file", "text", 4, NULL));
	assert_int_equal(symlink("file", "link"), 0);
	const FileRules any = {.most = 4}, no_link = {.most = 4, .no_link = true}, ours = {.most = 4, .ours = true};
	assert_true(file_append("link", &any, &text, &why));
	assert_true(file_append("file", &no_link, &text, &why));
	assert_true(file_append("file", &ours, &text, &why));
	assert_false(file_append("link", &no_link, &text, &why));
	assert_string_equal(why.what, "it is a link");
	assert_int_equal(chmod("file", 0666), 0);
	assert_false(file_append("file", &ours, &text, &why));
	assert_string_equal(why.what, "another user owns it or can write it");
	assert_string_equal(text.text, "before texttexttext");
	unlink("link");
}

static void a_cancel_ends_reading(void **state) {
	Err err = ERR_INIT;
	assert_true(file_write("data", "x", 1, NULL));
	atomic_store(&cancel_flag, true);
	assert_null(file_read("data", 10, NULL, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_string_equal(err.what, "interrupted");
	atomic_store(&cancel_flag, false);
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

static void expect_shown(const char *text, size_t len, const char *wanted) {
	AUTO_STR Str shown = {0};
	str_add_printable(&shown, text, len);
	assert_string_equal(shown.text, wanted);
}

#define SHOWN(text, wanted) expect_shown(text, sizeof(text) - 1, wanted)

static void what_a_terminal_obeys_is_shown(void **state) {
	SHOWN("plain\ttext\n", "plain\ttext\n");
	SHOWN("\u010de\u0161tina \u00b7 \U0001f600 \u200d\u2027\u202f\u206a\u00a0",
		  "\u010de\u0161tina \u00b7 \U0001f600 \u200d\u2027\u202f\u206a\u00a0");
	SHOWN("\033[2J\r\b\0\x7f", "\\x1B[2J\\x0D\\x08\\x00\\x7F");
	SHOWN("\xc2\x80\xc2\x9f", "\\u{80}\\u{9F}");
	SHOWN("\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069",
		  "\\u{61C}\\u{200E}\\u{200F}\\u{2028}\\u{2029}\\u{202A}\\u{202E}\\u{2066}\\u{2069}");
	SHOWN("z\xffz\xc2", "z\\xFFz\\xC2");
	SHOWN("\xe2\x80", "\\xE2\\x80");
	SHOWN("\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80", "\\xC0\\x80\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80");
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
		cmocka_unit_test(unreadable_files_are_told),
		cmocka_unit_test(what_is_no_regular_file_is_refused),
		cmocka_unit_test(what_is_too_large_is_refused),
		cmocka_unit_test(rules_of_a_file),
		cmocka_unit_test(a_cancel_ends_reading),
		cmocka_unit_test(failed_writes_leave_nothing_behind),
		cmocka_unit_test(what_a_terminal_obeys_is_shown),
		cmocka_unit_test(errors_tell_everything),
		cmocka_unit_test(errors_may_quote_themselves),
		cmocka_unit_test(errors_nobody_wants),
		cmocka_unit_test(long_errors_are_cut_not_spilled),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text", tests, enter_folder, leave_folder);
}
