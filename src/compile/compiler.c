/* compiler.h: the one worker process, and what its end means. */
#include "compile/compiler.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/limits.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/worker/service.h"
#include "wire/child.h"

static const double CANCEL_S = 0.01; /* a compile does not end early by itself: no use in waiting for it */

static struct {
	bool made;
	Child child;
	char library[4096];    /* loaded, as it was asked for; "" also where none is */
	char path[4096];       /* of the library loaded; "": none */
	OpenAnswer opened;     /* its path is above */
	uint64_t memory_bytes; /* the limit it was started with */
	VEC(char *) folders;   /* resolved: what it may read besides the toolkit */
	bool opening;          /* the answer to CALL_OPEN is still to come */
} worker;

/* The process that makes precompiled headers. Unlike the worker it reads nothing of a student's, and may write. */
static struct {
	bool made;
	Child child;
	unsigned waiting; /* answers still to come */
	bool useless;     /* what it makes is of no use here */
	char last[4096];  /* asked for; it may still be in the making */
} maker;

static void free_folders(void) {
	for (size_t i = 0; i < worker.folders.len; i++) free(worker.folders.data[i]);
	vec_free(&worker.folders);
}

void compile_end(void) {
	if (worker.made) child_close(&worker.child);
	if (maker.made) child_close(&maker.child);
	free_folders();
	worker.made = worker.opening = maker.made = false;
	*maker.last = '\0';
	*worker.path = '\0';
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t memory_bytes;
	double seconds;
} CompileLimits;

static bool get_limits(CompileLimits *out, Err *err) {
	if (!limits_check(err)) return false;
	*out = (CompileLimits){(uint64_t)limit_of(LIMIT_COMPILE_MEMORY), limit_of(LIMIT_COMPILE_TIME)};
	return true;
}

/* --- how it ended ------------------------------------------------------------------------------------------------- */

static bool out_of_memory(const char *shown, Err *err) {
	char memory[32];
	limit_value_text(LIMIT_COMPILE_MEMORY, (double)worker.memory_bytes, memory, sizeof memory);
	err_set(err, ERR_COMPILE, "compiling %.200s needed more than %s of memory and was stopped", shown, memory);
	return err_hint(err, "a template, a macro or a list in it may be larger than you meant; %s sets the limit",
					limit_how(LIMIT_COMPILE_MEMORY));
}

bool compiler_out_of_time(const char *shown, Err *err) {
	err_set(err, ERR_TIMEOUT, "compiling %.200s took more than %g s of processor time and was stopped", shown,
			limit_of(LIMIT_COMPILE_TIME));
	return err_hint(err, "a template or a macro in it may expand further than you meant; %s sets the limit",
					limit_how(LIMIT_COMPILE_TIME));
}

static bool memory_was_short(const char *death) {
	static const char *const words[] = {"out of memory", "Out of memory", "bad_alloc", "Allocation failed"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(death, words[i])) return true;
	return false;
}

static bool crashed(const char *shown, Err *err) {
	const Child *c = &worker.child;
	const int sig = WIFSIGNALED(c->status) ? WTERMSIG(c->status) : 0;
	if (memory_was_short(c->death)) return out_of_memory(shown, err);
	if (sig == SIGPROF) return compiler_out_of_time(shown, err);
	if (sig == SIGKILL) {
		err_set(err, ERR_SETUP, "compiling %.200s was ended by the operating system", shown);
		return err_hint(err, "most likely this computer has not enough free memory for it");
	}
	err_set(err, ERR_COMPILE, "the compiler (NVRTC) crashed on %.200s: its process %.200s", shown, c->death);
	return err_hint(err, "a source that is nested very deeply can do that; make it smaller. The next compile starts a "
						 "fresh process");
}

