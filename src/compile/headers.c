/* headers.h: the headers a source includes, folded into a cache key.
 *
 * A name is tried in one folder after the other. What is found there is judged by its resolved path: links count for
 * what they lead to. */
#include "compile/headers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "compile/source/scan.h"
#include "compile/source/tokens.h"

/* The include at hand: which it is, and the file it is in ("": the source). */
typedef struct {
	const ScanInclude *include;
	const char *file;
} Site;

typedef struct {
	const char *path; /* resolved */
	Site site;        /* that led to it first */
} Waiting;

typedef struct {
	Arena *arena;
	CacheKey *key;
	const HeaderPlaces *places;
	VEC(char *) roots; /* the places, resolved; the toolkit's last */
	size_t first_cuda;
	HeaderReport *report;
	Map *seen;            /* resolved paths, each entered once: headers may include one another in circles */
	VEC(Waiting) waiting; /* still to be read */
	size_t left;          /* bytes that all of them may have */
} Walk;

static const char outside[] = "is outside the folders that a kernel may include from";

static void offend(Walk *walk, const Site *site, const char *why) {
	enum { ENOUGH = 64 };
	HeaderReport *r = walk->report;
	const BadHeader bad = {why, why == outside, site->include->name, site->file, site->include->line};
	if (!site->include->asked && (r->bad.len < ENOUGH || !bad.outside)) vec_push_in(walk->arena, &r->bad, bad);
}

