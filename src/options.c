/* options.h: the flag table and what it drives. */
#include "options.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text/nearest.h"
#include "emu/check/check.h"

typedef enum { SET, TEXT, LIST, SETTING, LIMIT_VALUE, COLOR, CHECKS, MACRO, DIALECT } FlagKind;

typedef struct {
	const char *name; /* without dashes; NULL: only short */
	char letter;      /* 0: only long */
	FlagKind kind;
	size_t offset;     /* in Options */
	const char *value; /* what the help calls it; NULL: takes none */
	const char *help;  /* NULL: not shown */
} Flag;

#define SESSION(field) offsetof(Options, session.field)

static const Flag flags[] = {
	{"device", 0, TEXT, SESSION(device), "NAME", "cuda:0, \"emu:GTX 280\", auto, ssh:HOST, slurm, pbs, job:NAME"},
	{"model", 0, LIST, SESSION(models), "NAME", "also predict the time on this GPU (repeatable; all)"},
	{"gpu", 0, LIST, SESSION(gpus), "FILE", "know the GPU that this file describes (repeatable)"},
	{"step", 0, TEXT, SESSION(step), "ID", "only this step of the lab"},
	{"set", 0, SETTING, SESSION(settings), "K=V", "set a parameter of the lab: --set n=4096 (repeatable)"},
	{"limit", 0, LIMIT_VALUE, 0, "K=V", "set a limit: --limit compile_memory=8G (see below)"},
	{"batch", 0, SET, SESSION(batch), NULL, "run all steps to the end, also on a terminal"},
	{"plot", 0, LIST, SESSION(plots), "ID", "draw a plot of the lab; ID=FILE.svg writes it (repeatable)"},
	{"trace", 0, LIST, SESSION(traces), "WHAT", "warps of a block: STEP[:BLOCK[:WARP]][=FILE] (repeatable)"},
#define CHECKER(id, name, what) #name ", "
	{"check", 0, CHECKS, SESSION(check), "LIST",
	 "run each step under "
#include "emu/check/checkers.def"
	 "or all"},
#undef CHECKER
	{"json", 0, TEXT, SESSION(json), "FILE", "write the results as JSON (- is standard output)"},
	{"csv", 0, TEXT, SESSION(csv), "FILE", "write the results as CSV (- is standard output)"},
	{"html", 0, TEXT, SESSION(html), "FILE", "write the results as one HTML page (- is standard output)"},
	{NULL, 'I', LIST, SESSION(include), "DIR", "search this folder for headers of FILE.cu (repeatable)"},
	{NULL, 'D', MACRO, SESSION(defines), "N[=V]", "compile FILE.cu with this macro: -D TILE=32 (repeatable)"},
	{"std", 0, DIALECT, SESSION(standard), "c++NN", "compile FILE.cu as this C++: -std=c++20 (c++17 if not given)"},
	{"no-lock", 0, SET, SESSION(no_lock), NULL, "take times without the GPU's lock, and mark them"},
	{NULL, 'i', SET, SESSION(interactive), NULL, "go to the prompt afterwards"},
	{NULL, 'e', LIST, SESSION(chunks), "CHUNK", "run this Lua text first (repeatable); k: FILE.cu's kernels"},
	{"list", 0, SET, SESSION(list), NULL, "list the labs"},
	{"devices", 0, SET, SESSION(devices), NULL, "list the devices, and measure what the GPUs can do"},
	{"claims", 0, SET, SESSION(claims), NULL, "print what the lectures claim and what shows it, as Markdown"},
	{"verify-labs", 0, SET, SESSION(verify_labs), NULL, "check all labs and exercises; status 7 if one fails"},
	{"verify-lectures", 0, SET, SESSION(verify_lectures), NULL, "predict the lectures' numbers; status 7 if one fails"},
	{"demo", 0, SET, SESSION(demo), NULL, "present the lab: large text, one number at a time"},
	{"recorded", 0, TEXT, SESSION(recorded), "FILE", "a run written with --json, for a demo without a GPU"},
	{"color", 0, COLOR, SESSION(color), "WHEN", "auto, always or never (auto obeys NO_COLOR)"},
	{NULL, 'n', SET, SESSION(no_init), NULL, "do not run the init file"},
	{NULL, 'q', SET, SESSION(quiet), NULL, "no banner"},
	{"completion", 0, TEXT, SESSION(completion), "SHELL", "print the completion script for bash, zsh or fish"},
	{"version", 'v', SET, offsetof(Options, version), NULL, "print the version"},
	{"help", 'h', SET, offsetof(Options, help), NULL, "print this"},
	{"worker", 0, TEXT, offsetof(Options, worker), "NAME", NULL}};

