/* A socket by whose name processes of this user come by themselves, also those that inherited no descriptor. Each gets
 * a connection of its own, and the memory that it is to map, if any. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

enum { JOIN_NAME = 64 };

/* A descriptor to wait at, which does not block; -1 with err. The name is free again when it is closed. */
int join_listen(char name[JOIN_NAME], Err *err);
/* The connection of a process that has come, and which one it is; -1: there is none. */
int join_accept(int at, pid_t *who);
/* What the process that has come waits for: the memory, or with -1 none; and why it is not served, "" if it is. */
void join_answer(int connection, int memory, const char *why);

/* The other side: a connection; *memory is the caller's to close, -1: it gets none. -1: there is no connection, and why
 * says so. */
int join_by_name(const char *name, int *memory, char *why, size_t size);
