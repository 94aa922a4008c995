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

static bool ends(const char *name, const char *end) {
	const size_t len = strlen(name), n = strlen(end);
	return len > n && name[len - n - 1] != '/' && strcasecmp(name + len - n, end) == 0;
}

bool archive_named(const char *name) {
	static const char *const all[] = {".zip",    ".tar", ".tar.gz",  ".tgz",  ".tar.bz2",
									  ".tar.xz", ".txz", ".tar.zst", ".ipynb"};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (ends(name, all[i])) return true;
	return false;
}

bool archive_kernel(const char *name) {
	return ends(name, ".cu");
}

static bool is(const char *part, size_t len, const char *word) {
	return strlen(word) == len && strncasecmp(part, word, len) == 0;
}

bool archive_litter(const char *path) {
	for (size_t len; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		if (*path == '.' && !is(path, len, ".") && !is(path, len, "..")) return true;
		if (is(path, len, "__MACOSX") || is(path, len, "Thumbs.db") || is(path, len, "desktop.ini")) return true;
		if (path[len] == '\0' && len && path[len - 1] == '~') return true;
	}
	return false;
}

/* A worker that dies while it reads its first archive dies of that archive. Another may have used up its time before:
 * a fresh one tries again. */
static bool call(const ReadRequest *request, ReadAnswer *answer, Err *err) {
	const Exchange x = {
		.call = CALL_READ, .request = &ReadRequest_record, .answer = &ReadAnswer_record, .patience_s = READ_S};
	Child *c = &worker.child;
	if (!worker.made) child_init(c, ARCHIVE_SERVICE, "the reader of archives", &cancel_flag);
	worker.made = true;
	for (bool fresh = false; !fresh;) {
		fresh = !child_alive(c);
		if (fresh && !child_start(c, err)) return false;
		if (child_call(c, &x, request, answer, err)) return true;
		if (child_alive(c) || (err && err->kind == ERR_INTERRUPTED)) return false;
	}
	return err_set(err, ERR_USAGE, "reading it was stopped: the process %s", c->death);
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
