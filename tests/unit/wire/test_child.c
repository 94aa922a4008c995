/* Worker processes: however one ends, the caller learns how, and the next one works; what a worker has and what it has
 * not. */
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"

static const double GUARD_S = 1e6; /* without an end: tests/guard.py ends what hangs */

static void expect_error(bool ok, const Err *err, ErrKind kind, const char *what) {
	assert_false(ok);
	assert_int_equal(err->kind, kind);
	if (!strstr(err->what, what)) fail_msg("\"%s\" does not say \"%s\"", err->what, what);
}

/* It does `what`, which fails with that kind and text; then there is no worker, and a new one answers. */
static void ends_with(What what, uint32_t count, double seconds, const char *text) {
	Child c;
	Err err = ERR_INIT;
	fake_start(&c, NULL, false);
	expect_error(fake_do(&c, what, count, seconds, &err), &err, ERR_SETUP, text);
	assert_true(*err.hint);
	assert_int_equal(c.fd, -1);
	expect_error(fake_do(&c, DO_NOTHING, 0, GUARD_S, &err), &err, ERR_SETUP, "the worker process for the fake ");
	assert_true(child_start(&c, &err));
	assert_int_equal(c.starts, 2);
	assert_true(fake_do(&c, DO_NOTHING, 0, GUARD_S, &err));
	child_close(&c);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

static bool echo(Child *c, const Everything *sent, Everything *got, Err *err) {
	const Exchange x = {
		.call = FAKE_ECHO, .request = &Everything_record, .answer = &Everything_record, .patience_s = GUARD_S};
	return child_call(c, &x, sent, got, err);
}

static void calls_are_answered(void **state) {
	Child c;
	Err err = ERR_INIT;
	Everything got;
	fake_start(&c, NULL, false);
	for (uint64_t i = 0; i < 12; i++) {
		const Everything sent = {.number = i, .text = "text", .bytes = (const uint8_t *)"abc", .nbytes = 3};
		assert_true(echo(&c, &sent, &got, &err));
		assert_int_equal(got.number, i);
		assert_string_equal(got.text, "text");
		assert_memory_equal(got.bytes, "abc", 3);
	}
	child_close(&c);
}

static void errors_of_a_call_cost_no_worker(void **state) {
	Child c;
	Err err = ERR_INIT;
	Everything got;
	const Exchange unserved = {.call = FAKE_UNSERVED, .patience_s = GUARD_S};
	const Everything refused = {.number = 13};
	fake_start(&c, NULL, false);
	expect_error(fake_do(&c, DO_FAIL, 0, GUARD_S, &err), &err, ERR_WRONG, "it failed");
	assert_string_equal(err.where, "a.cu:7");
	assert_string_equal(err.hint, "try again");
	expect_error(child_call(&c, &unserved, NULL, NULL, &err), &err, ERR_USAGE, "does not understand");
	expect_error(echo(&c, &refused, &got, &err), &err, ERR_USAGE, "does not understand");
	expect_error(fake_do(&c, DO_LONG_ANSWER, 0, GUARD_S, &err), &err, ERR_SETUP, "too long");
	assert_true(fake_do(&c, DO_NOTHING, 0, GUARD_S, &err));
	assert_int_equal(c.starts, 1);
	child_close(&c);
}

static void add_text(void *user, const char *text, size_t len) {
	str_addn(user, text, len);
}

static void what_is_printed_comes_before_the_answer(void **state) {
	Child c;
	Err err = ERR_INIT;
	Str text = {0};
	const DoRequest request = {DO_PRINT, 3};
	DoAnswer answer;
	const Exchange x = {.call = FAKE_DO,
						.request = &DoRequest_record,
						.answer = &DoAnswer_record,
						.patience_s = GUARD_S,
						.print = add_text,
						.user = &text};
	fake_start(&c, NULL, false);
	assert_true(child_call(&c, &x, &request, &answer, &err));
	assert_string_equal(text.text, "line 0\nline 1\nline 2\n");
	assert_true(fake_do(&c, DO_PRINT, 3, GUARD_S, &err)); /* also where nothing takes it */
	str_free(&text);
	child_close(&c);
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void without_a_worker_a_call_fails(void **state) {
	Child c;
	Err err = ERR_INIT;
	child_init(&c, "fake", "the fake", NULL);
	expect_error(fake_do(&c, DO_NOTHING, 0, GUARD_S, &err), &err, ERR_SETUP,
				 "the worker process for the fake has not been started");
	child_close(&c);
}

static void an_exit_is_reported(void **state) {
	ends_with(DO_EXIT, 7, GUARD_S, "the worker process for the fake exited with status 7");
	ends_with(DO_EXIT, 0, GUARD_S, "the worker process for the fake exited with status 0");
}

static void a_signal_is_reported_with_the_last_words(void **state) {
	ends_with(DO_DIE, SIGKILL, GUARD_S, "was killed by signal 9 (Killed); its last message: last words");
	ends_with(DO_DIE, SIGSEGV, GUARD_S, "was killed by signal 11");
	ends_with(DO_DIE, SIGTERM, GUARD_S, "; its last message: last words");
}

static void silence_is_reported(void **state) {
	ends_with(DO_IGNORE, 0, 0.1, "did not answer in time and was stopped");
}

static void nonsense_is_reported(void **state) {
	ends_with(DO_NONSENSE, 0, GUARD_S, "sent an invalid message and was stopped");
	ends_with(DO_WRONG_ANSWER, 0, GUARD_S, "sent an invalid message and was stopped");
	ends_with(DO_WRONG_NUMBER, 0, GUARD_S, "sent an invalid message and was stopped");
}

static void an_answer_that_breaks_off_is_reported(void **state) {
	ends_with(DO_HALF, 0, GUARD_S, "exited with status 3");
}

static void a_death_between_calls_is_noticed(void **state) {
	Child c;
	fake_start(&c, NULL, false);
	assert_true(child_alive(&c));
	assert_int_equal(kill(c.pid, SIGKILL), 0);
	while (child_alive(&c)) usleep(1000);
	assert_int_equal(c.fd, -1);
	assert_true(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGKILL);
	assert_non_null(strstr(c.death, "was killed by signal 9"));
	child_close(&c);
}

static void closing_ends_the_process(void **state) {
	Child c;
	fake_start(&c, NULL, false);
	const pid_t pid = c.pid;
	child_close(&c);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	child_close(&c); /* once more does no harm */
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* A hundred times 50 ms is longer than the patience, and no step is, however busy the machine is. */
static void a_sign_of_life_renews_the_patience(void **state) {
	Child c;
	Err err = ERR_INIT;
	fake_start(&c, NULL, false);
	assert_true(fake_do(&c, DO_PROGRESS, 100, 4, &err));
	expect_error(fake_do(&c, DO_SLEEP, 100000, 0.1, &err), &err, ERR_SETUP, "did not answer in time");
	child_close(&c);
}

static void one_that_computes_is_waited_for(void **state) {
	Child c;
	Err err = ERR_INIT;
	fake_start(&c, NULL, false);
	assert_true(fake_do(&c, DO_COMPUTE, 500, 0.1, &err));
	child_close(&c);
}

/* Unless nothing in it looks at a limit. */
static void one_that_computes_for_ever_is_ended(void **state) {
	Child c;
	Err err = ERR_INIT;
	const DoRequest request = {DO_COMPUTE, UINT32_MAX};
	DoAnswer answer;
	const Exchange x = {.call = FAKE_DO,
						.request = &DoRequest_record,
						.answer = &DoAnswer_record,
						.patience_s = GUARD_S,
						.compute_s = 0.1};
	fake_start(&c, NULL, false);
	expect_error(child_call(&c, &x, &request, &answer, &err), &err, ERR_SETUP, "did not answer in time");
	child_close(&c);
}

enum { LOOKS = 50 }; /* a second, of this process's own waiting */

typedef struct {
	pid_t pid;
	int looks;
} Stopper;

static void stop_and_continue(void *user) {
	Stopper *s = user;
	if (s->looks == 0) kill(s->pid, SIGSTOP);
	if (s->looks == LOOKS) kill(s->pid, SIGCONT);
	s->looks++;
}

static bool do_stopped(Child *c, What what, uint32_t count, Err *err) {
	Stopper s = {.pid = c->pid};
	const DoRequest request = {what, count};
	DoAnswer answer;
	const Exchange x = {.call = FAKE_DO,
						.request = &DoRequest_record,
						.answer = &DoAnswer_record,
						.patience_s = 0.1,
						.grace_s = 0.5,
						.look = stop_and_continue,
						.user = &s};
	const bool ok = child_call(c, &x, &request, &answer, err);
	assert_true(s.looks > LOOKS);
	return ok;
}

static void one_that_is_stopped_is_waited_for(void **state) {
	Child c;
	Err err = ERR_INIT;
	fake_start(&c, NULL, false);
	if (!do_stopped(&c, DO_COMPUTE, 300, &err)) fail_msg("%s", err.what);
	assert_int_equal(c.starts, 1);
	child_close(&c);
}

/* It was stopped for longer than the grace. */
static void one_that_is_stopped_can_still_end_by_itself(void **state) {
	Child c;
	Err err = ERR_INIT;
	atomic_bool cancel = true;
	fake_start(&c, &cancel, true);
	expect_error(do_stopped(&c, DO_SPIN, 0, &err), &err, ERR_INTERRUPTED, "ended early");
	assert_true(c.fd >= 0);
	child_close(&c);
}

/* The worker sees the flag in the shared memory and ends the call by itself: it lives on, and the next call finds no
 * flag. */
static void a_cancel_through_shared_memory_costs_no_worker(void **state) {
	Child c;
	Err err = ERR_INIT;
	atomic_bool cancel = true;
	const DoRequest request = {DO_SPIN, 0};
	DoAnswer answer;
	const Exchange x = {.call = FAKE_DO,
						.request = &DoRequest_record,
						.answer = &DoAnswer_record,
						.patience_s = GUARD_S,
						.grace_s = GUARD_S};
	fake_start(&c, &cancel, true);
	expect_error(child_call(&c, &x, &request, &answer, &err), &err, ERR_INTERRUPTED, "ended early");
	assert_true(c.fd >= 0);
	atomic_store(&cancel, false);
	assert_true(fake_do(&c, DO_NOTHING, 0, GUARD_S, &err));
	assert_false(atomic_load(&((Shared *)c.shared)->cancel));
	assert_int_equal(c.starts, 1);
	child_close(&c);
}

static void a_cancel_without_shared_memory_ends_the_worker(void **state) {
	Child c;
	Err err = ERR_INIT;
	atomic_bool cancel = true;
	fake_start(&c, &cancel, false);
	expect_error(fake_do(&c, DO_IGNORE, 0, 1e6, &err), &err, ERR_INTERRUPTED, "interrupted");
	assert_int_equal(c.fd, -1);
	atomic_store(&cancel, false);
	assert_true(child_start(&c, &err));
	assert_true(fake_do(&c, DO_NOTHING, 0, GUARD_S, &err));
	child_close(&c);
}

static void a_worker_that_ignores_the_flag_is_ended(void **state) {
	Child c;
	Err err = ERR_INIT;
	atomic_bool cancel = true;
	fake_start(&c, &cancel, true);
	expect_error(fake_do(&c, DO_IGNORE, 0, 1e6, &err), &err, ERR_INTERRUPTED, "interrupted");
	assert_int_equal(c.fd, -1);
	child_close(&c);
}

/* --- what it has -------------------------------------------------------------------------------------------------- */

static LookAnswer look(Child *c) {
	Err err = ERR_INIT;
	LookAnswer answer;
	const Exchange x = {.call = FAKE_LOOK, .answer = &LookAnswer_record, .patience_s = GUARD_S};
	if (!child_call(c, &x, NULL, &answer, &err)) fail_msg("%s", err.what);
	return answer;
}

static void no_descriptor_is_inherited(void **state) {
	int others[40];
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		others[i] = open("/dev/null", O_RDONLY); /* no CLOEXEC */
	assert_true(others[39] > WORKER_SHARED);
	for (int shared = 0; shared < 2; shared++) {
		Child c;
		fake_start(&c, NULL, shared);
		const uint64_t open_ones = look(&c).descriptors;
		assert_int_equal(open_ones & 0xf, 0xf);
		assert_int_equal(open_ones >> (WORKER_SHARED + 1), 0);
		child_close(&c);
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) close(others[i]);
}

static void a_session_of_its_own(void **state) {
	Child c;
	fake_start(&c, NULL, false);
	const LookAnswer a = look(&c);
	assert_int_equal(a.pid, c.pid);
	assert_int_equal(a.session, a.pid);
	assert_int_equal(a.group, a.pid);
	assert_false(a.terminal);
	child_close(&c);
}

static void shared_memory_is_kept_over_a_restart(void **state) {
	for (int keep = 0; keep < 2; keep++) {
		Child c;
		Err err = ERR_INIT;
		fake_start(&c, NULL, true);
		c.keep_shared = keep;
		assert_int_equal(look(&c).mark, 0);
		assert_true(fake_do(&c, DO_MARK, 4711, GUARD_S, &err));
		uint32_t seen;
		memcpy(&seen, c.shared + SHARED_DATA, sizeof seen);
		assert_int_equal(seen, 4711);
		assert_false(fake_do(&c, DO_EXIT, 0, GUARD_S, &err));
		assert_true(child_start(&c, &err));
		assert_int_equal(look(&c).mark, keep ? 4711 : 0);
		child_close(&c);
	}
}

/* A process starts a worker that never finishes its call, reports the worker's pid, and is then killed. */
static pid_t orphan(void) {
	int ends[2];
	pid_t worker = 0;
	assert_int_equal(pipe(ends), 0);
	const pid_t parent = fork();
	if (parent == 0) {
		Child c;
		Err err = ERR_INIT;
		const DoRequest request = {DO_IGNORE, 0};
		const Exchange x = {.call = FAKE_DO, .request = &DoRequest_record, .patience_s = GUARD_S};
		child_init(&c, "fake", "the fake", NULL);
		if (!child_start(&c, &err) || !fake_do(&c, DO_NOTHING, 0, GUARD_S, &err)) _exit(1);
		if (child_send(&c, &x, &request) != WIRE_OK) _exit(1);
		if (write(ends[1], &c.pid, sizeof c.pid) != sizeof c.pid) _exit(1);
		for (;;) pause();
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &worker, sizeof worker), sizeof worker);
	close(ends[0]);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	return worker;
}

static void it_dies_with_its_parent(void **state) {
	int status = 0;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* so that its end can be waited for here */
	const pid_t worker = orphan();
	const bool gone = proc_wait(worker, GUARD_S, &status);
	if (!gone) kill(worker, SIGKILL);
	assert_true(gone);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

int main(int argc, char **argv) {
	fake_worker_if_asked(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_answered),
		cmocka_unit_test(errors_of_a_call_cost_no_worker),
		cmocka_unit_test(what_is_printed_comes_before_the_answer),
		cmocka_unit_test(without_a_worker_a_call_fails),
		cmocka_unit_test(an_exit_is_reported),
		cmocka_unit_test(a_signal_is_reported_with_the_last_words),
		cmocka_unit_test(silence_is_reported),
		cmocka_unit_test(nonsense_is_reported),
		cmocka_unit_test(an_answer_that_breaks_off_is_reported),
		cmocka_unit_test(a_death_between_calls_is_noticed),
		cmocka_unit_test(closing_ends_the_process),
		cmocka_unit_test(a_sign_of_life_renews_the_patience),
		cmocka_unit_test(one_that_computes_is_waited_for),
		cmocka_unit_test(one_that_computes_for_ever_is_ended),
		cmocka_unit_test(one_that_is_stopped_is_waited_for),
		cmocka_unit_test(one_that_is_stopped_can_still_end_by_itself),
		cmocka_unit_test(a_cancel_through_shared_memory_costs_no_worker),
		cmocka_unit_test(a_cancel_without_shared_memory_ends_the_worker),
		cmocka_unit_test(a_worker_that_ignores_the_flag_is_ended),
		cmocka_unit_test(no_descriptor_is_inherited),
		cmocka_unit_test(a_session_of_its_own),
		cmocka_unit_test(shared_memory_is_kept_over_a_restart),
		cmocka_unit_test(it_dies_with_its_parent),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
