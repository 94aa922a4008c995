/* device_code.h: which declarations device code needs, and the text without the others.
 *
 *     files -> macros, marks -> declarations -> those marked -> those that they name, again and again -> edits
 */
#include "compile/source/device_code.h"

#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "base/text/nearest.h"
#include "compile/source/declarations.h"
#include "compile/source/host_names.h"
#include "compile/source/tokens.h"

typedef struct {
	const UnitFile *file;
	Declarations list;
	bool *keep;  /* by declaration */
	char *blank; /* by byte of the text: what is to be left out */
	size_t bytes;
} File;

typedef struct {
	uint32_t file, decl; /* decl from 0; the text of macro `decl` where file is MACROS */
} Place;

enum { MACROS = UINT32_MAX };

typedef VEC(Place) Places;

typedef struct {
	Arena *arena;
	File *files;
	size_t nfiles;
	Macros macros;
	Map *marks, *functions; /* functions: macros that take arguments */
	Map *names;             /* numbers names; the lists of places are in `places`, by that number */
	VEC(Places) places;
	VEC(bool) used; /* by name: device code says it */
	Places work;
	bool std;          /* using namespace std */
	bool using_thrust; /* using namespace thrust */
	bool thrust;       /* device code says it */
	bool foreign;      /* there is host code */
	bool changed;
	Str prelude;
	Map *prelude_seen;
	IncludeResolver *resolve;
	void *context;
	DeviceCode *out;
} Unit;

/* --- names -------------------------------------------------------------------------------------------------------- */

static void define(Unit *u, Word name, Place place) {
	const uint32_t number = map_number_of(u->names, name.at, name.len);
	while (u->places.len < number) vec_push_in(u->arena, &u->places, (Places){0});
	Places *list = &u->places.data[number - 1];
	vec_push_in(u->arena, list, place);
}

static bool defined(const Unit *u, const Tok *t) {
	return map_number(u->names, t->at, t->len) != 0;
}

static void define_all(Unit *u) {
	for (uint32_t f = 0; f < u->nfiles; f++) {
		const Declarations *list = &u->files[f].list;
		for (uint32_t d = 0; d < list->len; d++) {
			const Declaration *decl = &list->data[d];
			if (decl->parent >= 0) continue;
			for (size_t n = 0; n < decl->names.len; n++) define(u, decl->names.data[n], (Place){f, d});
		}
	}
	for (uint32_t m = 0; m < u->macros.len; m++) define(u, u->macros.data[m].name, (Place){MACROS, m});
}

/* --- what NVRTC lacks --------------------------------------------------------------------------------------------- */

static void add_prelude(Unit *u, const char *line, bool include) {
	static char there;
	if (map_has(u->prelude_seen, line)) return;
	map_put(u->prelude_seen, line, &there);
	str_addf(&u->prelude, include ? "#include <%s>\n" : "%s\n", line);
}

static void add_std(Unit *u, const Tok *t) {
	Str room = {0};
	const char *header = host_std_header(t->at, t->len), *line = header ? NULL : host_std_name(t->at, t->len, &room);
	if (line) add_prelude(u, line, false);
	str_free(&room);
	if (!header) return;
	add_prelude(u, header, true);
	add_prelude(u, "namespace std { using namespace cuda::std; }", false);
}

/* A macro of the unit may be in a branch that is not taken. */
static bool only_macros(const Unit *u, const Tok *t) {
	const uint32_t number = map_number(u->names, t->at, t->len);
	for (size_t i = 0; number && i < u->places.data[number - 1].len; i++)
		if (u->places.data[number - 1].data[i].file != MACROS) return false;
	return true;
}

static void add_name(Unit *u, const Tok *t) {
	AUTO_STR Str room = {0};
	const char *line = host_name(t->at, t->len);
	if (!line && u->foreign) line = host_toolkit_name(t->at, t->len);
	if (!line && u->foreign) line = host_library_type(t->at, t->len, &room);
	if (!line || !only_macros(u, t) || (defined(u, t) && *line != '#')) return;
	if (defined(u, t)) add_prelude(u, "#pragma nv_diag_suppress 47", false); /* defined a second time */
	add_prelude(u, line, false);
}

