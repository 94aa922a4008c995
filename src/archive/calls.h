/* What the archive worker (`gpulab --worker archive`) is asked, and what comes back. */
#pragma once

#include "archive/archive.h"
#include "wire/record.h"

#define ARCHIVE_SERVICE "archive"

enum { CALL_READ, CALL_COUNT };

typedef struct {
	const void *data;
	size_t bytes;
} ReadRequest;

typedef struct {
	const ArchiveEntry *entries;
	uint32_t nentries;
} ReadAnswer;

extern const Record ReadRequest_record, ReadAnswer_record;

/* What the worker does with a request; the answer is in the arena. */
bool archive_unpack(Arena *arena, const ReadRequest *request, ReadAnswer *answer, Err *err);

/* Serves until the other end closes. Does not return. */
_Noreturn void archive_worker_main(int fd);
