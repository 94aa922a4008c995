/* The program: a prompt, a lab, a script, or the worker that serves a device. */
#include <signal.h>
#include <stdio.h>

#include "device/worker.h"
#include "options.h"

static int usage(const Err *err) {
	fprintf(stderr, "gpulab: %s\n", err->what);
	if (*err->hint) fprintf(stderr, "  %s\n", err->hint);
	return ERR_USAGE;
}

/* Output to a pipe that nobody reads any more ends quietly, whatever the parent left SIGPIPE as. */
static int flushed(int status) {
	if (fflush(stdout) == 0 || status != 0) return status;
	perror("gpulab: standard output");
	return ERR_SETUP;
}

int main(int argc, char **argv) {
	Options options;
	Err err = ERR_INIT;
	if (!options_parse(&options, argc, argv, &err)) return usage(&err);
	if (options.worker) return worker_main(options.worker, WORKER_FD);
	signal(SIGPIPE, SIG_DFL);
	int status = 0;
	if (options.help)
		options_help(stdout);
	else if (options.version)
		printf("gpulab %s\n", GPULAB_VERSION);
	else
		status = session_run(&options.session);
	options_free(&options);
	return flushed(status);
}