/* thrust::complex is made of host code for NVRTC: that of libcu++ has the same layout and functions. */
static void add_thrust(Unit *u, const Tok *t) {
	if (!tok_is_word(t, "complex")) return;
	add_prelude(u, "cuda/std/complex", true);
	add_prelude(u, host_thrust_complex(), false);
}

/* A word of device code, and the namespace that it is said to be in ("": none). */
static void meet(Unit *u, const Tok *t, const Tok *space) {
	const char *cub = u->foreign ? host_cub_header(t->at, t->len) : NULL;
	if (cub && (space->len ? tok_is_word(space, "cub") : !defined(u, t))) add_prelude(u, cub, true);
	if (tok_is_word(space, "std") ||
		(u->std && u->foreign && !space->len && !defined(u, t) && host_std_header(t->at, t->len)))
		add_std(u, t);
	else if (!space->len)
		add_name(u, t);
	if (!u->foreign) return;
	if (space->len ? tok_is_word(space, "thrust") : u->using_thrust && !defined(u, t)) add_thrust(u, t);
	if (tok_is_word(t, "thrust")) {
		u->thrust = true;
		add_prelude(u, "namespace thrust {}", false); /* for names that it has on the host alone */
	}
}

/* --- what device code uses ---------------------------------------------------------------------------------------- */

/* Host functions are never needed, wherever their name is used: nvcc would not let them be called either. */
static bool may_keep(const Declaration *d) {
	switch (d->kind) {
	case DECLARES_FUNCTION: return d->device || d->is_constexpr;
	case DECLARES_VARIABLE: return d->device || d->constant;
	default: return true;
	}
}

static void need(Unit *u, Place place) {
	if (place.file != MACROS) {
		File *f = &u->files[place.file];
		if (f->keep[place.decl] || !may_keep(&f->list.data[place.decl])) return;
		f->keep[place.decl] = true;
	}
	vec_push_in(u->arena, &u->work, place);
}

static void use(Unit *u, const Tok *t) {
	const uint32_t number = map_number(u->names, t->at, t->len);
	if (!number) return;
	while (u->used.len < number) vec_push_in(u->arena, &u->used, false);
	if (u->used.data[number - 1]) return;
	u->used.data[number - 1] = true;
	for (size_t i = 0; i < u->places.data[number - 1].len; i++) need(u, u->places.data[number - 1].data[i]);
}

/* The words of a text; of a member that is left out none. */
static void use_words(Unit *u, const char *text, size_t from, size_t to, const File *f) {
	Lexer lx = lexer(text);
	Tok last = {0}, before = {0};
	lx.p = text + from;
	lx.line_blank = false;
	for (Tok t = tok_next(&lx); t.kind != TOK_END && (size_t)(t.at - text) < to; t = tok_next(&lx)) {
		const size_t at = (size_t)(t.at - text);
		if (f && f->blank[at]) continue;
		if (t.kind == TOK_WORD) {
			const bool qualified =
				tok_is(&last, ':') && last.at > text + from && last.at[-1] == ':' && before.kind == TOK_WORD;
			meet(u, &t, qualified ? &before : &(Tok){0});
			use(u, &t);
		}
		if (!tok_is(&t, ':')) before = t;
		last = t;
	}
}

static void blank(File *f, size_t from, size_t to) {
	memset(f->blank + from, 1, to - from);
}

static bool inside(const File *f, const Declaration *d, uint32_t class) {
	while (d->parent >= 0 && (uint32_t)d->parent != class) d = &f->list.data[d->parent];
	return d->parent >= 0;
}

/* Of a class that is kept, its host functions are not. */
static void blank_members(Unit *u, File *f, uint32_t class) {
	const size_t end = f->list.data[class].to;
	for (uint32_t i = class + 1; u->foreign && i < f->list.len && f->list.data[i].from < end && !tokens_over(); i++) {
		const Declaration *d = &f->list.data[i];
		if (d->kind != DECLARES_FUNCTION || d->device || d->defaulted || d->is_constexpr) continue;
		if (inside(f, d, class)) blank(f, d->from, d->to);
	}
}

