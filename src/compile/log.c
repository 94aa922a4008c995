/* log.h. */
#include "compile/log.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/kernels.h"
#include "compile/source/scan.h"

/* Files are shown as the caller spells the source's path, and those beside it likewise. */
char *log_shown_path(const char *file, const Plan *plan, const CompileJob *job) {
	if (strcmp(file, plan->path) == 0) return xstrdup(job->path);
	size_t n = strlen(plan->folder);
	if (!n || strncmp(file, plan->folder, n) != 0 || file[n] != '/') return xstrdup(file);
	const char *slash = strrchr(job->path, '/');
	Str s = {0};
	str_addn(&s, job->path, slash ? (size_t)(slash + 1 - job->path) : 0);
	str_add(&s, file + n + 1);
	return str_take(&s);
}

char *log_line_of(const char *text, uint32_t line) {
	for (; line > 1 && *text; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	Str s = {0};
	str_addn(&s, text, strcspn(text, "\r\n"));
	return str_take(&s);
}

/* NVRTC reports a missing semicolon at the token it met instead, often lines below; people look for it where the
 * statement ends. */
static void place_semicolon(Diagnostic *diag, const CompileJob *job) {
	uint32_t line, column;
	if (strcmp(diag->message, "expected a \";\"") != 0 || !diag->column) return;
	if (!scan_token_end_before(job->source, diag->line, diag->column, &line, &column) || line == diag->line) return;
	diag->line = line;
	diag->column = column;
	free(diag->source_line);
	diag->source_line = log_line_of(job->source, line);
}

/* ptxas knows kernels, not lines: the source says where the kernel it complains of begins. */
static void place_by_kernel(Diagnostic *diag, const CompileJob *job) {
	const char *open = strchr(diag->message, '"');
	const char *close = open ? strchr(open + 1, '"') : NULL;
	if (*diag->file || !close) return;
	ScanKernel *kernels;
	size_t n = scan_kernels(job->source, &kernels);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(kernels[i].name);
		if (diag->line || len != (size_t)(close - open - 1) || memcmp(kernels[i].name, open + 1, len) != 0) continue;
		free(diag->file);
		diag->file = xstrdup(job->path);
		diag->line = kernels[i].line;
		diag->source_line = log_line_of(job->source, kernels[i].line);
	}
	scan_kernels_free(kernels, n);
}

Diagnostics log_read(const char *log, const Plan *plan, const CompileJob *job) {
	Diagnostics diags = {0};
	diagnostics_parse(log, &diags);
	for (size_t i = 0; i < diags.len; i++) {
		Diagnostic *diag = &diags.items[i];
		bool own = strcmp(diag->file, plan->path) == 0;
		char *shown = log_shown_path(diag->file, plan, job);
		free(diag->file);
		diag->file = shown;
		if (own) place_semicolon(diag, job);
		place_by_kernel(diag, job);
	}
	return diags;
}

const Diagnostic *log_first_error(const Diagnostics *diags, bool in_names) {
	for (size_t i = 0; i < diags->len; i++) {
		if (diags->items[i].kind == DIAG_ERROR && kernels_is_name_message(&diags->items[i]) == in_names) {
			return &diags->items[i];
		}
	}
	return NULL;
}

void log_drop_names(Diagnostics *diags) {
	size_t kept = 0;
	for (size_t i = 0; i < diags->len; i++) {
		if (kernels_is_name_message(&diags->items[i])) {
			diagnostic_clear(&diags->items[i]);
		} else {
			diags->items[kept++] = diags->items[i];
		}
	}
	diags->len = kept;
}

static void hint_for(const Diagnostic *diag, Err *err) {
	static const char *const host[] = {"stdio.h", "stdlib.h", "math.h",  "assert.h", "string.h", "cstdio",
									   "cstdlib", "cmath",    "cassert", "cstring",  "iostream", "vector"};
	bool missing = strstr(diag->message, "open source file");
	for (size_t i = 0; missing && i < sizeof host / sizeof *host; i++) {
		Str quoted = {0};
		str_addf(&quoted, "\"%s\"", host[i]);
		bool hit = strstr(diag->message, quoted.text) != NULL;
		str_free(&quoted);
		if (!hit) continue;
		err_hint(
			err,
			"kernels are compiled without the host's headers: printf, assert and the mathematical functions are there "
			"without them, <cuda/std/...> has the rest; put host code between #ifndef __CUDACC_RTC__ and #endif");
		return;
	}
	if (missing) {
		err_hint(err, "headers are searched next to the source, in the folders given, and in CUDA's own");
	} else if (strstr(diag->message, "is considered a host")) {
		err_hint(err, "write __device__ (or __global__, __constant__, __shared__) before it, or keep host code between "
					  "#ifndef __CUDACC_RTC__ and #endif");
	} else if (strstr(diag->message, "too much shared data")) {
		err_hint(
			err,
			"use a smaller array, or dynamic shared memory: extern __shared__ float s[]; with the size in the launch");
	}
}

void log_report(const Diagnostic *diag, const Unit *unit, Err *err) {
	char *text = diagnostic_render(diag, false);
	err_set(err, ERR_COMPILE, "%s", text);
	free(text);
	if (*diag->file && diag->line) err_where(err, diag->file, diag->line);
	if (!unit_hint(unit, diag->message, err)) hint_for(diag, err);
}
