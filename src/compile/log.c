/* log.h. */
#include "compile/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/kernels.h"
#include "compile/source/scan.h"

/* Files are shown as the caller spells the source's path, and those beside it likewise. */
char *log_shown_path(Arena *arena, const char *file, const Plan *plan, const CompileJob *job) {
	if (strcmp(file, plan->path) == 0) return arena_strdup(arena, job->path);
	size_t n = strlen(plan->folder);
	if (!n || strncmp(file, plan->folder, n) != 0 || file[n] != '/') return arena_strdup(arena, file);
	const char *slash = strrchr(job->path, '/');
	return arena_format(arena, "%.*s%s", slash ? (int)(slash + 1 - job->path) : 0, job->path, file + n + 1);
}

char *log_line_of(Arena *arena, const char *text, uint32_t line) {
	for (; line > 1 && *text; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return arena_strndup(arena, text, strcspn(text, "\r\n"));
}

/* NVRTC reports a missing semicolon at the token it met instead, often lines below; people look for it where the
 * statement ends. */
static void place_semicolon(Arena *arena, Diagnostic *diag, const CompileJob *job) {
	uint32_t line, column;
	if (strcmp(diag->message, "expected a \";\"") != 0 || !diag->column) return;
	if (!scan_token_end_before(job->source, diag->line, diag->column, &line, &column) || line == diag->line) return;
	diag->line = line;
	diag->column = column;
	diag->source_line = log_line_of(arena, job->source, line);
}

/* ptxas knows kernels, not lines: the source says where the kernel it complains of begins. */
static void place_by_kernel(Arena *arena, Diagnostic *diag, const CompileJob *job) {
	const char *open = strchr(diag->message, '"');
	const char *close = open ? strchr(open + 1, '"') : NULL;
	if (*diag->file || !close) return;
	ScanKernel *kernels;
	size_t n = scan_kernels(arena, job->source, &kernels);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(kernels[i].name);
		if (diag->line || len != (size_t)(close - open - 1) || memcmp(kernels[i].name, open + 1, len) != 0) continue;
		diag->file = arena_strdup(arena, job->path);
		diag->line = kernels[i].line;
		diag->source_line = log_line_of(arena, job->source, kernels[i].line);
	}
}

Diagnostics log_read(const char *log, const Plan *plan, const CompileJob *job) {
	Diagnostics diags = {0};
	diagnostics_parse(log, &diags);
	for (size_t i = 0; i < diags.len; i++) {
		Diagnostic *diag = &diags.data[i];
		bool own = strcmp(diag->file, plan->path) == 0;
		diag->file = log_shown_path(diags.arena, diag->file, plan, job);
		if (own) place_semicolon(diags.arena, diag, job);
		place_by_kernel(diags.arena, diag, job);
	}
	return diags;
}

const Diagnostic *log_first_error(const Diagnostics *diags, bool in_names) {
	for (size_t i = 0; i < diags->len; i++) {
		if (diags->data[i].kind == DIAG_ERROR && kernels_is_name_message(&diags->data[i]) == in_names) {
			return &diags->data[i];
		}
	}
	return NULL;
}

void log_drop_names(Diagnostics *diags) {
	size_t kept = 0;
	for (size_t i = 0; i < diags->len; i++)
		if (!kernels_is_name_message(&diags->data[i])) diags->data[kept++] = diags->data[i];
	diags->len = kept;
}

static bool hint_for(const Diagnostic *diag, Err *err) {
	static const char *const host[] = {"stdio.h", "stdlib.h", "math.h",  "assert.h", "string.h", "cstdio",
									   "cstdlib", "cmath",    "cassert", "cstring",  "iostream", "vector"};
	bool missing = strstr(diag->message, "open source file");
	if (strstr(diag->file, "/thrust/")) return unit_hint_thrust(err);
	for (size_t i = 0; missing && i < sizeof host / sizeof *host; i++) {
		char quoted[16];
		snprintf(quoted, sizeof quoted, "\"%s\"", host[i]);
		if (!strstr(diag->message, quoted)) continue;
		err_hint(
			err,
			"kernels are compiled without the host's headers: printf, assert and the mathematical functions are there "
			"without them, <cuda/std/...> has the rest; put host code between #ifndef __CUDACC_RTC__ and #endif");
		return true;
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
	} else {
		return false;
	}
	return true;
}

void log_report(const Diagnostic *diag, const Unit *unit, Err *err) {
	char *text = diagnostic_render(diag, false);
	err_set(err, ERR_COMPILE, "%s", text);
	free(text);
	if (*diag->file && diag->line) err_where(err, diag->file, diag->line);
	if (!unit_hint(unit, diag, err) && !hint_for(diag, err)) unit_hint_missing(unit, err);
}