static void follow(Unit *u) {
	while (u->work.len) {
		const Place place = u->work.data[--u->work.len];
		if (place.file == MACROS) {
			const MacroText *m = &u->macros.data[place.decl];
			use_words(u, m->text.at, 0, m->text.len, NULL);
			continue;
		}
		File *f = &u->files[place.file];
		const Declaration *d = &f->list.data[place.decl];
		blank_members(u, f, place.decl);
		use_words(u, f->file->text, d->from, d->to, f);
	}
}

/* --- what is kept to begin with ----------------------------------------------------------------------------------- */

/* "_global_ void k()": left out, it would be missed without a word why. */
static bool misspelt_mark(const char *text, const Declaration *d) {
	static const char *const marks[] = {"__global__", "__device__", "__constant__", NULL};
	Lexer lx = lexer(text);
	lx.p = text + d->from;
	lx.line_blank = false;
	for (Tok t = tok_next(&lx); t.kind == TOK_WORD; t = tok_next(&lx)) {
		char word[24];
		if (*t.at != '_' || t.len >= sizeof word) continue;
		memcpy(word, t.at, t.len);
		word[t.len] = '\0';
		if (strcmp(word, "__host__") != 0 && nearest(word, marks)) return true;
	}
	return false;
}

static bool has_namespace(const Unit *u, Word name) {
	if (text_has_word("std cuda nvcuda cooperative_groups cub thrust", name.at, name.len)) return true;
	const uint32_t number = map_number(u->names, name.at, name.len);
	for (size_t i = 0; number && i < u->places.data[number - 1].len; i++) {
		const Place p = u->places.data[number - 1].data[i];
		if (p.file == MACROS) continue;
		const Declaration *d = &u->files[p.file].list.data[p.decl];
		if (d->kind == DECLARES_NAMESPACE && d->body) return true;
	}
	return false;
}

/* using namespace a::b; of std only itself is there. */
static bool of_known_namespace(const Unit *u, const char *text, const Declaration *d) {
	Lexer lx = lexer(text);
	lx.p = text + d->from;
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		if (t.kind != TOK_WORD || tok_is_word(&t, "using") || tok_is_word(&t, "namespace")) continue;
		return has_namespace(u, (Word){t.at, t.len}) && !(tok_is_word(&t, "std") && *lx.p == ':');
	}
	return false;
}

static bool is_root(Unit *u, const File *f, const Declaration *d) {
	if (!u->foreign || d->device) return true;
	if (d->kind == DECLARES_NAMESPACE) return d->body || of_known_namespace(u, f->file->text, d);
	return d->kind == DECLARES_FUNCTION && misspelt_mark(f->file->text, d);
}

/* using namespace cub: there is one, also where device code needs none of its headers. */
static void find_using(Unit *u) {
	for (uint32_t f = 0; f < u->nfiles; f++) {
		const Declarations *list = &u->files[f].list;
		for (size_t i = 0; i < list->len; i++) {
			const Declaration *d = &list->data[i];
			if (d->kind != DECLARES_NAMESPACE || d->body || d->names.len != 1) continue;
			u->std = u->std || word_is(d->names.data[0], "std");
			u->using_thrust = u->using_thrust || word_is(d->names.data[0], "thrust");
			if (u->foreign && word_is(d->names.data[0], "cub")) add_prelude(u, "namespace cub {}", false);
		}
	}
}

static void keep_roots(Unit *u) {
	for (uint32_t f = 0; f < u->nfiles; f++) {
		for (uint32_t i = 0; i < u->files[f].list.len; i++) {
			const Declaration *d = &u->files[f].list.data[i];
			if (d->parent >= 0 || u->files[f].keep[i] || !is_root(u, &u->files[f], d)) continue;
			u->files[f].keep[i] = true;
			vec_push_in(u->arena, &u->work, (Place){f, i});
		}
	}
	follow(u);
}

/* --- host code ---------------------------------------------------------------------------------------------------- */

