/* The journal: what ran, on what, and the results; and the student's marks: exercises passed, hints seen, guesses,
 * notes, the place in each lab. One SQLite file, journal.db, in the student's folder.
 *
 * A record is one transaction. Once journal_record has returned true, the record survives the death of this process,
 * kill -9 included (the write-ahead log is not synced at each commit, so a power cut may take the latest ones; the
 * file stays intact). Any number of processes may read and write at once: they wait for each other, five seconds at
 * most. The file is created at the first record; until then, and for reading where there is none, the disk is not
 * touched.
 *
 * A file that is not as expected is never overwritten or deleted:
 *     damaged         renamed to journal.db.damaged-DATE with its log; a new one is created; journal_notice reports it
 *     newer           written by a newer gpulab: refused, untouched
 *     older           brought up to date in one transaction
 *     someone else's  a database with other contents: refused, untouched
 *
 * Failure: false and Err (ERR_SETUP; ERR_USAGE for an invalid run), outputs untouched. The journal stays usable: the
 * next call tries again, for example once the disk has space. */
#ifndef GPULAB_STORE_JOURNAL_H
#define GPULAB_STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

typedef struct Journal Journal;

enum {
	JOURNAL_NAME = 1024,           /* bytes; longer names are cut, at a character's edge */
	JOURNAL_COUNTERS = 256 * 1024, /* bytes; longer counters are refused: half a document is none */
	JOURNAL_NOTE = 64 * 1024,      /* bytes of a mark's text; the rest is cut */
	JOURNAL_MOST = 10000           /* most runs of one journal_history, most marks of one journal_marks */
};

typedef enum { VERIFIED_UNKNOWN = -1, VERIFIED_NO, VERIFIED_YES } Verified;

/* One run of one step. Texts are UTF-8; NULL and "" both say that it is not known. */
typedef struct {
	int64_t id;         /* given by the journal, rising with every record */
	int64_t time;       /* milliseconds since 1970, UTC; 0: now */
	const char *lab;    /* needed: "bank-conflicts" */
	const char *step;   /* needed: "tile" */
	const char *kernel; /* "tile<32>" */
	const char *source; /* Compiled.key: equal keys, equal programs */
	const char *params; /* "block=256 n=1024" */

	const char *device; /* as opened: "cuda:0", "emu:GTX 280" */
	const char *gpu;    /* "NVIDIA H200" */
	const char *driver, *nvrtc;

	const char *outcome; /* needed: "ok", or what went wrong: journal_outcomes */
	Verified verified;

	double value;       /* the rate, from the median time; NAN: there is none, and what follows is not looked at */
	const char *unit;   /* "GB/s", "GFLOPS" */
	const char *kind;   /* "measured" or "predicted" */
	double q1, q3;      /* rates at the quartiles and */
	double min;         /* at the minimum of the time; NAN: not known */
	int64_t samples;    /* 0: not known */
	double clock_ghz;   /* the SM clock while it was measured; NAN: not known */
	double temperature; /* of the GPU, °C; NAN: not known */

	const char *counters; /* a flat JSON object of numbers: {"barriers": 2048, ...} */
} JournalRun;

typedef struct {
	JournalRun *items; /* newest first; texts that are not known are "" */
	size_t len;
	size_t left_out; /* invalid rows (the file was edited), left out */
	Arena *arena;    /* holds all of it */
} JournalRuns;

/* What a student did besides running steps. Texts as in JournalRun. */
typedef struct {
	int64_t id;       /* given by the journal, rising with every mark */
	int64_t time;     /* milliseconds since 1970, UTC; 0: now */
	const char *lab;  /* needed */
	const char *what; /* needed: one of journal_mark_kinds */
	const char *name; /* needed: the step or exercise it is about */
	const char *text; /* a note, parameters, a file's hash: what belongs to it */
	const char *unit; /* of the two numbers */
	double number;    /* a guess, the number of a hint; NAN: none */
	double truth;     /* what was guessed at; NAN: none */
} JournalMark;

typedef struct {
	JournalMark *items; /* newest first; texts that are not known are "" */
	size_t len;
	size_t left_out; /* rows that make no sense */
	Arena *arena;    /* holds all of it */
} JournalMarks;

/* NULL-terminated: "ok", "compile", "fault" ... */
extern const char *const journal_outcomes[];

/* NULL-terminated: "passed", "hint", "solution", "guess", "note", "place". Of a lab's places only the newest is
 * kept. */
extern const char *const journal_mark_kinds[];

/* Touches nothing yet. The folder, and those above it, are made at the first record. */
Journal *journal_open(const char *folder);
void journal_close(Journal *journal); /* NULL is allowed */

const char *journal_path(const Journal *journal);

/* Texts are kept as journal_clean makes them. id (may be NULL) receives the record's number. */
bool journal_record(Journal *journal, const JournalRun *run, int64_t *id, Err *err);

/* The newest n runs of a step (JOURNAL_MOST at most). No journal yet: none. */
bool journal_history(Journal *journal, const char *lab, const char *step, size_t n, JournalRuns *out, Err *err);
void journal_runs_free(JournalRuns *runs); /* {0} is allowed */

/* As journal_record, for a mark. */
bool journal_mark(Journal *journal, const JournalMark *mark, int64_t *id, Err *err);

/* The newest marks of a lab (JOURNAL_MOST at most); NULL for lab or what: of all of them. No journal yet: none. */
bool journal_marks(Journal *journal, const char *lab, const char *what, JournalMarks *out, Err *err);
void journal_marks_free(JournalMarks *marks); /* {0} is allowed */

/* Whether a file was set aside since the last call, and the message for the user. */
bool journal_notice(Journal *journal, Err *notice);

/* Appends the text, which may hold anything, as the journal keeps it: UTF-8 with U+FFFD for each byte that is none and
 * each NUL, `most` bytes at most. */
void journal_clean(Str *out, const char *text, size_t len, size_t most);

#endif