/* What of path is below folder: "a/b.h"; NULL: it is not. */
static const char *below(const char *path, const char *folder) {
	size_t n = strlen(folder);
	while (n && folder[n - 1] == '/') n--;
	return strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

static bool through(const char *rest, const char *name) {
	for (const char *p = rest; p; p = strchr(p, '/'), p = p ? p + 1 : NULL)
		if (text_starts(p, name)) return true;
	return false;
}

static bool through_solutions(const char *rest) {
	return through(rest, "solutions/");
}

/* "/a/b" and "../c.h" are "/a/c.h", whatever is on the disk. */
static char *joined(Arena *arena, const char *folder, const char *name) {
	char *path = arena_format(arena, "%s/%s", folder, name), *to = path;
	for (const char *p = path, *end; *p; p = end) {
		while (*p == '/') p++;
		end = p + strcspn(p, "/");
		const size_t n = (size_t)(end - p);
		if (n == 2 && memcmp(p, "..", 2) == 0) {
			while (to > path && *--to != '/') continue;
		} else if (n && !(n == 1 && *p == '.')) {
			*to++ = '/';
			memmove(to, p, n);
			to += n;
		}
	}
	*to = '\0';
	return path;
}

/* What of path is below the last folder that it shares with the other; NULL: that is the root folder. */
static const char *apart(const char *path, const char *other) {
	const char *rest = NULL;
	for (const char *p = path; *p && *p == *other; p++, other++)
		if (*p == '/' && p > path) rest = p + 1;
	return rest;
}

/* As nvcc would find it, and bounded: whoever wrote the source shall not choose from all that its reader may read. */
static bool by_parents(Walk *walk, const Site *site, const char *folder, const char *real) {
	const char *from = path_real(walk->arena, *folder ? folder : ".");
	if (!walk->places->parents || !site->include->quoted || *site->include->name == '/' || !from) return false;
	if (strcmp(joined(walk->arena, from, site->include->name), real) != 0) return false; /* over a link */
	const char *rest = apart(real, arena_format(walk->arena, "%s/", from));
	return rest && !through(rest, ".") && !through_solutions(rest);
}

/* Whether the file may be read; says why not. */
static bool judge(Walk *walk, const Site *site, const char *folder, const char *real) {
	const char *why = outside;
	for (size_t i = 0; i < walk->roots.len; i++) {
		const char *rest = below(real, walk->roots.data[i]);
		if (rest && !through_solutions(rest)) return true;
		if (rest) why = "is a solution, which cannot be included";
	}
	if (why == outside && by_parents(walk, site, folder, real)) return true;
	offend(walk, site, why);
	return false;
}

/* False: the search goes on. Else it is over, and *path is the resolved path of a file to be read, or NULL. */
static bool find_in(Walk *walk, const Site *site, const char *folder, char **path) {
	const char *name = site->include->name;
	struct stat about;
	*path = NULL;
	const char *tried = *name == '/' ? name : arena_format(walk->arena, "%s/%s", *folder ? folder : ".", name);
	char *real = path_real(walk->arena, tried);
	if (!real || stat(real, &about) != 0 || S_ISDIR(about.st_mode)) return false;
	if (!S_ISREG(about.st_mode))
		offend(walk, site, "is not a regular file");
	else if (judge(walk, site, folder, real))
		*path = real;
	return true;
}

static char *search(Walk *walk, const Site *site, const char *folder) {
	const HeaderPlaces *p = walk->places;
	char *path = NULL;
	bool over = (site->include->quoted || *site->include->name == '/') && find_in(walk, site, folder, &path);
	for (size_t i = 0; !over && i < p->ndirs; i++) over = find_in(walk, site, p->dirs[i], &path);
	for (size_t i = 0; !over && i < p->ncuda; i++) over = find_in(walk, site, p->cuda[i], &path);
	return path;
}

static bool part_of_cuda(const Walk *walk, const char *path) {
	for (size_t i = walk->first_cuda; i < walk->roots.len; i++)
		if (below(path, walk->roots.data[i])) return true;
	return false;
}

static void add_site(Walk *walk, const Site *site, const char *path, bool cuda) {
	const IncludeKind kind = !path ? INCLUDE_MISSING : cuda ? INCLUDE_CUDA : INCLUDE_UNIT;
	const IncludeSite found = {site->file, site->include->line, kind, kind == INCLUDE_UNIT ? path : NULL};
	vec_push_in(walk->arena, &walk->report->sites, found);
}

static void add_includes_of(Walk *walk, const char *text, const char *folder, const char *file) {
	ScanInclude *includes;
	size_t n = scan_includes(walk->arena, text, &includes);
	for (size_t i = 0; i < n && !tokens_over(); i++) {
		if (!includes[i].name) {
			walk->report->unknown = true;
			continue;
		}
		const Site site = {&includes[i], file};
		char *path = search(walk, &site, folder);
		const bool cuda = path && part_of_cuda(walk, path);
		if (!includes[i].asked) add_site(walk, &site, path, cuda);
		if (cuda && !*file && walk->report->cuda_first == i) walk->report->cuda_first++;
		cache_key_text(walk->key, includes[i].name);
		cache_key_text(walk->key, cuda ? NULL : path);
		if (path && !cuda && !includes[i].asked && !map_has(walk->seen, path)) {
			map_put(walk->seen, path, walk);
			vec_push_in(walk->arena, &walk->waiting, ((Waiting){path, site}));
		}
	}
}

/* Why a header cannot be read, or all of them together; NULL: it can. */
static const char *read_header(Walk *walk, const char *path, Str *text) {
	Err why = ERR_INIT;
	if (!file_append(path, &(FileRules){.most = FILE_SOURCE_MOST}, text, &why))
		return arena_format(walk->arena, "cannot be read: %s", why.what);
	if (memchr(text->text, '\0', text->len)) return "holds a NUL byte: it is not text";
	if (text->len <= walk->left) return NULL;
	return arena_format(walk->arena, "is too much: the headers together have more than %d MB", FILE_SOURCE_MOST >> 20);
}

static bool add_file(Walk *walk, const Waiting *next) {
	AUTO_STR Str text = {0};
	const char *why = read_header(walk, next->path, &text);
	if (why) {
		offend(walk, &next->site, why);
		return false;
	}
	const UnitFile file = {next->path, arena_strndup(walk->arena, text.text, text.len)};
	walk->left -= text.len;
	cache_key_number(walk->key, text.len);
	cache_key_bytes(walk->key, text.text, text.len);
	add_includes_of(walk, file.text, path_folder(walk->arena, next->path), next->path);
	vec_push_in(walk->arena, &walk->report->files, file);
	return true;
}

static void add_root(Walk *walk, const char *folder) {
	char *real = path_real(walk->arena, *folder ? folder : ".");
	if (real) vec_push_in(walk->arena, &walk->roots, real);
}

void headers_add(Arena *arena, CacheKey *key, const char *source, const HeaderPlaces *places, HeaderReport *report) {
	Walk walk = {
		.arena = arena, .key = key, .places = places, .report = report, .seen = map_new(), .left = FILE_SOURCE_MOST};
	add_root(&walk, places->folder);
	for (size_t i = 0; i < places->ndirs; i++) add_root(&walk, places->dirs[i]);
	walk.first_cuda = walk.roots.len;
	for (size_t i = 0; i < places->ncuda; i++) add_root(&walk, places->cuda[i]);
	add_includes_of(&walk, source, places->folder, "");
	for (size_t i = 0; i < walk.waiting.len && !tokens_over(); i++) {
		const Waiting next = walk.waiting.data[i]; /* the list moves */
		if (!add_file(&walk, &next)) break;
	}
	map_free(walk.seen);
}
