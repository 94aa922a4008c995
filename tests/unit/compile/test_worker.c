/* What a source can do to the compiler costs the worker process and one sentence; the next compile works. */
#include "folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/proc.h"
#include "base/str.h"
#include "compile/compile.h"
#include "compile/worker/service.h"

static const char small[] = "__global__ void k(int *p) { *p = 1; }\n";
/* Instantiates 2^40 templates. */
static const char endless[] =
	"template <int D, long N> struct F { static constexpr long v = F<D - 1, 2 * N>::v + F<D - 1, 2 * N + 1>::v; };\n"
	"template <long N> struct F<0, N> { static constexpr long v = N; };\n"
	"__global__ void k(long *p) { *p = F<40, 1>::v; }\n";

static bool run(const char *source, Err *err) {
	Compiled *compiled = NULL;
	const CompileJob job = {.source = source, .path = "x.cu", .cc = 90};
	const bool ok = compile(&job, &compiled, NULL, err);
	compiled_free(compiled);
	return ok;
}

static void compiles(void) {
	Err err = ERR_INIT;
	empty_cache();
	if (!run(small, &err)) fail_msg("%s", err.what);
}

static void ends_with(const char *source, ErrKind kind, const char *what, const char *hint) {
	Err err = ERR_INIT;
	assert_false(run(source, &err));
	if (!strstr(err.what, what)) fail_msg("\"%s\" lacks \"%s\"", err.what, what);
	if (!strstr(err.hint, hint)) fail_msg("\"%s\" lacks \"%s\"", err.hint, hint);
	assert_int_equal(err.kind, kind);
	assert_true(strstr(err.what, "x.cu"));
	compiles();
}

static char *children_file(void) {
	Str path = {0};
	str_addf(&path, "/proc/self/task/%d/children", (int)getpid());
	char *text = file_read(path.text, FILE_SOURCE_MOST, NULL, NULL);
	str_free(&path);
	return text;
}

/* 0: none */
static pid_t worker_pid(void) {
	char *text = children_file();
	assert_non_null(text);
	const pid_t pid = (pid_t)atoi(text);
	free(text);
	return pid;
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static void time_is_limited(void **state) {
	limit_set(LIMIT_COMPILE_TIME, 1, NULL);
	ends_with(endless, ERR_TIMEOUT, "compiling x.cu took more than 1 s of processor time and was stopped",
			  "GPULAB_COMPILE_SECONDS");
	limit_set(LIMIT_COMPILE_TIME, 0, NULL);
	setenv("GPULAB_COMPILE_SECONDS", "0.5", 1);
	ends_with(endless, ERR_TIMEOUT, "took more than 0.5 s of processor time", "--limit compile_time=120");
	unsetenv("GPULAB_COMPILE_SECONDS");
}

static char *repeated(const char *before, const char *format, int n, const char *after) {
	Str s = {0};
	str_add(&s, before);
	for (int i = 0; i < n; i++) {
		char piece[100];
		snprintf(piece, sizeof piece, format, i, i);
		str_add(&s, piece);
	}
	str_add(&s, after);
	return str_take(&s);
}

static void memory_is_limited(void **state) {
	char *many = repeated("__global__ void k(int *p) {", "int v%d;", 10000, "}");
	setenv("GPULAB_COMPILE_MEMORY", "600M", 1);
	ends_with(many, ERR_COMPILE, "compiling x.cu needed more than 600 MB of memory and was stopped",
			  "GPULAB_COMPILE_MEMORY");
	ends_with(endless, ERR_COMPILE, "needed more than 600 MB", "--limit compile_memory=8G");
	unsetenv("GPULAB_COMPILE_MEMORY");
	limit_set(LIMIT_COMPILE_MEMORY, 0x1p30, NULL);
	ends_with(many, ERR_COMPILE, "needed more than 1 GB", "GPULAB_COMPILE_MEMORY");
	limit_set(LIMIT_COMPILE_MEMORY, 0, NULL);
	free(many);
}

/* Each warning shows the line it is about. */
static void many_warnings_are_cut(void **state) {
	Err err = ERR_INIT;
	Compiled *compiled = NULL;
	Diagnostics diags = {0};
	char *many = repeated("__global__ void k(int *p) {", "int v%d;", 4000, "}");
	const CompileJob job = {.source = many, .path = "x.cu", .cc = 90};
	if (!compile(&job, &compiled, &diags, &err)) fail_msg("%s", err.what);
	assert_true(strlen(compiled->log) >= 1 << 16 && strlen(compiled->log) <= 1 << 20);
	assert_true(diags.len > 1);
	diagnostics_free(&diags);
	compiled_free(compiled);
	free(many);
}

static void limits_that_are_none_are_told(void **state) {
	static const char *const variables[] = {"GPULAB_COMPILE_MEMORY", "GPULAB_COMPILE_SECONDS"}, *const bad[] = {
																									"much", "-1",
																									"0",    "4X",
																									"nan",  "1e999"};
	for (size_t v = 0; v < 2; v++)
		for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
			Err err = ERR_INIT;
			empty_cache();
			setenv(variables[v], bad[i], 1);
			assert_false(run(small, &err));
			assert_int_equal(err.kind, ERR_USAGE);
			assert_non_null(strstr(err.what, variables[v]));
			unsetenv(variables[v]);
		}
}