enum { NFLAGS = sizeof flags / sizeof *flags };

static void *field(Options *options, const Flag *flag) {
	return (char *)options + flag->offset;
}

static bool read_color(const char *text, ColorChoice *out) {
	static const char *const names[] = {"auto", "always", "never"};
	for (int i = 0; i < 3; i++) {
		if (strcmp(text, names[i]) != 0) continue;
		*out = (ColorChoice)i;
		return true;
	}
	return false;
}

/* What a line of the source could say, and nothing more. */
static bool is_macro(const char *text) {
	if (!isalpha((unsigned char)*text) && *text != '_') return false;
	while (isalnum((unsigned char)*text) || *text == '_') text++;
	if (*text && *text != '=') return false;
	while (*text && !iscntrl((unsigned char)*text)) text++;
	return !*text;
}

static bool is_dialect(const char *text) {
	static const char *const names[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i]) == 0) return true;
	return false;
}

static bool apply(Options *options, const Flag *flag, const char *shown, const char *value, Err *err) {
	switch (flag->kind) {
	case SET: *(bool *)field(options, flag) = true; return true;
	case TEXT: *(const char **)field(options, flag) = value; return true;
	case SETTING:
		if (value[0] == '=' || !strchr(value, '='))
			return err_set(err, ERR_USAGE, "%s expects NAME=VALUE, as in --set n=4096, not %.100s", shown, value);
		__attribute__((fallthrough));
	case LIST: vec_push((Words *)field(options, flag), value); return true;
	case MACRO:
		if (!is_macro(value))
			return err_set(err, ERR_USAGE, "%s expects NAME or NAME=VALUE, as in -D TILE=32, not %.100s", shown, value);
		vec_push((Words *)field(options, flag), value);
		return true;
	case DIALECT:
		if (!is_dialect(value))
			return err_set(err, ERR_USAGE, "%s is c++03, c++11, c++14, c++17 or c++20, not %.100s", shown, value);
		*(const char **)field(options, flag) = value;
		return true;
	case LIMIT_VALUE: return limit_assign(value, err);
	case CHECKS: {
		unsigned checks;
		*(const char **)field(options, flag) = value;
		return checks_parse(value, &checks, err);
	}
	case COLOR:
		if (read_color(value, field(options, flag))) return true;
		return err_set(err, ERR_USAGE, "%s is auto, always or never, not %.100s", shown, value);
	}
	return true;
}

static bool unknown(const char *arg, Err *err) {
	const char *names[NFLAGS + 1];
	size_t n = 0, len = strcspn(arg, "=");
	char typed[64];
	for (int i = 0; i < NFLAGS; i++)
		if (flags[i].name && flags[i].help) names[n++] = flags[i].name;
	names[n] = NULL;
	snprintf(typed, sizeof typed, "%.*s", (int)len, arg);
	err_set(err, ERR_USAGE, "unknown option %s", typed);
	const char *near = nearest(typed + strspn(typed, "-"), names);
	if (near) return err_hint(err, "did you mean --%s? gpulab --help lists all", near);
	return err_hint(err, "gpulab --help lists all options");
}

