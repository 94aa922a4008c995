/* Small helpers for cmocka tests of PTX text. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "ptx/module.h"

#define HEADER ".version 8.7\n.target sm_75\n.address_size 64\n"
#define COUNT(a) (sizeof(a) / sizeof *(a))

static inline PtxModule *parse_text(const char *text) {
	Err err = ERR_INIT;
	PtxModule *m = ptx_parse(text, strlen(text), &err);
	if (!m) fail_msg("%s", err.what);
	return m;
}

static inline void join(Str *text, const char *a, const char *b, const char *c) {
	str_add(text, a);
	str_add(text, b);
	str_add(text, c);
}

/* What follows the three header lines. */
static inline PtxModule *parse_module(const char *rest) {
	Str text = {0};
	join(&text, HEADER, rest, "");
	PtxModule *m = parse_text(text.text);
	str_free(&text);
	return m;
}

/* The statements of a kernel k(param_0 : u64, param_1 : b32, param_2 : b8[24]) with the usual registers. */
#define KERNEL_HEAD                                                                                                    \
	".visible .entry k(.param .u64 param_0, .param .b32 param_1, .param .align 8 .b8 param_2[24])\n{\n"                \
	".reg .pred %p<10>;\n.reg .b16 %rs<10>;\n.reg .b32 %r<40>;\n.reg .f32 %f<20>;\n.reg .b64 %rd<20>;\n"               \
	".reg .f64 %fd<10>;\n"

static inline PtxModule *parse_kernel(const char *statements) {
	Str text = {0};
	join(&text, KERNEL_HEAD, statements, "\n}\n.file 1 \"a.cu\"\n.file 2 \"b.cu\"\n");
	PtxModule *m = parse_module(text.text);
	str_free(&text);
	return m;
}

static inline const PtxFunction *kernel_of(const PtxModule *m) {
	const PtxFunction *f = ptx_function(m, "k");
	assert_non_null(f);
	return f;
}

/* The text must be refused on that line of it, with these words in the message. */
static inline void refuse(const char *text, unsigned line, const char *words) {
	Err err = ERR_INIT;
	char start[40];
	PtxModule *m = ptx_parse(text, strlen(text), &err);
	if (m) fail_msg("accepted: %s", text);
	snprintf(start, sizeof start, "PTX line %u: ", line);
	assert_int_equal(err.kind, ERR_COMPILE);
	if (!text_starts(err.what, start)) fail_msg("%s: expected %s", err.what, start);
	if (!strstr(err.what, words)) fail_msg("%s: expected the words %s", err.what, words);
	assert_true(err.hint[0] != 0);
}

/* One statement of the kernel; the error is on its line. */
static inline void refuse_statement(const char *statement, const char *words) {
	Str text = {0};
	join(&text, HEADER KERNEL_HEAD, statement, "\n}\n");
	refuse(text.text, 12, words);
	str_free(&text);
}

static inline void refuse_module(const char *rest, const char *words) {
	Str text = {0};
	join(&text, HEADER, rest, "");
	refuse(text.text, 4, words);
	str_free(&text);
}

static inline const char *register_name(const PtxFunction *f, uint32_t reg) {
	assert_true(reg < f->nregs);
	return f->regs[reg].name;
}