/* --- crashes ------------------------------------------------------------------------------------------------------ */

typedef struct {
	int signal;
	pid_t worker;
	double used; /* processor time of the worker, in seconds */
	bool sent;
} Killer;

static double processor_time(pid_t pid) {
	clockid_t clock;
	struct timespec used = {0};
	assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
	assert_int_equal(clock_gettime(clock, &used), 0);
	return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Once the worker has compiled for a moment. */
static void *kill_worker(void *user) {
	Killer *k = user;
	const struct timespec nap = {.tv_nsec = 10000000};
	while (processor_time(k->worker) < k->used + 0.2) nanosleep(&nap, NULL);
	k->sent = kill(k->worker, k->signal) == 0;
	return NULL;
}

static void dies_of(int signal, ErrKind kind, const char *what) {
	Err err = ERR_INIT;
	pthread_t thread;
	compiles(); /* there is a worker */
	Killer killer = {.signal = signal, .worker = worker_pid(), .used = processor_time(worker_pid())};
	assert_int_equal(pthread_create(&thread, NULL, kill_worker, &killer), 0);
	assert_false(run(endless, &err));
	pthread_join(thread, NULL);
	assert_true(killer.sent);
	assert_int_equal(err.kind, kind);
	if (!strstr(err.what, what)) fail_msg("\"%s\" lacks \"%s\"", err.what, what);
	compiles();
}

static void a_death_is_told(void **state) {
	dies_of(SIGSEGV, ERR_COMPILE, "the compiler (NVRTC) crashed on x.cu: its process was killed by signal 11");
	dies_of(SIGABRT, ERR_COMPILE, "crashed on x.cu: its process was killed by signal 6");
	dies_of(SIGKILL, ERR_SETUP, "compiling x.cu was ended by the operating system");
	dies_of(SIGPROF, ERR_TIMEOUT, "compiling x.cu took more than");
}

static void a_death_while_idle_is_nobodys_loss(void **state) {
	for (int i = 0; i < 20; i++) {
		compiles();
		const pid_t pid = worker_pid();
		assert_true(pid > 0);
		kill(pid, SIGKILL);
		compiles();
		assert_int_not_equal(worker_pid(), pid);
	}
}

static void depth_is_no_crash(void **state) {
	Str s = {0};
	str_add(&s, "__global__ void k(int *p) { *p = ");
	for (int i = 0; i < 30000; i++) str_add(&s, "(");
	str_add(&s, "1");
	for (int i = 0; i < 30000; i++) str_add(&s, ")");
	str_add(&s, "; }");
	Err err = ERR_INIT;
	if (!run(s.text, &err)) fail_msg("%s", err.what);
	str_free(&s);
}

/* --- cancel ------------------------------------------------------------------------------------------------------- */

static void *set_cancel(void *user) {
	const struct timespec nap = {.tv_nsec = *(const long *)user};
	nanosleep(&nap, NULL);
	atomic_store(&cancel_flag, true);
	return NULL;
}

static void a_cancel_ends_a_compile(void **state) {
	for (long after = 0; after < 400000000; after += 80000000) {
		Err err = ERR_INIT;
		pthread_t thread;
		assert_int_equal(pthread_create(&thread, NULL, set_cancel, &after), 0);
		assert_false(run(endless, &err));
		pthread_join(thread, NULL);
		if (err.kind != ERR_INTERRUPTED) fail_msg("%s", err.what);
		atomic_store(&cancel_flag, false);
		compiles();
	}
}

/* --- what the prompt keeps ---------------------------------------------------------------------------------------- */

static void on_signal(int sig) {}

static void the_caller_stays_itself(void **state) {
	static const int signals[] = {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGCHLD, SIGPIPE, SIGTSTP};
	struct sigaction before[7], after;
	const struct sigaction mine = {.sa_handler = on_signal};
	sigaction(SIGINT, &mine, NULL);
	for (int i = 0; i < 7; i++) sigaction(signals[i], NULL, &before[i]);
	compiles();
	for (int i = 0; i < 7; i++) {
		sigaction(signals[i], NULL, &after);
		assert_ptr_equal(after.sa_handler, before[i].sa_handler);
		assert_int_equal(after.sa_flags, before[i].sa_flags);
	}
	assert_non_null(nvrtc_version(NULL));
	char *maps = file_read("/proc/self/maps", FILE_SOURCE_MOST, NULL, NULL);
	assert_non_null(maps);
	assert_null(strstr(maps, "libnvrtc"));
	free(maps);
	signal(SIGINT, SIG_DFL);
}

static void a_hit_starts_no_process(void **state) {
	Err err = ERR_INIT;
	compiles();
	compile_end();
	assert_int_equal(worker_pid(), 0);
	assert_true(run(small, &err));
	assert_non_null(nvrtc_version(&err));
	assert_int_equal(worker_pid(), 0);
}

static void one_worker_serves_many(void **state) {
	compiles();
	const pid_t pid = worker_pid();
	for (int i = 0; i < 5; i++) compiles();
	Err err = ERR_INIT;
	assert_false(run("nonsense", &err));
	assert_int_equal(worker_pid(), pid);
	char *left = children_file();
	assert_null(strchr(strchr(left, ' ') + 1, ' ')); /* one child */
	free(left);
}

/* --- precompiled headers ------------------------------------------------------------------------------------------ */

static const char grouped[] =
	"// a comment\n#include <cuda_fp16.h>\n\n#include <cooperative_groups.h>\n#include \"own.h\"\n"
	"__global__ void k(int *p) {\n\tcooperative_groups::this_thread_block().sync();\n\t*p = OWN + %d;\n}\n";

static Compiled *compile_grouped(int n) {
	Err err = ERR_INIT;
	Compiled *compiled = NULL;
	char source[1000];
	snprintf(source, sizeof source, grouped, n);
	const CompileJob job = {.source = source, .path = "own/grouped.cu", .cc = 90};
	if (!compile(&job, &compiled, NULL, &err)) fail_msg("%s", err.what);
	return compiled;
}

/* The one file in the folder of precompiled headers, if it is finished. */
static char *precompiled_file(void) {
	char *folder = path_in_folder("cache/gpulab/headers"), *found = NULL;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (strlen(e->d_name) != 32) continue;
		Str path = {0};
		str_addf(&path, "%s/%s", folder, e->d_name);
		free(found);
		found = str_take(&path);
	}
	if (dir) closedir(dir);
	free(folder);
	return found;
}