/* A cursor over the arguments. */
typedef struct {
	Options *options;
	int argc, at;
	char **argv;
	Err *err;
} Parser;

/* The value of a flag: what follows it in the same word, or the next word. */
static bool value_of(Parser *p, const char *shown, const char *attached, const char **out) {
	if (attached) {
		*out = attached;
		return true;
	}
	if (p->at >= p->argc) return err_set(p->err, ERR_USAGE, "%s expects a value", shown);
	*out = p->argv[p->at++];
	return true;
}

/* name: what follows the dashes of arg. */
static bool long_flag(Parser *p, const char *arg, const char *name) {
	size_t len = strcspn(name, "=");
	const char *attached = name[len] ? name + len + 1 : NULL, *value = NULL;
	for (int i = 0; i < NFLAGS; i++) {
		const Flag *flag = &flags[i];
		if (!flag->name || strlen(flag->name) != len || strncmp(flag->name, name, len) != 0) continue;
		char shown[64];
		snprintf(shown, sizeof shown, "--%s", flag->name);
		if (flag->kind == SET && attached) return err_set(p->err, ERR_USAGE, "%s takes no value", shown);
		if (flag->kind != SET && !value_of(p, shown, attached, &value)) return false;
		return apply(p->options, flag, shown, value, p->err);
	}
	return unknown(arg, p->err);
}

/* -qi is -q -i; -eCHUNK and -e CHUNK are the same. */
static bool short_flags(Parser *p, const char *arg) {
	for (const char *c = arg + 1; *c; c++) {
		const Flag *flag = NULL;
		for (int i = 0; i < NFLAGS && !flag; i++)
			if (flags[i].letter == *c) flag = &flags[i];
		if (!flag) return unknown(c == arg + 1 ? arg : (char[]){'-', *c, '\0'}, p->err);
		char shown[] = {'-', *c, '\0'};
		const char *value = NULL;
		if (flag->kind != SET && !value_of(p, shown, c[1] ? c + 1 : NULL, &value)) return false;
		if (!apply(p->options, flag, shown, value, p->err)) return false;
		if (flag->kind != SET) return true;
	}
	return true;
}

/* -std=c++20 and -std c++20, as nvcc has it: the one long flag with one dash. */
static bool is_std(const char *arg) {
	return strncmp(arg, "-std", 4) == 0 && (!arg[4] || arg[4] == '=');
}

/* Reads flags up to the first word that is none. */
static bool parse_flags(Parser *p) {
	while (p->at < p->argc) {
		const char *arg = p->argv[p->at];
		if (arg[0] != '-' || arg[1] == '\0') return true;
		p->at++;
		if (strcmp(arg, "--") == 0) return true;
		const bool is_long = arg[1] == '-' || is_std(arg);
		if (!(is_long ? long_flag(p, arg, arg + 1 + (arg[1] == '-')) : short_flags(p, arg))) return false;
	}
	return true;
}

static bool is_cuda_file(const char *name) {
	const size_t n = strlen(name);
	return (n > 3 && strcmp(name + n - 3, ".cu") == 0) || (n > 4 && strcmp(name + n - 4, ".cuh") == 0);
}

static bool parse_late(SessionOptions *session, Err *err) {
	Options *options = (Options *)((char *)session - offsetof(Options, session));
	Parser p = {
		.options = options, .argc = session->argc, .at = session->target_at + 1, .argv = session->argv, .err = err};
	if (!parse_flags(&p)) return false;
	if (p.at < p.argc) {
		const char *first = session->argv[session->target_at], *other = p.argv[p.at];
		if (is_cuda_file(first) && is_cuda_file(other)) {
			err_set(err, ERR_USAGE, "gpulab opens one CUDA file at a time, not %.100s and %.100s", first, other);
			return err_hint(err, "open one that has #include \"%.100s\" and the others, or run gpulab for each", first);
		}
		err_set(err, ERR_USAGE, "a lab takes no argument %.100s", other);
		return err_hint(err, "its parameters are set with --set NAME=VALUE");
	}
	return true;
}

