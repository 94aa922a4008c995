/* The journal's file as a file: its folder, its identity, how it is set aside. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

/* Which file a path names; {0} where there is none. */
typedef struct {
	dev_t device;
	ino_t inode;
} FileId;

FileId file_id(const char *path);
bool file_same(FileId a, FileId b);

/* Keeps other gpulabs from setting files in the folder aside, and from closing them. -1: it could not be had, go on
 * without. */
int folder_lock(const char *folder);
void folder_unlock(int lock);

/* SQLite's write-ahead log needs memory that all its users share, which two machines do not. */
bool folder_on_network(const char *folder);

/* Renames a database and its log to a name that nothing has yet, which is appended to `name`. Its folder is locked. */
bool database_set_aside(const char *path, Str *name, Err *err);
