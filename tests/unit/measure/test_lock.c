/* The GPU's lock, on the fake GPU: two processes, a name in the way, Ctrl-C. */
#include "device_test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/file_queue.h"
#include "measure/compare.h"
#include "measure/internal.h"

static char folder[64], path[128];
static char heard[400];
static int times_heard;

static void hear(void *user, const char *text) {
	snprintf(heard, sizeof heard, "%s", text);
	times_heard++;
	if (user) kill(*(pid_t *)user, SIGKILL); /* the holder dies while we wait */
}

static void hear_first(void *user, const char *text) {
	if (!times_heard) hear(user, text);
}

static int fresh(void **state) {
	snprintf(folder, sizeof folder, "/tmp/gpulab-lock-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/gpulab-fake:bus.lock", folder);
	setenv("GPULAB_LOCK_DIR", folder, 1);
	*heard = '\0';
	times_heard = 0;
	return 0;
}

static int tidy(void **state) {
	unlink(path);
	return rmdir(folder);
}

/* Another process that takes the lock and keeps it until it is killed. */
static pid_t other_holder(Device *device) {
	int ready[2];
	char c;
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		GpuLock lock;
		LaunchOutcome o;
		const LockMode wish = {0};
		timing_lock(device, &wish, &lock, &o, NULL);
		(void)!write(ready[1], "x", 1);
		for (;;) pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static Launch scale_of(Device *d, DeviceModule *m, Arg args[4]) {
	args[0] = arg_buffer(make_buffer(d, ELEM_F32, 1024, "out", (Define){.kind = DEFINE_SENTINEL}));
	args[1] = arg_buffer(make_buffer(d, ELEM_F32, 1024, "in", (Define){.kind = DEFINE_IOTA}));
	args[2] = arg_float(2);
	args[3] = arg_int(1024);
	return (Launch){.kernel = kernel_of(d, m, "scale"),
					.config = {.grid = {8, 1, 1}, .block = {128, 1, 1}},
					.args = args,
					.nargs = 4};
}

static void it_is_held_and_let_go(void **state) {
	Device *d = open_device("worker:fake");
	GpuLock lock;
	LaunchOutcome o;
	struct stat about;
	const LockMode wish = {0};
	assert_true(timing_lock(d, &wish, &lock, &o, NULL));
	assert_true(lock.fd >= 0);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0666); /* whatever the umask */
	int second = open(path, O_RDWR);
	assert_int_equal(flock(second, LOCK_EX | LOCK_NB), -1);
	device_unlock(d, &lock);
	assert_int_equal(flock(second, LOCK_EX | LOCK_NB), 0);
	close(second);
	device_close(d);
}

static void one_waits_and_says_for_whom(void **state) {
	Device *d = open_device("worker:fake");
	GpuLock lock;
	LaunchOutcome o;
	char pid_text[40];
	pid_t pid = other_holder(d);
	const LockMode wish = {.waiting = hear, .user = &pid};
	assert_true(timing_lock(d, &wish, &lock, &o, NULL)); /* gets it because the holder is killed */
	snprintf(pid_text, sizeof pid_text, "process %d of ", (int)pid);
	assert_text(heard, pid_text);
	assert_int_equal(times_heard, 1);
	assert_true(lock.fd >= 0 && lock.waited_s > 0);
	device_unlock(d, &lock);
	waitpid(pid, NULL, 0);
	device_close(d);
}

static void without_it_the_result_says_so(void **state) {
	Device *d = open_device("worker:fake");
	Arg args[4];
	const Launch launch = scale_of(d, load_kernels(d), args);
	Measurement m;
	Comparison c;
	Err err = ERR_INIT;
	pid_t pid = other_holder(d);
	const MeasureConfig anyway = {.lock = {.none = true}};
	const CompareConfig compare_anyway = {.wall_cap_s = 0.05, .lock = {.none = true}};
	assert_done(measure(d, LIST_OF(&launch), &anyway, &m, NULL, &err), err); /* does not wait */
	assert_true(m.unlocked);
	assert_text(m.note, "without the GPU's lock");
	assert_done(compare(d, LIST_OF(&launch), LIST_OF(&launch), &compare_anyway, &c, NULL, &err), err);
	assert_true(c.unlocked);
	assert_text(c.note, "without the GPU's lock");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_done(measure(d, LIST_OF(&launch), NULL, &m, NULL, &err), err);
	assert_false(m.unlocked);
	device_close(d);
}

static void something_else_of_that_name_is_no_lock(void **state) {
	Device *d = open_device("worker:fake");
	GpuLock lock;
	LaunchOutcome o;
	const LockMode wish = {0};
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_true(timing_lock(d, &wish, &lock, &o, NULL)); /* and is not waited for */
	assert_int_equal(lock.fd, -1);
	assert_text(lock.without, "not a regular file");
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_true(timing_lock(d, &wish, &lock, &o, NULL));
	assert_int_equal(lock.fd, -1);
	assert_true(*lock.without);
	device_close(d);
}

