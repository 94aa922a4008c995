/* check.h */
#include "check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

int exit_status_of(void (*body)(void)) {
	pid_t child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, STDERR_FILENO);
		body();
		_exit(0);
	}
	int status = -1;
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
