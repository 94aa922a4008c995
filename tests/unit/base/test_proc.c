/* Child processes: descriptors, ends, and what cannot be started. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"

static pid_t shell(const char *command, const int *fds, unsigned nfds) {
	char *const argv[] = {"sh", "-c", (char *)command, NULL};
	const ProcStart start = {.path = "/bin/sh", .argv = argv, .fds = fds, .nfds = nfds, .own_session = true};
	Err err = ERR_INIT;
	pid_t pid = -1;
	if (!proc_start(&start, &pid, &err)) fail_msg("%s", err.what);
	return pid;
}

static void ends_are_told(void **state) {
	char text[64];
	int status = -1;
	const int none[] = {-1, -1, -1};
	assert_true(proc_wait(shell("exit 3", none, 3), 1e6, &status));
	proc_status_text(status, text, sizeof text);
	assert_string_equal(text, "exited with status 3");
	assert_true(proc_wait(shell("kill -9 $$", none, 3), 1e6, &status));
	proc_status_text(status, text, sizeof text);
	assert_string_equal(text, "was killed by signal 9 (Killed)");
	proc_status_text(status, text, 8);
	assert_string_equal(text, "was kil");
}

static void descriptors_arrive_in_order(void **state) {
	int in[2], out[2];
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	/* 0 and 1 are swapped against the order they have here, and 3 is a third one */
	const int fds[] = {in[0], out[1], -1, out[1]};
	pid_t pid = shell("read line; echo \"got $line\"; echo three >&3", fds, 4);
	close(in[0]);
	close(out[1]);
	assert_int_equal(write(in[1], "a line\n", 7), 7);
	close(in[1]);
	char text[64] = "";
	size_t n = 0;
	for (ssize_t got; (got = read(out[0], text + n, sizeof text - 1 - n)) > 0;) n += (size_t)got;
	close(out[0]);
	assert_true(proc_wait(pid, 1e6, NULL));
	assert_string_equal(text, "got a line\nthree\n");
}

static void a_child_has_no_other_descriptors(void **state) {
	int leak = fcntl(STDERR_FILENO, F_DUPFD, 40); /* without close-on-exec */
	assert_true(leak >= 40);
	const int none[] = {-1, -1, -1};
	int status = -1;
	assert_true(proc_wait(shell("if [ -e /proc/self/fd/40 ]; then exit 1; fi", none, 3), 1e6, &status));
	assert_int_equal(status, 0);
	close(leak);
}

static void signals_start_fresh(void **state) {
	signal(SIGINT, SIG_IGN);
	const int none[] = {-1, -1, -1};
	int status = -1;
	assert_true(proc_wait(shell("kill -INT $$; exit 0", none, 3), 1e6, &status));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
	signal(SIGINT, SIG_DFL);
}

static void waiting_has_an_end(void **state) {
	const int none[] = {-1, -1, -1};
	pid_t pid = shell("exec sleep 600", none, 3);
	assert_false(proc_wait(pid, 0, NULL));
	kill(pid, SIGKILL);
	assert_true(proc_wait(pid, 1e6, NULL));
	assert_true(proc_wait(pid, 1e6, NULL)); /* gone already */
}

static void impossible_starts_are_told(void **state) {
	char *const argv[] = {"no", NULL};
	const int fds[PROC_FDS + 1] = {0}, closed[] = {-1, 999, -1};
	pid_t pid = -7;
	Err err = ERR_INIT;
	ProcStart start = {.path = "/no/such/program", .argv = argv, .fds = fds, .nfds = 3};
	assert_false(proc_start(&start, &pid, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_non_null(strstr(err.what, "/no/such/program"));
	start.nfds = PROC_FDS + 1;
	assert_false(proc_start(&start, &pid, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	start = (ProcStart){.path = "/bin/sh", .argv = argv, .fds = closed, .nfds = 3};
	assert_false(proc_start(&start, &pid, &err));
	assert_int_equal(err.kind, ERR_SETUP);
}

static void time_goes_on(void **state) {
	double before = seconds_now();
	assert_true(before > 0);
	assert_true(seconds_now() >= before);
}

static void await_sleep(pid_t pid, bool sleeps) {
	while (proc_sleeps(pid) != sleeps) usleep(1000);
}

static void one_that_waits_sleeps(void **state) {
	const int none[] = {-1, -1, -1};
	const pid_t pid = shell("exec sleep 600", none, 3);
	await_sleep(pid, true);
	kill(pid, SIGSTOP);
	await_sleep(pid, false);
	kill(pid, SIGCONT);
	await_sleep(pid, true);
	kill(pid, SIGKILL);
	assert_true(proc_wait(pid, 60, NULL));
}

/* A child that computes, and one that has ended; both have taken more than the shell that waits for them. */
static void processor_time_of_a_family(void **state) {
	const int none[] = {-1, -1, -1};
	const pid_t pid =
		shell("sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; sh -c 'while :; do :; done'; :", none, 3);
	double before = 0;
	while (proc_family_computed(pid) < 0.3) {
		assert_true(proc_family_computed(pid) >= before);
		before = proc_computed(pid);
		usleep(1000);
	}
	assert_true(proc_computed(pid) < 0.3);
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	assert_true(proc_wait(pid, 60, NULL));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_are_told),
		cmocka_unit_test(descriptors_arrive_in_order),
		cmocka_unit_test(a_child_has_no_other_descriptors),
		cmocka_unit_test(signals_start_fresh),
		cmocka_unit_test(waiting_has_an_end),
		cmocka_unit_test(impossible_starts_are_told),
		cmocka_unit_test(time_goes_on),
		cmocka_unit_test(one_that_waits_sleeps),
		cmocka_unit_test(processor_time_of_a_family),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("proc", tests, NULL, NULL);
}
