/* Archives from strangers: the kernels in a zip or tar file, read in a worker process that can open no file.
 *
 *     ArchiveContents contents;
 *     if (!archive_read(bytes, n, &contents, &err)) ...
 *     for (uint32_t i = 0; i < contents.nentries; i++) ... contents.entries[i] ...
 *     archive_free(&contents);
 *
 * Nothing is unpacked onto a disk: an entry is a name and bytes. An entry that leads out of the archive (an absolute
 * path, "..", a link) or is too large is refused by name, with the reason. Whatever an archive does to the library that
 * reads it happens in the worker, within limits of time and memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum {
	ARCHIVE_MOST_BYTES = 64 << 20,   /* of the archive itself */
	ARCHIVE_MOST_CONTENT = 64 << 20, /* of what is kept of it */
	ARCHIVE_MOST_SCANNED = 1 << 30,  /* of all that comes out of it: beyond that it is a bomb */
	ARCHIVE_MOST_ENTRIES = 20000,
	ARCHIVE_MOST_KERNEL = 256 << 10, /* of a .cu file */
	ARCHIVE_MOST_INNER = 16 << 20,   /* of an archive in the archive */
	ARCHIVE_LONGEST_NAME = 1024      /* of an entry, with its folders */
};

typedef struct {
	const char *name;    /* the path in the archive, without "./" and with "/"; ends in "/" for a folder */
	const char *refused; /* why it was not read; NULL: it was */
	const void *data;
	size_t bytes;
} ArchiveEntry;

typedef struct {
	const ArchiveEntry *entries; /* .cu files, archives, folders, and what was refused, in the archive's order */
	uint32_t nentries;
	Arena *arena; /* holds all of it */
} ArchiveContents;

/* False with err: ERR_SETUP where libarchive is missing, ERR_USAGE where the bytes are no archive or a bomb, or
 * are the end of the process that reads them. */
bool archive_read(const void *bytes, size_t n, ArchiveContents *out, Err *err);
void archive_free(ArchiveContents *contents);

/* Does the name end as that of an archive, or of a kernel, in any case? A notebook is an archive of its cells, too,
 * which lua/gpulab/grade/notebook.lua reads. */
bool archive_named(const char *name);
bool archive_kernel(const char *name);

/* Is it something that a system or an editor leaves, or hidden, and so not what a student meant to submit? */
bool archive_litter(const char *path);
