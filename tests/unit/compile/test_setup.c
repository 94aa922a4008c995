/* What is said where NVRTC is missing, too old, or no NVRTC at all; and that nothing is loaded without need. */
#include "folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "compile/compile.h"
#include "compile/toolkit.h"
#include "compile/worker/service.h"

static bool compile_empty(Err *err) {
	Compiled *compiled = NULL;
	CompileJob job = {.source = "__global__ void k(void) {}", .path = "<prompt>", .cc = 90};
	bool ok = compile(&job, &compiled, NULL, err);
	compiled_free(compiled);
	return ok;
}

static void expect_setup_error(const char *library, const char *what) {
	Err err = ERR_INIT;
	setenv("GPULAB_NVRTC", library, 1);
	assert_false(compile_empty(&err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_non_null(strstr(err.what, what));
	assert_non_null(strstr(err.hint, "./bootstrap"));
	err_clear(&err);
	assert_null(nvrtc_version(&err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_non_null(strstr(err.what, what));
	unsetenv("GPULAB_NVRTC");
}

static void missing(void **state) {
	expect_setup_error("/nonexistent/libnvrtc.so", "no NVRTC at GPULAB_NVRTC=/nonexistent/libnvrtc.so");
	expect_setup_error(folder_path(), "no NVRTC at");
}

static void too_old(void **state) {
	expect_setup_error(FAKE_OLD, "NVRTC 12.4 is too old, gpulab needs 12.8 or newer");
	expect_setup_error(FAKE_OLD, "NVRTC 12.4 is too old"); /* the second time from memory */
}

static void no_library(void **state) {
	put("text.so", "this is no library");
	char *path = path_in_folder("text.so");
	expect_setup_error(path, "cannot load NVRTC");
	free(path);
	expect_setup_error(FAKE_BROKEN, "it lacks nvrtcGetProgramLog");
}

static void new_enough(void **state) {
	Err err = ERR_INIT;
	setenv("GPULAB_NVRTC", FAKE_NEW, 1);
	const char *version = nvrtc_version(&err);
	assert_non_null(version);
	assert_string_equal(version, "12.8");
	unsetenv("GPULAB_NVRTC");
}

static char notice[400];
static unsigned notices;

static void take_notice(const char *text) {
	snprintf(notice, sizeof notice, "%s", text);
	notices++;
}

/* One that nobody has verified the labs with works, and this is said once. */
static void newer_than_verified(void **state) {
	compile_notice = take_notice;
	setenv("GPULAB_NVRTC", FAKE_NEW, 1);
	assert_string_equal(nvrtc_version(NULL), "12.8");
	assert_null(nvrtc_verified());
	assert_int_equal(notices, 0);
	for (int i = 0; i < 2; i++) {
		setenv("GPULAB_NVRTC", FAKE_NEXT, 1);
		assert_string_equal(nvrtc_version(NULL), "99.1");
		assert_non_null(strstr(notice, nvrtc_verified()));
		setenv("GPULAB_NVRTC", FAKE_NEW, 1);
		assert_non_null(nvrtc_version(NULL));
	}
	assert_int_equal(notices, 1);
	assert_non_null(strstr(notice, "NVRTC 99.1 is newer than "));
	unsetenv("GPULAB_NVRTC");
	compile_notice = NULL;
}

static void errors_do_not_stick(void **state) {
	Err err = ERR_INIT;
	expect_setup_error("/nonexistent", "no NVRTC at");
	setenv("GPULAB_NVRTC", FAKE_NEW, 1);
	assert_non_null(nvrtc_version(&err));
	assert_int_equal(err.kind, ERR_NONE);
	unsetenv("GPULAB_NVRTC");
}

static void the_sandbox_is_reported(void **state) {
	Err err = ERR_INIT;
	char text[160] = "untouched";
	setenv("GPULAB_NVRTC", FAKE_NEW, 1);
	assert_true(compile_sandbox(text, sizeof text, &err));
	assert_non_null(strstr(text, "limits, privileges")); /* every kernel has these */
	setenv("GPULAB_NVRTC", "/nonexistent", 1);
	strcpy(text, "untouched");
	assert_false(compile_sandbox(text, sizeof text, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_string_equal(text, "untouched");
	unsetenv("GPULAB_NVRTC");
}

static void set_old_time(const char *path) {
	const struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A version once seen is remembered by the library's identity, so that a warm start opens nothing: a copy that cannot
 * be loaded any more, but has the same path, size and time, still tells its version. */
static void versions_are_remembered(void **state) {
	size_t len;
	char *library = file_read(FAKE_NEW, FILE_SOURCE_MOST, &len, NULL);
	assert_non_null(library);
	put_bytes("copy.so", library, len);
	char *path = path_in_folder("copy.so");
	set_old_time(path);
	setenv("GPULAB_NVRTC", path, 1);
	assert_string_equal(nvrtc_version(NULL), "12.8");
	setenv("GPULAB_NVRTC", FAKE_OLD, 1);
	assert_null(nvrtc_version(NULL));
	memset(library, 0, len);
	put_bytes("copy.so", library, len);
	set_old_time(path);
	setenv("GPULAB_NVRTC", path, 1);
	assert_string_equal(nvrtc_version(NULL), "12.8");
	unsetenv("GPULAB_NVRTC");
	free(path);
	free(library);
}

static bool take_none(NvrtcLibrary *library, void *context) {
	size_t *offered = context;
	assert_int_equal(*library->path, '/');
	assert_true(library->bytes > 0);
	++*offered;
	return false;
}

static bool take_second(NvrtcLibrary *library, void *context) {
	size_t *offered = context;
	if (++*offered < 2) return false;
	toolkit_forget(library);
	return true;
}

static void searches_python_packages(void **state) {
	size_t before = 0, after = 0, taken = 0;
	toolkit_search(take_none, &before);
	put("env/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "a");
	put("env/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13", "b");
	put("env/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so", "c");
	char *env = path_in_folder("env");
	setenv("VIRTUAL_ENV", env, 1);
	assert_false(toolkit_search(take_none, &after));
	assert_int_equal(after, before + 3);
	assert_true(toolkit_search(take_second, &taken));
	assert_int_equal(taken, 2);
	unsetenv("VIRTUAL_ENV");
	free(env);
}

static bool take_first(NvrtcLibrary *library, void *context) {
	snprintf(context, 4096, "%s", library->path);
	toolkit_forget(library);
	return true;
}

/* The reader's choice comes before the toolkit that the program was built with. */
static void cuda_home_is_first(void **state) {
	char taken[4096], *home = path_in_folder("chosen"), *library;
	put("chosen/lib64/libnvrtc.so.13", "x");
	library = path_in_folder("chosen/lib64/libnvrtc.so.13");
	setenv("CUDA_HOME", home, 1);
	assert_true(toolkit_search(take_first, taken));
	assert_string_equal(taken, library);
	unsetenv("CUDA_HOME");
	free(home);
	free(library);
}

static size_t offered(void) {
	size_t count = 0;
	assert_false(toolkit_search(take_none, &count));
	return count;
}

/* Next to this program, as if it had been installed with its toolkit, or in a Python package next to NVIDIA's. */
static void searches_next_to_the_program(void **state) {
	static const char *const places[] = {"../lib/gpulab/cuda/lib", "../../../nvidia/cu13/lib"};
	Arena *arena = arena_new();
	const char *folder = path_folder(arena, path_real(arena, "/proc/self/exe"));
	const size_t before = offered();
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const char *library = arena_format(arena, "%s/%s/libnvrtc.so.13", folder, places[i]);
		assert_true(folders_make(library, 0700, NULL));
		assert_true(file_write(library, "x", 1, NULL));
		assert_int_equal(offered(), before + 1);
		unlink(library);
	}
	arena_free(arena);
}

static void finds_headers(void **state) {
	NvrtcLibrary lib;
	put("home/lib/libnvrtc.so.13", "x");
	put("home/include/cooperative_groups.h", "");
	put("home/include/cccl/cuda/std/array", "");
	assert_true(toolkit_describe("home/lib/libnvrtc.so.13", &lib));
	assert_true(lib.includes[0] && strstr(lib.includes[0], "include"));
	assert_true(lib.includes[1] && strstr(lib.includes[1], "include/cccl"));
	toolkit_forget(&lib);
	put("nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "x");
	put("nvidia/cuda_runtime/include/cooperative_groups.h", "");
	put("nvidia/cuda_cccl/include/cuda/std/array", "");
	assert_true(toolkit_describe("nvidia/cuda_nvrtc/lib/libnvrtc.so.12", &lib));
	assert_true(lib.includes[0] && strstr(lib.includes[0], "cuda_runtime/include"));
	assert_true(lib.includes[1] && strstr(lib.includes[1], "cuda_cccl/include"));
	assert_null(lib.includes[2]);
	toolkit_forget(&lib);
	assert_false(toolkit_describe("nvidia", &lib));
	assert_false(toolkit_describe("no such file", &lib));
}

int main(int argc, char **argv) {
	compile_worker_if_asked(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing),
		cmocka_unit_test(too_old),
		cmocka_unit_test(no_library),
		cmocka_unit_test(new_enough),
		cmocka_unit_test(newer_than_verified),
		cmocka_unit_test(errors_do_not_stick),
		cmocka_unit_test(the_sandbox_is_reported),
		cmocka_unit_test(versions_are_remembered),
		cmocka_unit_test(searches_python_packages),
		cmocka_unit_test(searches_next_to_the_program),
		cmocka_unit_test(cuda_home_is_first),
		cmocka_unit_test(finds_headers),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("setup", tests, folder_make, folder_remove);
}
