/* calls.h: the records. */
#include "archive/calls.h"

#include <string.h>

static bool entry_right(const void *value) {
	const ArchiveEntry *e = value;
	return e->refused ? e->bytes == 0 : e->bytes <= ARCHIVE_MOST_INNER;
}

RECORD_VALID(ArchiveEntry, entry_right, FIELD_REQUIRED(ArchiveEntry, name), FIELD(ArchiveEntry, refused),
			 FIELD_BYTES(ArchiveEntry, data, bytes))
RECORD(ReadRequest, FIELD_BYTES(ReadRequest, data, bytes))
RECORD(ReadAnswer, FIELD_LIST(ReadAnswer, entries, nentries, ArchiveEntry, ARCHIVE_MOST_ENTRIES))