static bool ended(WireStatus status, const char *shown, Err *err) {
	Child *c = &worker.child;
	*worker.path = '\0';
	if (status == WIRE_CLOSED) {
		child_bury(c, false);
		return crashed(shown, err);
	}
	return child_lost(c, status, err);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static bool same_library(const char *library) {
	return *worker.path && (strcmp(worker.library, library) == 0 || strcmp(worker.path, library) == 0);
}

static bool start(Err *err) {
	worker.opening = false;
	if (!worker.made) child_init(&worker.child, COMPILE_SERVICE, "the compiler", &cancel_flag);
	worker.made = true;
	*worker.path = '\0';
	return child_start(&worker.child, err);
}

/* --- what it may read --------------------------------------------------------------------------------------------- */

/* A list for one call, in an arena of its own. */
typedef struct {
	VEC(const char *) list;
	Arena *arena;
} Paths;

static void add_path(Paths *paths, const char *path) {
	vec_push_in(paths->arena, &paths->list, path);
}

static bool covers(const char *folder, const char *path) {
	const size_t n = strlen(folder);
	return strncmp(path, folder, n) == 0 && (path[n] == '/' || !path[n] || folder[n - 1] == '/');
}

static bool granted(const char *path) {
	for (size_t i = 0; i < worker.folders.len; i++)
		if (covers(worker.folders.data[i], path)) return true;
	return false;
}

/* Those of the place that the worker cannot read yet. */
static size_t missing_folders(const CompilePlace *place) {
	size_t missing = 0;
	for (size_t i = 0; i < place->nfolders; i++) {
		AUTO_FREE char *real = realpath(place->folders[i], NULL);
		missing += real && !granted(real);
	}
	return missing;
}

static void add_folders(const CompilePlace *place) {
	for (size_t i = 0; i < place->nfolders; i++) {
		char *real = realpath(place->folders[i], NULL);
		if (real && !granted(real))
			vec_push(&worker.folders, real);
		else
			free(real);
	}
}

/* The worker can read what the place does not have. */
static bool reads_more(const CompilePlace *place) {
	size_t known = 0;
	for (size_t f = 0; f < worker.folders.len; f++) {
		bool has = false;
		for (size_t i = 0; i < place->nfolders && !has; i++) {
			AUTO_FREE char *real = realpath(place->folders[i], NULL);
			has = real && covers(real, worker.folders.data[f]);
		}
		known += has;
	}
	return known < worker.folders.len;
}

/* A folder as a whole; but one that has solutions, without them. */
static void add_readable(Paths *read, const char *folder) {
	struct stat about;
	const char *solutions = arena_format(read->arena, "%s/solutions", folder);
	DIR *dir = stat(solutions, &about) == 0 && S_ISDIR(about.st_mode) ? opendir(folder) : NULL;
	if (!dir) add_path(read, folder);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		/* A link would open what it leads to. */
		if (e->d_name[0] == '.' || e->d_type == DT_LNK || strcmp(e->d_name, "solutions") == 0) continue;
		add_path(read, arena_format(read->arena, "%s/%s", folder, e->d_name));
	}
	if (dir) closedir(dir);
}

static Paths toolkit_paths(const NvrtcLibrary *library) {
	Paths read = {.arena = arena_new()};
	add_path(&read, path_folder(read.arena, library->path));
	for (size_t i = 0; i < library->nincludes; i++) add_path(&read, library->includes[i]);
	add_path(&read, "/sys/devices/system/cpu/online"); /* NVRTC asks how many processors there are */
	return read;
}

static Paths readable(const CompilePlace *place) {
	Paths read = toolkit_paths(place->library);
	char *headers = cache_headers_folder();
	if (headers) add_path(&read, arena_strdup(read.arena, headers));
	free(headers);
	for (size_t i = 0; i < worker.folders.len; i++) add_readable(&read, worker.folders.data[i]);
	return read;
}

/* --- its start ---------------------------------------------------------------------------------------------------- */

static OpenRequest open_request(const char *library, const Paths *read, const CompileLimits *limits) {
	return (OpenRequest){.library = library,
						 .memory_bytes = limits->memory_bytes,
						 .read = (const CompileText *)read->list.data,
						 .nread = (uint32_t)read->list.len};
}

static const Exchange opening = {.call = CALL_OPEN,
								 .request = &OpenRequest_record,
								 .answer = &OpenAnswer_record,
								 .patience_s = 30, /* to load a library, from a slow disk */
								 .grace_s = CANCEL_S};