static char *wait_for_precompiled(void) {
	const struct timespec nap = {.tv_nsec = 50000000};
	char *path;
	while (!(path = precompiled_file())) nanosleep(&nap, NULL);
	return path;
}

static void same_code(Compiled *a, Compiled *b) {
	assert_string_equal(a->ptx, b->ptx);
	assert_string_equal(a->log, b->log);
	assert_non_null(strstr(a->ptx, " 7 ")); /* .loc of a line behind the headers */
	compiled_free(a);
	compiled_free(b);
}

/* A value in the middle, so that the file looks as it did. */
static void change_byte(const char *path) {
	struct stat about;
	char byte;
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(fstat(fd, &about), 0);
	assert_int_equal(pread(fd, &byte, 1, about.st_size / 2), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, about.st_size / 2), 1);
	close(fd);
}

/* A later worker uses what an earlier process made, and nothing comes out differently. */
static void headers_are_precompiled(void **state) {
	put("own/own.h", "#define OWN 3\n");
	put("own/grouped.cu", "");
	char source[1000];
	snprintf(source, sizeof source, grouped, 1);
	const CompileJob job = {.source = source, .path = "own/grouped.cu", .cc = 90};
	empty_cache();
	Compiled *without = compile_grouped(1);
	assert_false(without->precompiled);
	compile_end();
	compile_prepare(&job);
	char *path = wait_for_precompiled();
	compile_end();
	empty_cache();
	Compiled *with = compile_grouped(1);
	if (!with->precompiled) print_message("# addresses cannot be fixed here: no precompiled headers\n");
	same_code(without, with);

	empty_cache();
	put("own/own.h", "#define OWN 4\n"); /* comes behind them */
	with = compile_grouped(1);
	without = compile_grouped(0);
	assert_string_not_equal(with->ptx, without->ptx);
	compiled_free(without);
	assert_int_equal(chmod(path, 0666), 0); /* no longer ours alone */
	empty_cache();
	without = compile_grouped(1);
	assert_false(without->precompiled);
	same_code(without, with);

	struct stat about;
	assert_int_equal(chmod(path, 0600), 0);
	change_byte(path);
	empty_cache();
	without = compile_grouped(1);
	assert_false(without->precompiled);
	empty_cache();
	same_code(without, compile_grouped(1));

	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(truncate(path, about.st_size / 2), 0);
	empty_cache();
	with = compile_grouped(1);
	assert_false(with->precompiled);
	empty_cache();
	same_code(with, compile_grouped(1));
	free(path);
}

