/* A light reading of CUDA C++ source: enough to know which headers it includes, which kernels it defines, and where the
 * token before a given place ends. It knows comments, strings (raw ones too), numbers and line splices, and nothing of
 * the preprocessor: what stands in an untaken #if is seen as well, so answers err on the side of too much. What is
 * found lives in the arena. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct {
	char *name;  /* as written between the quotes or brackets; NULL: a macro names the header, which one is unknown */
	bool quoted; /* "name", searched beside the includer first */
	bool asked;  /* by __has_include: nothing is read */
	uint32_t line;
} ScanInclude;

/* Every #include and __has_include, in order. */
size_t scan_includes(Arena *arena, const char *text, ScanInclude **out);

/* How many #include directives come before anything else. */
size_t scan_leading_includes(Arena *arena, const char *text);

typedef struct {
	char *name;       /* with its namespaces: "foo::copy" */
	char *template_;  /* "int N, class T" of a template, else NULL */
	char *parameters; /* "const float *in, int n", on one line */
	uint32_t line;
	size_t at; /* where its __global__, or the macro for it, is in the text */
} ScanKernel;

size_t scan_kernels(Arena *arena, const char *text, ScanKernel **out);

/* The parameters of the function that is declared by that name in that line, also where a macro declares it:
 * "int *p" of KERNEL(copy)(int *p). NULL: there are none behind the name. */
char *scan_parameters_at(Arena *arena, const char *text, uint32_t line, const char *name);

/* The place just behind the last token that ends before line:column (all from 1, columns in bytes). False: there is
 * none. */
bool scan_token_end_before(const char *text, uint32_t line, uint32_t column, uint32_t *end_line, uint32_t *end_column);
