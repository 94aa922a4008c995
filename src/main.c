/* The program: a prompt, a lab, a script, or the worker that serves a device. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>

#include "completion.h"
#include "device/worker.h"
#include "emu/coverage.h"
#include "options.h"

static int usage(const Err *err) {
	fprintf(stderr, "gpulab: %s\n", err->what);
	if (*err->hint) fprintf(stderr, "  %s\n", err->hint);
	return ERR_USAGE;
}

/* What was printed must have arrived, or a full disk would look like success. */
static int flushed(int status) {
	bool lost = fflush(stdout) != 0 || ferror(stdout);
	if (lost) fprintf(stderr, "gpulab: standard output cannot be written\n");
	return lost && status == 0 ? ERR_SETUP : status;
}

static int show_coverage(void) {
	Err err = ERR_INIT;
	Str text = {0};
	const bool ok = coverage_report(&text, &err);
	if (ok)
		fputs(text.text, stdout);
	else
		fprintf(stderr, "gpulab: %s\n", err.what);
	str_free(&text);
	return ok ? 0 : ERR_SETUP;
}

/* Compiles and emulated launches take tens of megabytes and give them back. Handed on to the system each time they would be
 * faulted in again page by page. A threshold that is set ends the adapting of the other, so both are. */
static void keep_memory(void) {
#ifdef __GLIBC__
	enum { KEPT = 128 << 20, LARGE = 32 << 20 };
	mallopt(M_TRIM_THRESHOLD, KEPT);
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

int main(int argc, char **argv) {
	Options options;
	Err err = ERR_INIT;
	keep_memory();
	if (!options_parse(&options, argc, argv, &err)) return usage(&err);
	if (options.worker) return worker_main(options.worker, WORKER_FD);
	signal(SIGPIPE, SIG_DFL); /* output to a pipe that nobody reads any more ends quietly, whatever our parent set */
	int status = 0;
	if (options.help)
		options_help(stdout);
	else if (options.version)
		printf("gpulab %s\n", GPULAB_VERSION);
	else if (options.completion)
		status = completion_write(stdout, options.completion, &err) ? 0 : usage(&err);
	else if (options.ptx_coverage)
		status = show_coverage();
	else
		status = session_run(&options.session);
	options_free(&options);
	return flushed(status);
}
