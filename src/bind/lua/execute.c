/* os.execute, with Ctrl-C for the command. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#include "base/proc.h"
#include "bind/bind.h"
#include "bind/internal.h"

static bool died_of_a_press(int status) {
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGINT : WEXITSTATUS(status) == 128 + SIGINT;
}

/* A press while a command runs is the command's: one that is still there soon afterwards does with it what it likes, as
 * a shell has it. Otherwise it is the caller's, too. */
static int wait_for_command(pid_t pid) {
	const double soon = 0.25;
	double pressed = -soon;
	int status = 0;
	if (bind_interrupt_unheard()) kill(pid, SIGINT); /* it was not there yet when the press came */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
		if (!bind_interrupt_unheard()) continue;
		bind_interrupt_forget();
		pressed = seconds_now();
	}
	if (died_of_a_press(status) || seconds_now() - pressed < soon) raise(SIGINT);
	return status;
}

/* Not by system(), which ignores Ctrl-C from before it starts the command: a press in between would be lost. */
int bind_execute(lua_State *L) {
	const char *command = luaL_optstring(L, 1, NULL);
	if (!command) return lua_pushboolean(L, true), 1; /* there is a shell */
	char shell[] = "/bin/sh", option[] = "-c";
	char *const argv[] = {shell, option, (char *)(uintptr_t)command, NULL};
	const ProcStart start = {.path = shell, .argv = argv, .fds = (const int[]){0, 1, 2}, .nfds = 3};
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct sigaction quit;
	pid_t pid;
	bind_look(L);
	bind_must(L, proc_start(&start, &pid, bind_err()));
	sigaction(SIGQUIT, &ignored, &quit); /* Ctrl-\\, too, is the command's */
	const int status = wait_for_command(pid);
	sigaction(SIGQUIT, &quit, NULL);
	bind_look(L);
	errno = 0;
	return luaL_execresult(L, status);
}
