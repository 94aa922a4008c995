/* The archive worker: libarchive, loaded when it is needed, in a sandbox without files.
 *
 * The functions are declared here and found by name, so that gpulab builds and starts without the library; its
 * interface has been the same since libarchive 3.0. */
#include <ctype.h>
#include <dlfcn.h>
#include <locale.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/calls.h"
#include "base/vec.h"
#include "wire/sandbox.h"
#include "wire/serve.h"

typedef struct archive Archive;
typedef struct archive_entry Entry;

enum { END = 1, OK = 0, WARN = -20 }; /* ARCHIVE_EOF, ARCHIVE_OK, ARCHIVE_WARN */

/* X(result, name, parameters) */
#define FUNCTIONS(X)                                                                                                   \
	X(Archive *, archive_read_new, (void))                                                                             \
	X(int, archive_read_support_format_tar, (Archive *))                                                               \
	X(int, archive_read_support_format_zip, (Archive *))                                                               \
	X(int, archive_read_support_filter_gzip, (Archive *))                                                              \
	X(int, archive_read_support_filter_bzip2, (Archive *))                                                             \
	X(int, archive_read_support_filter_xz, (Archive *))                                                                \
	X(int, archive_read_support_filter_zstd, (Archive *))                                                              \
	X(int, archive_read_open_memory, (Archive *, const void *, size_t))                                                \
	X(int, archive_read_next_header, (Archive *, Entry **))                                                            \
	X(ssize_t, archive_read_data, (Archive *, void *, size_t))                                                         \
	X(int, archive_read_free, (Archive *))                                                                             \
	X(const char *, archive_error_string, (Archive *))                                                                 \
	X(const char *, archive_entry_pathname, (Entry *))                                                                 \
	X(const char *, archive_entry_pathname_utf8, (Entry *))                                                            \
	X(const char *, archive_entry_hardlink, (Entry *))                                                                 \
	X(mode_t, archive_entry_filetype, (Entry *))

#define POINTER(R, N, P) R(*N) P;
static struct {
	FUNCTIONS(POINTER)
	bool loaded;
} lib;

static bool load(Err *err) {
	static const char *const names[] = {"libarchive.so.13", "libarchive.so"};
	void *handle = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++) handle = dlopen(names[i], RTLD_NOW);
	lib.loaded = handle != NULL;
#define FIND(R, N, P)                                                                                                  \
	if (handle && !(*(void **)&lib.N = dlsym(handle, #N))) lib.loaded = false;
	FUNCTIONS(FIND)
	if (lib.loaded) return true;
	err_set(err, ERR_SETUP, "libarchive, which reads zip and tar files, was not found");
	return err_hint(err, "install it (Debian: apt-get install libarchive13), or name a folder of unpacked submissions");
}

/* --- one archive -------------------------------------------------------------------------------------------------- */

typedef struct {
	Archive *archive;
	Arena *arena;
	VEC(ArchiveEntry) entries; /* in the arena */
	uint64_t scanned, kept;
	Err *err;
} Reading;

/* Does a path, with '/' between its parts, lead out of where it begins? */
static bool leads_out(const char *path) {
	if (*path == '/' || (isalpha((unsigned char)*path) && path[1] == ':' && path[2] == '/')) return true;
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) return true;
	}
	return false;
}

static bool has_control(const char *path) {
	for (; *path; path++)
		if ((unsigned char)*path < 32 || *path == 127) return true;
	return false;
}

/* Programs write the same path as "a/b", "./a/b", "a//b", or "a\b". */
static void drop_dots(char *path) {
	char *to = path;
	for (const char *from = path; *from;) {
		const size_t len = strcspn(from, "/"), with_slash = len + (from[len] == '/');
		const bool says_nothing = len == 0 || (len == 1 && *from == '.');
		if (!says_nothing) memmove(to, from, with_slash), to += with_slash;
		from += with_slash;
	}
	*to = '\0';
}

static const char *refusal(Entry *entry, const char *path, bool outside) {
	if (outside) return "its path leads out of the archive";
	if (has_control(path)) return "its name has control characters";
	if (strlen(path) > ARCHIVE_LONGEST_NAME) return "its name is too long";
	if (lib.archive_entry_hardlink(entry) || lib.archive_entry_filetype(entry) == S_IFLNK) return "it is a link";
	if (lib.archive_entry_filetype(entry) != S_IFREG) return "it is not a regular file";
	return NULL;
}

static void add(Reading *r, const char *path, const char *refused, const void *data, size_t bytes) {
	const char *name = arena_strndup(r->arena, path, strnlen(path, ARCHIVE_LONGEST_NAME));
	const ArchiveEntry entry = {name, refused, data, refused ? 0 : bytes};
	vec_push_in(r->arena, &r->entries, entry);
}

static bool is_bomb(Reading *r) {
	if (r->scanned > ARCHIVE_MOST_SCANNED) return err_set(r->err, ERR_USAGE, "it unpacks to more than 1 GB"), true;
	if (r->kept > ARCHIVE_MOST_CONTENT)
		return err_set(r->err, ERR_USAGE, "its files have more than %d MB", ARCHIVE_MOST_CONTENT >> 20), true;
	if (r->entries.len >= ARCHIVE_MOST_ENTRIES)
		return err_set(r->err, ERR_USAGE, "it has more than %d files", ARCHIVE_MOST_ENTRIES), true;
	return false;
}

