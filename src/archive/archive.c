/* archive.h: the prompt's side; calls.h: the records. */
#include "archive/archive.h"

#include <string.h>
#include <strings.h>

#include "archive/calls.h"
#include "base/cancel.h"
#include "wire/child.h"

static const double READ_S = 60;

static struct {
	bool made;
	Child child;
} worker;

bool archive_named(const char *name) {
	static const char *const ends[] = {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".txz", ".tar.zst"};
	const size_t len = strlen(name);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t n = strlen(ends[i]);
		if (len > n && strcasecmp(name + len - n, ends[i]) == 0) return true;
	}
	return false;
}

static bool call(const ReadRequest *request, ReadAnswer *answer, Err *err) {
	const Exchange x = {
		.call = CALL_READ, .request = &ReadRequest_record, .answer = &ReadAnswer_record, .patience_s = READ_S};
	if (!worker.made) child_init(&worker.child, ARCHIVE_SERVICE, "the reader of archives", &cancel_flag);
	worker.made = true;
	return (child_alive(&worker.child) || child_start(&worker.child, err)) &&
		   child_call(&worker.child, &x, request, answer, err);
}

bool archive_read(const void *bytes, size_t n, ArchiveContents *out, Err *err) {
	const ReadRequest request = {bytes, n};
	ReadAnswer answer = {0};
	if (n > ARCHIVE_MOST_BYTES)
		return err_set(err, ERR_USAGE, "the archive has more than %d MB", ARCHIVE_MOST_BYTES >> 20);
	if (!call(&request, &answer, err)) return false;
	*out = (ArchiveContents){.entries = answer.entries, .nentries = answer.nentries, .arena = worker.child.arena};
	worker.child.arena = NULL; /* what the answer points to would go with the next call */
	return true;
}

void archive_free(ArchiveContents *contents) {
	if (contents->arena) arena_free(contents->arena);
	*contents = (ArchiveContents){0};
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static bool entry_right(const void *value) {
	const ArchiveEntry *e = value;
	return e->refused ? e->bytes == 0 : e->bytes <= ARCHIVE_MOST_INNER;
}

RECORD_VALID(ArchiveEntry, entry_right, FIELD_REQUIRED(ArchiveEntry, name), FIELD(ArchiveEntry, refused),
			 FIELD_BYTES(ArchiveEntry, data, bytes))
RECORD(ReadRequest, FIELD_BYTES(ReadRequest, data, bytes))
RECORD(ReadAnswer, FIELD_LIST(ReadAnswer, entries, nentries, ArchiveEntry, ARCHIVE_MOST_ENTRIES))
