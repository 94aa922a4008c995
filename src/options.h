/* The command line. One table of flags drives parsing, --help and "did you mean". */
#pragma once

#include <stdio.h>

#include "repl/session.h"

typedef struct {
	SessionOptions session;
	bool help, version;
	const char *worker; /* --worker NAME: serve this device to the process that started us */
} Options;

/* False with err (ERR_USAGE) for what makes no sense. Lists grow in options->session; texts stay argv's. */
bool options_parse(Options *options, int argc, char **argv, Err *err);
void options_free(Options *options);
void options_help(FILE *out);
