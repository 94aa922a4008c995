/* ptxas.h. */
#include "compile/worker/ptxas.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

bool ptxas_checks_source(const char *text) {
	return strstr(text, "asm") || strstr(text, "##");
}

/* "-I DIR" of two words is not among them. */
bool ptxas_reads_option(const char *option) {
	static const char *const others[] = {"-D",
										 "--define-macro=",
										 "-U",
										 "--undefine-macro=",
										 "-I",
										 "--include-path=",
										 "-std=",
										 "--std=",
										 "-fmad=",
										 "--fmad=",
										 "-ftz=",
										 "--ftz=",
										 "-use_fast_math",
										 "--use_fast_math"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (text_starts(option, others[i])) return ptxas_checks_source(option);
	return true;
}

/* `.shared .align 4 .b8 tile[4096];` A variable that is no array has at most 16 bytes. */
static size_t declared_bytes(const char *line) {
	const size_t len = strcspn(line, "=;\n");
	const char *open = memchr(line, '[', len);
	return open ? (size_t)strtoull(open + 1, NULL, 10) : 16;
}

static bool declares(const char *line, const char *space) {
	static const char *const linking[] = {".visible ", ".weak ", ".extern "};
	for (size_t i = 0; i < sizeof linking / sizeof *linking; i++)
		if (text_starts(line, linking[i])) line += strlen(linking[i]);
	return text_starts(line, space);
}

/* `.extern .func (.param .b32 func_retval0) vprintf` and a line break. These are there on every device. */
static bool has_body_elsewhere(const char *line) {
	static const char *const known[] = {"vprintf", "malloc", "free", "__assertfail"};
	const char *name = line + strlen(".extern .func");
	const char *close = *(name += strspn(name, " ")) == '(' ? strchr(name, ')') : NULL;
	if (close) name = close + 1;
	name += strspn(name, " \n\t");
	const size_t len = strcspn(name, " \n\t(;");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i]) == len && memcmp(name, known[i], len) == 0) return true;
	return false;
}

bool ptxas_may_refuse(const char *ptx) {
	enum { SHARED = 48 << 10, CONST = 64 << 10 };
	size_t shared = 0, constant = 0;
	for (const char *line = ptx; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n\t ");
		if (declares(line, ".shared ")) shared += declared_bytes(line);
		if (declares(line, ".const ")) constant += declared_bytes(line);
		if (text_starts(line, ".extern .func") && !has_body_elsewhere(line)) return true;
		if (shared > SHARED || constant > CONST) return true;
	}
	return false;
}
