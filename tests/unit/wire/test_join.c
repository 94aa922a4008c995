/* Processes that come by the name of a socket (wire/join.h). */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "wire/join.h"

/* In a child process: its exit status is what it found in the memory, or 200 without any. */
static pid_t come(const char *name, const char *expected) {
	char why[128] = "", byte = 0;
	int memory = -1;
	const pid_t child = fork();
	if (child) return child;
	const int fd = join_by_name(name, &memory, why, sizeof why);
	if (fd < 0) _exit(strstr(why, expected) ? 200 : 201);
	_exit(pread(memory, &byte, 1, 0) == 1 ? byte : 202);
}

static int status_of(pid_t child) {
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void admit(int at, pid_t expected, int memory, const char *why) {
	struct pollfd p = {.fd = at, .events = POLLIN};
	pid_t who = 0;
	assert_int_equal(poll(&p, 1, -1), 1);
	const int connection = join_accept(at, &who);
	assert_true(connection >= 0);
	assert_int_equal(who, expected);
	join_answer(connection, memory, why);
	close(connection);
}

static void each_process_gets_the_memory(void **state) {
	char name[JOIN_NAME];
	const int at = join_listen(name, NULL), memory = memfd_create("test", MFD_CLOEXEC);
	assert_true(at >= 0 && write(memory, "\7", 1) == 1);
	for (int i = 0; i < 3; i++) {
		const pid_t child = come(name, "");
		admit(at, child, memory, "");
		assert_int_equal(status_of(child), 7);
	}
	pid_t who;
	assert_int_equal(join_accept(at, &who), -1); /* it does not wait */
	close(memory);
	close(at);
}

static void a_refusal_says_why(void **state) {
	char name[JOIN_NAME];
	const int at = join_listen(name, NULL);
	const pid_t child = come(name, "no memory is left");
	admit(at, child, -1, "no memory is left");
	assert_int_equal(status_of(child), 200);
	close(at);
	assert_int_equal(status_of(come(name, "refused")), 200); /* the name is gone with the socket */
}

static void names_differ(void **state) {
	char a[JOIN_NAME], b[JOIN_NAME];
	const int one = join_listen(a, NULL), other = join_listen(b, NULL);
	assert_true(one >= 0 && other >= 0);
	assert_string_not_equal(a, b);
	close(one);
	close(other);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_process_gets_the_memory),
									   cmocka_unit_test(a_refusal_says_why), cmocka_unit_test(names_differ)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