/* The next bytes of the entry: their number, 0 at its end, or less where it is damaged. */
static ssize_t next_piece(Reading *r, const char **piece) {
	static char bytes[1 << 16];
	const ssize_t n = lib.archive_read_data(r->archive, bytes, sizeof bytes);
	if (n > 0) r->scanned += (uint64_t)n;
	*piece = bytes;
	return n;
}

/* The bytes of the entry, up to most. */
static void take(Reading *r, const char *path, size_t most) {
	AUTO_STR Str text = {0};
	const char *piece;
	ssize_t n = 0;
	while (text.len <= most && (n = next_piece(r, &piece)) > 0) str_addn(&text, piece, (size_t)n);
	if (n < 0) {
		add(r, path, "it is damaged or encrypted", NULL, 0);
	} else if (text.len > most) {
		add(r, path, "it is too large", NULL, 0);
	} else {
		r->kept += text.len;
		add(r, path, NULL, arena_strndup(r->arena, text.text, text.len), text.len);
	}
}

/* Reads past an entry, so that a bomb is noticed whatever its name. */
static void skip(Reading *r) {
	const char *piece;
	while (r->scanned <= ARCHIVE_MOST_SCANNED && next_piece(r, &piece) > 0) {
	}
}

/* That there is a folder, by its name with a slash: it may be a student's who packed no kernel. */
static void add_folder(Reading *r, const char *path) {
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) + 1 : 0;
	const bool known = r->entries.len && strncmp(vec_last(&r->entries).name, path, len) == 0;
	if (len && !known) add(r, arena_strndup(r->arena, path, len), NULL, NULL, 0);
}

static void read_file(Reading *r, Entry *entry, const char *path, bool outside) {
	const bool kernel = archive_kernel(path), inner = archive_named(path);
	const char *refused = refusal(entry, path, outside);
	if (refused) return add(r, path, refused, NULL, 0);
	if (kernel || inner) return take(r, path, kernel ? ARCHIVE_MOST_KERNEL : ARCHIVE_MOST_INNER);
	add_folder(r, path);
	skip(r);
}

static void read_entry(Reading *r, Entry *entry) {
	const char *name = lib.archive_entry_pathname_utf8(entry);
	if (!name) name = lib.archive_entry_pathname(entry);
	if (!name) return;
	const bool folder = lib.archive_entry_filetype(entry) == S_IFDIR;
	char *path = arena_format(r->arena, "%s%s", name, folder ? "/" : "");
	for (char *at = path; (at = strchr(at, '\\'));) *at = '/';
	const bool outside = leads_out(path);
	if (!outside) drop_dots(path);
	if (*path == '\0' || archive_litter(path)) return skip(r);
	if (!folder) return read_file(r, entry, path, outside);
	if (!outside) add_folder(r, path);
}

static bool damaged(Reading *r) {
	const char *why = lib.archive_error_string(r->archive);
	return err_set(r->err, ERR_USAGE, "it cannot be read as an archive: %.200s", why ? why : "unknown format");
}

static bool read_entries(Reading *r) {
	Entry *entry;
	for (;;) {
		const int status = lib.archive_read_next_header(r->archive, &entry);
		if (status == END) return true;
		if (status != OK && status != WARN) return damaged(r);
		read_entry(r, entry);
		if (is_bomb(r)) return false;
	}
}

static bool open_bytes(Reading *r, const ReadRequest *request) {
	lib.archive_read_support_format_tar(r->archive);
	lib.archive_read_support_format_zip(r->archive);
	lib.archive_read_support_filter_gzip(r->archive);
	lib.archive_read_support_filter_bzip2(r->archive);
	lib.archive_read_support_filter_xz(r->archive);
	lib.archive_read_support_filter_zstd(r->archive);
	return lib.archive_read_open_memory(r->archive, request->data, request->bytes) == OK || damaged(r);
}

bool archive_unpack(Arena *arena, const ReadRequest *request, ReadAnswer *answer, Err *err) {
	if (!lib.loaded && !load(err)) return false;
	Reading r = {.archive = lib.archive_read_new(), .arena = arena, .err = err};
	const bool ok = open_bytes(&r, request) && read_entries(&r);
	lib.archive_read_free(r.archive);
	if (ok) *answer = (ReadAnswer){r.entries.data, (uint32_t)r.entries.len};
	return ok;
}

static bool serve_read(Server *server, const void *request, void *answer, Err *err) {
	return archive_unpack(server->arena, request, answer, err);
}

/* --- the process -------------------------------------------------------------------------------------------------- */

static void enter_sandbox(void) {
	enum { MEMORY = 768 << 20, SECONDS = 120 };
	const struct rlimit time = {SECONDS, SECONDS};
	const SandboxPlan plan = {.memory_bytes = MEMORY};
	SandboxState state;
	Err err = ERR_INIT;
	setrlimit(RLIMIT_CPU, &time);
	if (!sandbox_enter(&plan, &state, &err)) _exit(ERR_SETUP);
}

_Noreturn void archive_worker_main(int fd) {
	static const ServeCall calls[CALL_COUNT] = {[CALL_READ] = {&ReadRequest_record, &ReadAnswer_record, serve_read}};
	Server server = {.calls = calls, .ncalls = CALL_COUNT};
	Err err = ERR_INIT;
	serve_begin(&server, fd);
	if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "");
	load(&err); /* before the sandbox; where it is missing, each call says so */
	enter_sandbox();
	_exit(serve_until_closed(&server));
}