static bool send_open(const char *library, const Paths *read, const CompileLimits *limits, Err *err) {
	char *scratch = cache_scratch_folder();
	OpenRequest request = open_request(library, read, limits);
	request.write = scratch;
	const WireStatus status = child_send(&worker.child, &opening, &request);
	free(scratch);
	if (status != WIRE_OK) return child_lost(&worker.child, status, err);
	snprintf(worker.library, sizeof worker.library, "%s", library);
	worker.memory_bytes = limits->memory_bytes;
	return true;
}

static bool receive_open(Err *err) {
	OpenAnswer answer = {0};
	const WireStatus status = child_receive(&worker.child, &opening);
	worker.opening = false;
	if (status != WIRE_OK) return child_lost(&worker.child, status, err);
	if (!child_answer(&worker.child, &opening, &answer, err)) {
		/* Where there is no NVRTC the same process may be asked again and again. */
		if (*worker.library) child_bury(&worker.child, true);
		return false;
	}
	snprintf(worker.path, sizeof worker.path, "%s", answer.library);
	worker.opened = answer;
	worker.opened.library = worker.path;
	return true;
}

static bool open_library(const char *library, const Paths *read, const CompileLimits *limits, Err *err) {
	return send_open(library, read, limits, err) && receive_open(err);
}

/* Starts one unless there is one that has loaded nothing yet. */
static bool fresh(Err *err) {
	return (worker.made && child_alive(&worker.child) && !*worker.path) || start(err);
}

bool compiler_open(const char *library, OpenAnswer *out, Err *err) {
	CompileLimits limits;
	const Paths none = {0};
	if (!get_limits(&limits, err)) return false;
	if (worker.opening) receive_open(NULL);
	const bool there = worker.made && child_alive(&worker.child) && same_library(library);
	if (!there) {
		free_folders();
		if (!fresh(err) || !open_library(library, &none, &limits, err)) return false;
	}
	*out = worker.opened;
	return true;
}

/* A worker for the library, the limits, and the folders of the place. Folders are added to those of earlier places, so
 * that what alternates between two starts no third process. */
static bool ready(const CompilePlace *place, const CompileLimits *limits, Err *err) {
	enum { FOLDERS = 64 };
	if (worker.opening) receive_open(NULL);
	const bool alive = worker.made && child_alive(&worker.child);
	const bool more = place->exactly && reads_more(place);
	if (more) free_folders();
	const size_t missing = missing_folders(place);
	const bool fits =
		alive && !more && same_library(place->library->path) && worker.memory_bytes == limits->memory_bytes;
	if (fits && !missing) return true;
	if (worker.folders.len + missing > FOLDERS) free_folders();
	add_folders(place);
	Paths read = readable(place);
	const bool ok = fresh(err) && open_library(place->library->path, &read, limits, err);
	arena_free(read.arena);
	return ok;
}

bool compiler_confined(const CompilePlace *place, bool *out, Err *err) {
	CompileLimits limits;
	if (!get_limits(&limits, err) || !ready(place, &limits, err)) return false;
	*out = worker.opened.sandbox.files;
	return true;
}

/* Killed before it can have done much: that was meant for an idle worker, and its death was not seen yet. */
static bool died_idle(WireStatus status, double before_s) {
	static const double MUCH_S = 0.05;
	if (status != WIRE_CLOSED || proc_computed(worker.child.pid) - before_s > MUCH_S) return false;
	child_bury(&worker.child, false);
	*worker.path = '\0';
	return WIFSIGNALED(worker.child.status) && WTERMSIG(worker.child.status) == SIGKILL;
}

