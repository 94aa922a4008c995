/* Whole files by names that come from outside, where anything may be: what is read is a regular file of a bounded size,
 * and Ctrl-C ends the reading. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

enum { FILE_SOURCE_MOST = 16 << 20 }; /* bytes of a source: CUDA C++ with its headers, PTX, Lua */

typedef struct {
	size_t most;  /* bytes */
	bool no_link; /* a link is refused */
	bool ours;    /* and so is what another user owns or can write */
} FileRules;

/* Opens one that keeps the rules, to be closed by the caller; -1 with why: "it is a link". */
int file_open(const char *path, const FileRules *rules, Err *why);
/* Appends a file that keeps the rules to the text, which nothing is appended to on failure. why: "it is a link". */
bool file_append(const char *path, const FileRules *rules, Str *text, Err *why);

/* The file as a terminated string that the caller frees; len may be NULL. NULL with err (ERR_SETUP or ERR_INTERRUPTED):
 * "cannot read a.cu: it is a folder". */
char *file_read(const char *path, size_t most, size_t *len, Err *err);
