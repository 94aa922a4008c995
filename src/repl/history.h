/* The history file: one entry a line, a line break inside an entry as \n and a backslash as \\. Entries are appended
 * one at a time under a lock, so that a killed prompt loses nothing and two prompts do not overwrite each other. */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/* XDG_STATE_HOME/gpulab/history, or ~/.local/state/gpulab/history; NULL where there is no home. The caller frees. */
char *history_path(void);

/* Adds every entry of the file to the editor, oldest first, and shortens a file that has grown too long. False with err
 * if it exists but cannot be read. */
bool history_load(const char *path, Err *err);

/* Adds to the editor's list and to the file, unless it is empty or repeats the last entry. False: the file cannot be
 * written. */
bool history_append(const char *path, const char *entry, Err *err);