static const char *header_of(Arena *arena, const Tok *t) {
	const char *end = t->at + t->len, *open = t->at;
	while (open < end && *open != '<' && *open != '"') open++;
	const char *close = open < end ? memchr(open + 1, *open == '<' ? '>' : '"', (size_t)(end - open - 1)) : NULL;
	return close ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : NULL;
}

static bool is_include(const Tok *t) {
	const char *p = t->at + 1, *end = t->at + t->len;
	while (p < end && (*p == ' ' || *p == '\t')) p++;
	return t->kind == TOK_DIRECTIVE && end - p > 7 && memcmp(p, "include", 7) == 0 && !tok_word_char(p[7]);
}

static bool host_include(Arena *arena, const Tok *t) {
	const char *name = is_include(t) ? header_of(arena, t) : NULL;
	return name && (host_header(name) || host_toolkit_header(name));
}

/* cudaMalloc(: a function of the runtime. */
static bool calls_runtime(const Tok *before, const Tok *t) {
	return tok_is(t, '(') && before->kind == TOK_WORD && before->len > 5 && memcmp(before->at, "cuda", 4) == 0 &&
		   before->at[4] >= 'A' && before->at[4] <= 'Z';
}

/* Functions, and none of them is marked. */
static bool only_host_functions(const Unit *u) {
	bool functions = false;
	for (size_t f = 0; f < u->nfiles; f++) {
		for (size_t i = 0; i < u->files[f].list.len; i++) {
			const Declaration *d = &u->files[f].list.data[i];
			if (d->device) return false;
			functions =
				functions || (d->kind == DECLARES_FUNCTION && d->body && !misspelt_mark(u->files[f].file->text, d));
		}
	}
	return functions;
}

/* In a header, a function without a mark is no mistake. */
static bool has_host_code(Arena *arena, const File *f, bool header) {
	for (size_t i = 0; i < f->list.len; i++) {
		const Declaration *d = &f->list.data[i];
		if (d->kind != DECLARES_FUNCTION || d->parent >= 0 || d->device || d->is_constexpr) continue;
		if (d->main || header) return true;
	}
	Lexer lx = lexer(f->file->text);
	Tok before = {0};
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		if (host_include(arena, &t) || calls_runtime(&before, &t)) return true;
		if (tok_is(&t, '<') && t.at[1] == '<' && t.at[2] == '<') return true;
		if (t.kind == TOK_DIRECTIVE && memmem(t.at, t.len, "<<<", 3)) return true; /* a macro that launches */
		before = t;
	}
	return false;
}

/* --- edits -------------------------------------------------------------------------------------------------------- */

static bool mentions(const File *f, const Declaration *d, const char *what) {
	return memmem(f->file->text + d->from, d->to - d->from, what, strlen(what)) != NULL;
}

static void leave_out_function(Unit *u, const File *f, const Declaration *d) {
	if ((d->kind != DECLARES_FUNCTION && d->kind != DECLARES_VARIABLE) || !d->names.len) return;
	const Word name = d->names.data[0];
	const bool texture = mentions(f, d, "texture<") || mentions(f, d, "texture <");
	const LeftOut function = {arena_strndup(u->arena, name.at, name.len), f->file->path, d->line,
							  d->kind == DECLARES_VARIABLE, texture};
	vec_push_in(u->arena, &u->out->functions, function);
}

/* Both sides of an #if may give one declaration two ends: what is kept of either stays. */
static void blank_declarations(Unit *u, File *f) {
	char *members = arena_alloc(u->arena, f->bytes + 1);
	memcpy(members, f->blank, f->bytes + 1);
	for (uint32_t i = 0; i < f->list.len; i++) {
		const Declaration *d = &f->list.data[i];
		if (d->parent >= 0 || f->keep[i]) continue;
		blank(f, d->from, d->to);
		leave_out_function(u, f, d);
	}
	for (uint32_t i = 0; i < f->list.len; i++) {
		const Declaration *d = &f->list.data[i];
		if (d->parent < 0 && f->keep[i]) memcpy(f->blank + d->from, members + d->from, d->to - d->from);
	}
}

