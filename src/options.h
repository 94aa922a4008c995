/* The command line. One table of flags drives parsing, --help and "did you mean". */
#ifndef GPULAB_OPTIONS_H
#define GPULAB_OPTIONS_H

#include <stdio.h>

#include "repl/session.h"

typedef struct {
	SessionOptions session;
	bool help, version, ptx_coverage;
	const char *completion; /* --completion SHELL */
	const char *worker;     /* --worker NAME: serve this device to the process that started us */
} Options;

/* False with err (ERR_USAGE) for what makes no sense. Lists grow in options->session; texts stay argv's. */
bool options_parse(Options *options, int argc, char **argv, Err *err);
void options_free(Options *options);
void options_help(FILE *out);

/* An option as its help has it. */
typedef struct {
	const char *name;  /* without dashes; NULL: only short */
	char letter;       /* 0: only long */
	const char *value; /* what the help calls it; NULL: takes none */
	const char *help;
} OptionText;

/* The options that are no secret, one after the other; false where there are no more. */
bool options_text(int i, OptionText *out);

#endif
