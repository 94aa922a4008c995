/* What a worker in its sandbox can still do, tried in one; and that the parts a kernel lacks are named. */
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state) {
	char path[80];
	snprintf(folder, sizeof folder, "/tmp/gpulab-sandbox-XXXXXX");
	if (!mkdtemp(folder)) return -1;
	snprintf(path, sizeof path, "%s/there", folder);
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	return 0;
}

static int remove_folder(void **state) {
	static const char *const names[] = {"there", "made", "grows"};
	char path[80];
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

static SandboxState enter(Child *c, bool driver, bool emulator) {
	Err err = ERR_INIT;
	SandboxState s = {0};
	const EnterRequest request = {folder, driver, emulator};
	const Exchange x = {
		.call = FAKE_ENTER, .request = &EnterRequest_record, .answer = &SandboxState_record, .patience_s = 1e6};
	fake_start(c, NULL, false);
	if (!child_call(c, &x, &request, &s, &err)) fail_msg("%s", err.what);
	return s;
}

static int attempt(Child *c, Attempt what) {
	Err err = ERR_INIT;
	TryAnswer answer;
	const TryRequest request = {what, folder};
	const Exchange x = {
		.call = FAKE_TRY, .request = &TryRequest_record, .answer = &TryAnswer_record, .patience_s = 1e6};
	if (!child_call(c, &x, &request, &answer, &err)) fail_msg("attempt %d: %s", what, err.what);
	return answer.error;
}

typedef struct {
	Attempt what;
	int error, without; /* errno in the sandbox; without it, where that tells them apart, else -1 */
} Case;

static void expect(Child *c, const Case *cases, size_t n) {
	for (size_t i = 0; i < n; i++) {
		const int error = attempt(c, cases[i].what);
		if (error != cases[i].error) fail_msg("attempt %d: %s", cases[i].what, strerror(error));
	}
}

static const Case of_files[] = {{TRY_READ_PASSWD, EACCES, 0},
								{TRY_READ_ALLOWED, 0, 0},
								{TRY_WRITE_HOME, EACCES, 0},
								{TRY_WRITE_ALLOWED, 0, 0}},
				  of_limits[] = {{TRY_GROW_FILE, EFBIG, 0}, {TRY_ALLOCATE, ENOMEM, 0}},
				  of_calls[] = {{TRY_SOCKET, EPERM, 0},       {TRY_LOCAL_SOCKET, EPERM, 0}, {TRY_FORK, EPERM, 0},
								{TRY_EXEC, EPERM, -1},        {TRY_PTRACE, EPERM, -1},      {TRY_KILL_PARENT, EPERM, 0},
								{TRY_KILL_SELF, 0, 0},        {TRY_MOUNT, EPERM, -1},       {TRY_KEYCTL, EPERM, -1},
								{TRY_BPF, EPERM, -1},         {TRY_PERF, EPERM, -1},        {TRY_URING, EPERM, -1},
								{TRY_USERFAULTFD, EPERM, -1}, {TRY_UNSHARE, EPERM, -1},     {TRY_CHMOD, EPERM, 0},
								{TRY_THREADS, 0, 0}};

#define EACH(list) list, sizeof list / sizeof *list

static void needs(bool part, const char *name) {
	if (part) return;
	print_message("# SKIP: this kernel has no %s\n", name);
	skip();
}

static void limits_hold(void **state) {
	Child c;
	const SandboxState s = enter(&c, false, false);
	assert_true(s.limits && s.privileges);
	expect(&c, EACH(of_limits));
	child_close(&c);
}

static void files_are_closed(void **state) {
	Child c;
	const SandboxState s = enter(&c, false, false);
	if (s.files) expect(&c, EACH(of_files));
	child_close(&c);
	needs(s.files, "Landlock");
}

static void calls_are_refused(void **state) {
	Child c;
	const SandboxState s = enter(&c, false, false);
	if (s.calls) expect(&c, EACH(of_calls));
	child_close(&c);
	needs(s.calls, "seccomp");
}

/* Without it they are done: or else the tests above say nothing. */
static void without_it_all_is_done(void **state) {
	const struct {
		const Case *cases;
		size_t n;
	} lists[] = {{EACH(of_files)}, {EACH(of_limits)}, {EACH(of_calls)}};
	Child c;
	fake_start(&c, NULL, false);
	for (size_t l = 0; l < 3; l++)
		for (size_t i = 0; i < lists[l].n; i++) {
			const Case *k = &lists[l].cases[i];
			if (k->without >= 0) assert_int_equal(attempt(&c, k->what), k->without);
		}
	child_close(&c);
	char path[4096];
	snprintf(path, sizeof path, "%s/.gpulab-sandbox-test", getenv("HOME") ? getenv("HOME") : "/");
	unlink(path);
}

static void a_driver_may_do_more(void **state) {
	Child c;
	const SandboxState s = enter(&c, true, false);
	if (s.calls) {
		assert_int_equal(attempt(&c, TRY_SOCKET), EPERM);
		assert_int_equal(attempt(&c, TRY_LOCAL_SOCKET), 0);
		assert_int_equal(attempt(&c, TRY_CHMOD), 0);
		assert_int_equal(attempt(&c, TRY_EXEC), EPERM);
	}
	child_close(&c);
	needs(s.calls, "seccomp");
}

static void the_emulator_needs_no_file(void **state) {
	Child c;
	const SandboxState s = enter(&c, false, true);
	assert_int_equal(attempt(&c, TRY_THREADS), 0);
	if (s.files) {
		assert_int_equal(attempt(&c, TRY_READ_ALLOWED), EACCES);
		assert_int_equal(attempt(&c, TRY_WRITE_ALLOWED), EACCES);
	}
	child_close(&c);
	needs(s.files, "Landlock");
}

/* A namespace for mounts: an administrator's, or one of a namespace for users. */
static bool own_mounts(void) {
	char line[32];
	const int n = snprintf(line, sizeof line, "0 %u 1", (unsigned)getuid());
	if (unshare(CLONE_NEWNS) == 0) return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
	const int map = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
	return write(map, line, (size_t)n) == n && close(map) == 0;
}

/* /dev with nothing but WSL's node, and one that is none of a GPU. */
static bool only_dxg(void) {
	return own_mounts() && mount("none", "/dev", "tmpfs", 0, NULL) == 0 &&
		   close(open("/dev/dxg", O_CREAT | O_CLOEXEC, 0600)) == 0 &&
		   close(open("/dev/other", O_CREAT | O_CLOEXEC, 0600)) == 0;
}

static int gpu_of_windows(void) {
	Err err = ERR_INIT;
	SandboxState s = {0};
	const SandboxPlan plan = sandbox_cuda_plan();
	if (!plan.devices[0] || strcmp(plan.devices[0], "/dev/dxg") || plan.devices[1]) return 2;
	if (!sandbox_enter(&plan, &s, &err)) return 3;
	if (!s.files) return 0;
	if (open("/dev/dxg", O_RDWR | O_CLOEXEC) < 0) return 4;
	return open("/dev/other", O_RDWR | O_CLOEXEC) >= 0 ? 5 : 0;
}

static void the_gpu_of_windows_is_open(void **state) {
	int status = 0;
	const pid_t child = fork();
	if (child == 0) _exit(only_dxg() ? gpu_of_windows() : 77);
	assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	needs(WEXITSTATUS(status) != 77, "namespace for mounts to give away");
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void the_state_is_told(void **state) {
	char text[100];
	sandbox_text(&(SandboxState){true, true, true, true, 7}, text, sizeof text);
	assert_string_equal(text, "limits, privileges, files, calls");
	sandbox_text(&(SandboxState){true, true, false, true, 0}, text, sizeof text);
	assert_string_equal(text, "limits, privileges, calls; not here: files");
	sandbox_text(&(SandboxState){0}, text, sizeof text);
	assert_string_equal(text, "none; not here: limits, privileges, files, calls");
}

int main(int argc, char **argv) {
	fake_worker_if_asked(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(files_are_closed),
		cmocka_unit_test(calls_are_refused),
		cmocka_unit_test(without_it_all_is_done),
		cmocka_unit_test(a_driver_may_do_more),
		cmocka_unit_test(the_emulator_needs_no_file),
		cmocka_unit_test(the_gpu_of_windows_is_open),
		cmocka_unit_test(the_state_is_told),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("sandbox", tests, make_folder, remove_folder);
}