static bool includes_nothing(Unit *u, const char *name, IncludeKind kind) {
	if (kind == INCLUDE_UNIT || kind == INCLUDE_OTHER) return false;
	if (host_header(name) || host_toolkit_header(name)) return true;
	if (text_starts(name, "thrust/")) return !u->thrust || host_thrust_header(name);
	return kind == INCLUDE_MISSING;
}

/* Directives stay, whatever they are in; but an #include goes with what it is in, and with the host's headers. */
static void edit_directives(Unit *u, File *f) {
	const char *text = f->file->text;
	Lexer lx = lexer(text);
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		if (t.kind != TOK_DIRECTIVE) continue;
		const size_t at = (size_t)(t.at - text);
		const char *name = is_include(&t) ? header_of(u->arena, &t) : NULL;
		if (!name) {
			memset(f->blank + at, 0, t.len);
		} else if (!f->blank[at]) {
			const IncludeKind kind = u->resolve(u->context, f->file->path, t.line).kind;
			if (!includes_nothing(u, name, kind)) continue;
			blank(f, at, at + t.len);
			const LeftOut include = {.name = name, .path = f->file->path, .line = t.line};
			if (kind == INCLUDE_MISSING && !host_header(name)) vec_push_in(u->arena, &u->out->includes, include);
		}
	}
}

static bool begins_expression(const Tok *before, const Tok *t) {
	return tok_is_word(t, "return") ||
		   (t->kind == TOK_PUNCT && memchr("=,(?:{", *t->at, 6) && !tok_is_word(before, "operator"));
}

/* (float2){x, y}, which nvcc takes from C: float2{x, y}. */
static void edit_literals(File *f) {
	Lexer lx = lexer(f->file->text);
	Tok last[5] = {{0}}; /* the latest at the end: ? = ( T ) */
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		if (t.kind == TOK_DIRECTIVE) continue;
		if (tok_is(&t, '{') && tok_is(&last[4], ')') && last[3].kind == TOK_WORD && tok_is(&last[2], '(') &&
			begins_expression(&last[0], &last[1])) {
			f->blank[last[2].at - f->file->text] = 1;
			f->blank[last[4].at - f->file->text] = 1;
		}
		memmove(last, last + 1, sizeof last - sizeof *last);
		last[4] = t;
	}
}

/* --- the texts ---------------------------------------------------------------------------------------------------- */

/* A constexpr function that lacks its mark gets one in front of `constexpr`. */
static bool lacks_mark(const Unit *u, const File *f, uint32_t i) {
	const Declaration *d = &f->list.data[i];
	return u->foreign && d->kind == DECLARES_FUNCTION && d->is_constexpr && !d->device && !f->blank[d->specifier];
}

static char *marks_at(const Unit *u, const File *f) {
	char *at = arena_alloc(u->arena, f->bytes + 1);
	for (uint32_t i = 0; i < f->list.len; i++)
		if (lacks_mark(u, f, i)) at[f->list.data[i].specifier] = 1;
	return at;
}

static bool is_blank(const File *f, size_t i) {
	return f->blank[i] && !strchr("\n\r\t", f->file->text[i]);
}

/* What is kept goes as a whole up to the next mark. */
static void emit(const File *f, const char *marks, size_t from, size_t to, Str *out) {
	for (size_t i = from, n; i < to; i += n) {
		if (marks[i]) str_add(out, "__host__ __device__ ");
		const bool gone = is_blank(f, i);
		for (n = 1; !gone && i + n < to && !marks[i + n] && !is_blank(f, i + n);) n++;
		str_addn(out, gone ? " " : f->file->text + i, n);
	}
}

