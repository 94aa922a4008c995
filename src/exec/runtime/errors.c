/* The names and texts of errors. Programs print them, so they are those that NVIDIA's runtime has (error_rows.c). */
#include <stddef.h>

#include "exec/runtime/runtime.h"

typedef struct {
	int error;
	const char *name, *text;
} ErrorRow;

static const ErrorRow rows[] = {
#define X(error, name, text) {error, name, text},
#include "exec/error_rows.def"
#undef X
};

static const ErrorRow *row_of(cudaError_t error) {
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].error == (int)error) return &rows[i];
	return NULL;
}

const char *error_text(cudaError_t error) {
	const ErrorRow *row = row_of(error);
	return row ? row->text : "unrecognized error code";
}

const char *error_name(cudaError_t error) {
	const ErrorRow *row = row_of(error);
	return row ? row->name : "unrecognized error code";
}