static void hostile_text_is_not_passed_on(void **state) {
	Device *d = open_device("worker:fake");
	GpuLock lock;
	LaunchOutcome o;
	int held = open(path, O_RDWR | O_CREAT, 0666);
	assert_true(write(held, "7 \033[31mred\033[0m%n%s", 18) == 18);
	assert_int_equal(flock(held, LOCK_EX), 0);
	pid_t child = fork();
	if (child == 0) { /* the parent's descriptor holds the lock until it is killed here */
		for (;;) pause();
	}
	close(held);
	const LockMode wish = {.waiting = hear, .user = &child};
	assert_true(timing_lock(d, &wish, &lock, &o, NULL));
	assert_text(heard, "another process");
	device_unlock(d, &lock);
	waitpid(child, NULL, 0);
	device_close(d);
}

static void cancel(void *user, const char *text) {
	atomic_store(&cancel_flag, true);
}

static void ctrl_c_ends_the_wait(void **state) {
	Device *d = open_device("worker:fake");
	GpuLock lock;
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	pid_t pid = other_holder(d);
	const LockMode wish = {.waiting = cancel};
	assert_false(timing_lock(d, &wish, &lock, &o, &err));
	atomic_store(&cancel_flag, false);
	assert_int_equal(o.status, LAUNCH_INTERRUPTED);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	device_close(d);
}

/* Each process says in the file when it measures: they come in the order in which they came, and those that died are
 * skipped. */
enum { QUEUED = 8, DIES = 3 };

static pid_t queued(Device *d, int number, int order) {
	pid_t pid = fork();
	if (pid) return pid;
	GpuLock lock;
	LaunchOutcome o;
	const LockMode wish = {0};
	const char mark = (char)('a' + number);
	if (!timing_lock(d, &wish, &lock, &o, NULL)) _exit(1);
	if (write(order, &mark, 1) != 1) _exit(1);
	device_unlock(d, &lock);
	_exit(0);
}

static unsigned in_queue(void) {
	unsigned all = 0;
	const int fd = open(path, O_RDWR);
	if (fd >= 0) turn_before(fd, 0, &all);
	if (fd >= 0) close(fd);
	return all ? all - 1 : 0;
}

static void the_queue_is_fair(void **state) {
	Device *d = open_device("worker:fake");
	pid_t pids[QUEUED];
	int order[2], status;
	char came[QUEUED + 1] = "";
	assert_int_equal(pipe(order), 0);
	const pid_t first = other_holder(d);
	for (int i = 0; i < QUEUED; i++) {
		pids[i] = queued(d, i, order[1]);
		while (in_queue() < (unsigned)i + 2) usleep(1000);
	}
	kill(pids[DIES], SIGKILL);
	waitpid(pids[DIES], NULL, 0);
	kill(first, SIGKILL);
	waitpid(first, NULL, 0);
	for (int i = 0; i < QUEUED; i++) {
		if (i == DIES) continue;
		waitpid(pids[i], &status, 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(read(order[0], came, QUEUED), QUEUED - 1);
	assert_string_equal(came, "abcefgh");
	assert_int_equal(in_queue(), 0);
	close(order[0]);
	close(order[1]);
	device_close(d);
}

static void the_place_is_shown(void **state) {
	Device *d = open_device("worker:fake");
	GpuLock lock;
	LaunchOutcome o;
	int order[2];
	assert_int_equal(pipe(order), 0);
	pid_t holder = other_holder(d);
	const pid_t before = queued(d, 0, order[1]);
	while (in_queue() < 2) usleep(1000);
	const LockMode wish = {.waiting = hear_first, .user = &holder};
	assert_true(timing_lock(d, &wish, &lock, &o, NULL));
	assert_text(heard, "of 2 in the queue; ");
	device_unlock(d, &lock);
	waitpid(holder, NULL, 0);
	waitpid(before, NULL, 0);
	close(order[0]);
	close(order[1]);
	device_close(d);
}

/* Over a connection it is held at the other end, and let go when the connection ends. */
static void elsewhere_it_is_held_there(void **state) {
	Device *d = open_device("gateway:worker:fake"), *near = open_device("worker:fake");
	GpuLock lock, second;
	LaunchOutcome o;
	const LockMode wish = {0};
	assert_true(timing_lock(d, &wish, &lock, &o, NULL));
	assert_true(lock.elsewhere);
	assert_int_equal(in_queue(), 1);
	device_close(d);
	assert_true(timing_lock(near, &wish, &second, &o, NULL));
	device_unlock(near, &second);
	device_close(near);
}

static void the_emulator_needs_none(void **state) {
	Device *d = open_device("emu");
	GpuLock lock;
	LaunchOutcome o;
	struct stat about;
	const LockMode wish = {0};
	assert_true(timing_lock(d, &wish, &lock, &o, NULL));
	assert_int_equal(lock.fd, -1);
	assert_string_equal(lock.without, "");
	assert_int_equal(stat(path, &about), -1);
	device_close(d);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh, tidy)
	const struct CMUnitTest tests[] = {
		TEST(it_is_held_and_let_go),
		TEST(one_waits_and_says_for_whom),
		TEST(without_it_the_result_says_so),
		TEST(something_else_of_that_name_is_no_lock),
		TEST(hostile_text_is_not_passed_on),
		TEST(ctrl_c_ends_the_wait),
		TEST(the_queue_is_fair),
		TEST(the_place_is_shown),
		TEST(elsewhere_it_is_held_there),
		TEST(the_emulator_needs_none),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