static bool describe(int i, OptionText *out) {
	for (int at = 0; at < NFLAGS; at++) {
		const Flag *f = &flags[at];
		if (!f->help || i-- > 0) continue;
		*out = (OptionText){.name = f->name, .letter = {f->letter}, .value = f->value, .help = f->help};
		return true;
	}
	return false;
}

bool options_parse(Options *options, int argc, char **argv, Err *err) {
	Options parsed = {
		.session = {.argc = argc, .argv = argv, .target_at = argc, .late = parse_late, .describe = describe}};
	Parser p = {.options = &parsed, .argc = argc, .at = 1, .argv = argv, .err = err};
	if (!parse_flags(&p)) {
		options_free(&parsed);
		return false;
	}
	if (p.at < argc) {
		parsed.session.target = argv[p.at];
		parsed.session.target_at = p.at;
	}
	*options = parsed;
	return true;
}

void options_free(Options *options) {
	vec_free(&options->session.models);
	vec_free(&options->session.gpus);
	vec_free(&options->session.settings);
	vec_free(&options->session.plots);
	vec_free(&options->session.traces);
	vec_free(&options->session.include);
	vec_free(&options->session.defines);
	vec_free(&options->session.chunks);
}

void options_help(FILE *out) {
	fprintf(out, "usage: gpulab [options] [LAB.lua | NUMBER | NAME | SCRIPT.lua | FILE.cu | -]\n"
				 "       gpulab [options] check LAB EXERCISE [FILE.cu]\n"
				 "       gpulab [options] grade SUBMISSIONS\n"
				 "       gpulab [options] exec PROGRAM|FILE.cu [arguments]\n"
				 "       gpulab [options] doctor [PROGRAM]\n"
				 "       gpulab [options] serve --stdio\n"
				 "       gpulab [options] lsp\n"
				 "\n"
				 "  gpulab                  a prompt\n"
				 "  gpulab 3                lab 3 (or bank-conflicts, or the path of a lab)\n"
				 "  gpulab SCRIPT.lua a b   a Lua script; arg holds its arguments\n"
				 "  gpulab FILE.cu          its kernels, ready to launch: host code is left out\n"
				 "  gpulab new-lab FILE.cu  writes a lab with a step per kernel\n"
				 "  gpulab notebook LAB     writes a lab as a Jupyter notebook\n"
				 "  gpulab -                a Lua script from standard input\n"
				 "\n");
	for (int i = 0; i < NFLAGS; i++) {
		const Flag *f = &flags[i];
		char left[32];
		if (!f->help) continue;
		int n = f->letter ? snprintf(left, sizeof left, "-%c%s", f->letter, f->name ? ", " : "") : 0;
		if (f->name) n += snprintf(left + n, sizeof left - (size_t)n, "--%s", f->name);
		if (f->value) snprintf(left + n, sizeof left - (size_t)n, " %s", f->value);
		fprintf(out, "  %-17s %s\n", left, f->help);
	}
	fprintf(out, "\nExit status: 0 all well, 1 does not compile (or takes too much memory to),\n"
				 "2 crashed or faulted, 3 wrong result, 4 timed out (a kernel or a compilation),\n"
				 "5 something needed is missing, 6 a checker found an issue,\n"
				 "7 an acceptance check not met, 64 bad usage, 130 interrupted.\n"
				 "\n"
				 "Limits, set with --limit, a variable, or gpu.limits:\n");
	for (int i = 0; i < LIMITS; i++) {
		const LimitRow *row = limit_row((LimitId)i);
		char value[32];
		limit_value_text((LimitId)i, limit_usual((LimitId)i), value, sizeof value);
		fprintf(out, "  %-15s %-8s %s\n", row->name, value, row->what);
	}
}
