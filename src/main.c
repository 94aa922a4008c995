/* The program: a prompt, a lab, a script, or a worker: the compiler, or what serves a device. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/calls.h"
#include "base/arena.h"
#include "base/limits.h"
#include "base/text/printable.h"
#include "compile/worker/service.h"
#include "device/backend/worker.h"
#include "device/remote/gateway.h"
#include "options.h"
#include "wire/child.h"

static int usage(const Err *err) {
	AUTO_FREE char *what = printable(err->what), *hint = printable(err->hint);
	fprintf(stderr, "gpulab: %s\n", what);
	if (*hint) fprintf(stderr, "  %s\n", hint);
	return ERR_USAGE;
}

/* What was printed must have arrived, or a full disk would look like success. */
static int flushed(int status) {
	bool lost = fflush(stdout) != 0 || ferror(stdout);
	if (lost) fprintf(stderr, "gpulab: standard output cannot be written\n");
	return lost && status == 0 ? ERR_SETUP : status;
}

/* Compiles and emulated launches take tens of megabytes and give them back. Handed on to the system each time they
 * would be faulted in again page by page. A threshold that is set ends the adapting of the other, so both are. */
static void keep_memory(void) {
#ifdef __GLIBC__
	enum { KEPT = 128 << 20, LARGE = 32 << 20 };
	mallopt(M_TRIM_THRESHOLD, KEPT);
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

/* Until Lua is there (bind/interrupt.c). */
static void interrupted_early(int sig) {
	(void)sig;
	_exit(ERR_INTERRUPTED);
}

/* Standard streams that are closed would be the next files that are opened: a prompt that reads memory as commands,
 * messages in a kernel's results. Reading these ends at once; writing fails, as to what is closed. */
static void occupy_streams(void) {
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd) _exit(ERR_SETUP);
}

int main(int argc, char **argv) {
	Options options;
	Err err = ERR_INIT;
	occupy_streams();
	keep_memory();
	if (!options_parse(&options, argc, argv, &err)) return usage(&err);
	if (options.worker && strcmp(options.worker, COMPILE_SERVICE) == 0) compile_worker_main(WORKER_FD);
	if (options.worker && strcmp(options.worker, ARCHIVE_SERVICE) == 0) archive_worker_main(WORKER_FD);
	if (options.worker && strcmp(options.worker, GATEWAY_SERVICE) == 0) _exit(gateway_main());
	if (options.worker) _exit(worker_main(WORKER_FD)); /* nothing of it is left to tidy */
	signal(SIGINT, interrupted_early);
	signal(SIGPIPE, SIG_DFL); /* output to a closed pipe ends quietly, whatever our parent set */
	signal(SIGXFSZ, SIG_IGN); /* a file too large is an error with a message, as is a full disk */
	int status = 0;
	if (options.help)
		options_help(stdout);
	else if (options.version)
		printf("gpulab %s\n", GPULAB_VERSION);
	else
		status = limits_check(&err) ? session_run(&options.session) : usage(&err);
	options_free(&options);
	return flushed(status);
}