/* Headers of the unit are found under their paths, since what is in memory has no folder. */
static void emit_file(const Unit *u, const File *f, Str *out) {
	const char *text = f->file->text;
	char *marks = marks_at(u, f);
	size_t done = 0;
	Lexer lx = lexer(text);
	for (Tok t = tok_next(&lx); t.kind != TOK_END; t = tok_next(&lx)) {
		const size_t at = (size_t)(t.at - text);
		if (!is_include(&t) || f->blank[at]) continue;
		const IncludeMeaning meaning = u->resolve(u->context, f->file->path, t.line);
		if (meaning.kind != INCLUDE_UNIT) continue;
		emit(f, marks, done, at, out);
		str_addf(out, "#include \"%s\"", meaning.path);
		done = at + t.len;
		for (size_t i = at; i < done; i++) /* a directive may continue on the next lines */
			if (text[i] == '\n') str_add(out, "\n");
	}
	emit(f, marks, done, f->bytes, out);
}

/* nvcc says who compiles, and its host compiler for which system. */
static void add_system(Unit *u) {
	for (size_t i = 0; i < u->nfiles && u->foreign; i++) {
		const char *text = u->files[i].file->text;
		if (!i && strstr(text, "__linux")) add_prelude(u, "#define __linux__ 1\n#define __linux 1", false);
		if (strstr(text, "__NVCC__")) add_prelude(u, "#define __NVCC__ 1", false);
	}
}

static void read_files(Unit *u, const UnitFile *files) {
	static char call;
	for (size_t i = 0; i < u->nfiles; i++) macros_of(u->arena, files[i].text, &u->macros);
	marks_add(u->marks, &u->macros);
	for (size_t i = 0; i < u->macros.len; i++) {
		const MacroText *m = &u->macros.data[i];
		if (m->text.len && *m->text.at == '(') map_putn(u->functions, m->name.at, m->name.len, &call);
	}
	for (size_t i = 0; i < u->nfiles; i++) {
		File *f = &u->files[i];
		f->file = &files[i];
		f->bytes = strlen(files[i].text);
		declarations_read(u->arena, files[i].text, u->marks, u->functions, &f->list);
		f->keep = arena_array(u->arena, f->list.len + 1, sizeof *f->keep);
		f->blank = arena_alloc(u->arena, f->bytes + 1);
		if (i && text_starts(files[i].text, "\xef\xbb\xbf")) blank(f, 0, 3); /* a byte order mark */
		u->foreign = u->foreign || has_host_code(u->arena, f, i > 0);
	}
	u->foreign = u->foreign || only_host_functions(u);
}

static void edit_files(Unit *u) {
	for (size_t i = 0; i < u->nfiles; i++) {
		File *f = &u->files[i];
		if (u->foreign) {
			blank_declarations(u, f);
			edit_directives(u, f);
		}
		edit_literals(f);
		u->changed = u->changed || memchr(f->blank, 1, f->bytes);
	}
}

static void separate(Unit *u, const UnitFile *files) {
	read_files(u, files);
	if (tokens_over()) return;
	define_all(u);
	add_system(u);
	find_using(u);
	keep_roots(u);
	edit_files(u);
}

void device_code(Arena *arena, const UnitFile *files, size_t nfiles, IncludeResolver *resolve, void *context,
				 DeviceCode *out) {
	*out = (DeviceCode){0};
	Unit u = {.arena = arena,
			  .files = arena_array(arena, nfiles, sizeof *u.files),
			  .nfiles = nfiles,
			  .marks = marks_new(),
			  .functions = map_new(),
			  .names = map_new(),
			  .prelude_seen = map_new(),
			  .resolve = resolve,
			  .context = context,
			  .out = out};
	separate(&u, files);
	out->changed = u.changed;
	if (u.prelude.len) out->prelude = str_take_in(arena, &u.prelude);
	for (size_t i = 0; i < nfiles; i++) {
		Str text = {0};
		emit_file(&u, &u.files[i], &text);
		const UnitFile file = {files[i].path, str_take_in(arena, &text)};
		vec_push_in(arena, &out->files, file);
	}
	map_free(u.marks);
	map_free(u.functions);
	map_free(u.names);
	map_free(u.prelude_seen);
}

const LeftOut *device_code_left_out(const DeviceCode *code, const char *name, size_t len) {
	for (size_t i = 0; i < code->functions.len; i++) {
		const LeftOut *f = &code->functions.data[i];
		if (strlen(f->name) == len && memcmp(f->name, name, len) == 0) return f;
	}
	return NULL;
}