bool compiler_run(const CompilePlace *place, const NvrtcInput *in, const char *shown, NvrtcOutput *out, Err *err) {
	CompileLimits limits;
	if (!get_limits(&limits, err)) return false;
	NvrtcInput request = *in;
	NvrtcOutput answer = {0};
	const Exchange x = {.call = CALL_COMPILE,
						.request = &NvrtcInput_record,
						.answer = &NvrtcOutput_record,
						.patience_s = child_patience(limits.seconds),
						.grace_s = CANCEL_S};
	request.seconds = limits.seconds;
	WireStatus status = WIRE_CLOSED;
	for (int attempt = 0; attempt < 3; attempt++) {
		if (!ready(place, &limits, err)) return false;
		const double before_s = proc_computed(worker.child.pid);
		status = child_exchange(&worker.child, &x, &request);
		if (died_idle(status, before_s)) continue;
		if (status != WIRE_CLOSED || !request.headers) break;
		/* Maybe of these headers, which NVRTC believes without a check: once more without. */
		child_bury(&worker.child, false);
		*worker.path = '\0';
		unlink(request.headers);
		request.headers = NULL;
	}
	if (status != WIRE_OK) return ended(status, shown, err);
	if (!child_answer(&worker.child, &x, &answer, err)) return false;
	if (answer.out_of_memory) {
		child_bury(&worker.child, true); /* what it holds would be missing in the next compile */
		*worker.path = '\0';
		return out_of_memory(shown, err);
	}
	*out = answer;
	return true;
}

/* --- ahead -------------------------------------------------------------------------------------------------------- */

void compiler_start(const CompilePlace *place) {
	CompileLimits limits;
	if (worker.opening || (worker.made && child_alive(&worker.child)) || !get_limits(&limits, NULL)) return;
	free_folders();
	add_folders(place);
	Paths read = readable(place);
	worker.opening = start(NULL) && send_open(place->library->path, &read, &limits, NULL);
	arena_free(read.arena);
}

/* Takes the answers that have come. The process ends when there are no more to come. */
static void poll_maker(void) {
	const Exchange x = {.answer = &PrepareAnswer_record, .patience_s = 5, .grace_s = CANCEL_S};
	while (maker.made && maker.waiting) {
		struct pollfd p = {.fd = maker.child.fd, .events = POLLIN};
		Err err = ERR_INIT;
		PrepareAnswer answer = {.made = true};
		if (maker.child.fd >= 0 && poll(&p, 1, 0) == 0) return;
		/* Calls are answered in their order; each answer has the number of its own. */
		const uint32_t last = maker.child.sequence;
		maker.child.sequence = last - --maker.waiting;
		const WireStatus status = maker.child.fd < 0 ? WIRE_CLOSED : child_receive(&maker.child, &x);
		const bool opened = maker.child.sequence == 1;
		maker.child.sequence = last;
		if (status != WIRE_OK) {
			maker.waiting = 0;
		} else if (opened) {
			continue;
		} else if (child_answer(&maker.child, &x, &answer, &err) && !answer.made) {
			maker.useless = true;
		}
	}
	if (maker.made) child_close(&maker.child);
	maker.made = false;
}

static bool start_maker(const CompilePlace *place, const char *folder, const CompileLimits *limits) {
	child_init(&maker.child, COMPILE_SERVICE, "precompiled headers", NULL);
	maker.made = true;
	maker.waiting = 0;
	Paths read = toolkit_paths(place->library);
	OpenRequest request = open_request(place->library->path, &read, limits);
	request.write = folder;
	const bool ok = child_start(&maker.child, NULL) && child_send(&maker.child, &opening, &request) == WIRE_OK;
	arena_free(read.arena);
	maker.waiting = ok;
	return ok;
}

void compiler_prepare(const CompilePlace *place, const NvrtcInput *in, const char *folder) {
	enum { AT_ONCE = 8 };
	const Exchange x = {.call = CALL_PREPARE, .request = &NvrtcInput_record, .patience_s = 5, .grace_s = CANCEL_S};
	CompileLimits limits;
	poll_maker();
	if (strcmp(maker.last, in->headers) == 0 || maker.useless || maker.waiting > AT_ONCE || !get_limits(&limits, NULL))
		return;
	if (!maker.made && !start_maker(place, folder, &limits)) return;
	NvrtcInput request = *in;
	request.seconds = limits.seconds;
	if (child_send(&maker.child, &x, &request) == WIRE_OK) maker.waiting++;
	snprintf(maker.last, sizeof maker.last, "%s", in->headers);
}