/* What is given before a source with host code can be precompiled like its own first lines. */
static void headers_of_a_program_are_precompiled(void **state) {
	static const char program[] = "#include <cstdio>\n#include <cooperative_groups.h>\n#include <cassert>\n"
								  "__global__ void k(half *p) {\n\tcooperative_groups::this_thread_block().sync();\n"
								  "\t*p = std::max(1, 2);\n}\n"
								  "int main() { printf(\"no\"); }\n";
	const CompileJob job = {.source = program, .path = "own/program.cu", .cc = 90};
	char *folder = path_in_folder("cache/gpulab/headers"), command[600];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	assert_int_equal(system(command), 0);
	free(folder);
	empty_cache();
	Err err = ERR_INIT;
	Compiled *without = NULL, *with = NULL;
	put("own/program.cu", program);
	compile_prepare(&job);
	if (!compile(&job, &without, NULL, &err)) fail_msg("%s", err.what);
	free(wait_for_precompiled());
	empty_cache();
	if (!compile(&job, &with, NULL, &err)) fail_msg("%s", err.what);
	if (!with->precompiled) print_message("# addresses cannot be fixed here: no precompiled headers\n");
	assert_non_null(strstr(with->ptx, " 6 ")); /* .loc of a line of the program */
	assert_string_equal(without->ptx, with->ptx);
	compiled_free(without);
	compiled_free(with);
}

int main(int argc, char **argv) {
	compile_worker_if_asked(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_limited),
		cmocka_unit_test(memory_is_limited),
		cmocka_unit_test(many_warnings_are_cut),
		cmocka_unit_test(limits_that_are_none_are_told),
		cmocka_unit_test(a_death_is_told),
		cmocka_unit_test(a_death_while_idle_is_nobodys_loss),
		cmocka_unit_test(depth_is_no_crash),
		cmocka_unit_test(a_cancel_ends_a_compile),
		cmocka_unit_test(the_caller_stays_itself),
		cmocka_unit_test(a_hit_starts_no_process),
		cmocka_unit_test(one_worker_serves_many),
		cmocka_unit_test(headers_are_precompiled),
		cmocka_unit_test(headers_of_a_program_are_precompiled),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("worker", tests, folder_make, folder_remove);
}
