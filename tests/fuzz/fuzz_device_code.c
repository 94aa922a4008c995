/* Any text: what is left of it has as many lines, and is again taken. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "compile/source/device_code.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static IncludeMeaning resolve(void *context, const char *path, uint32_t line) {
	static const IncludeMeaning meanings[] = {
		{INCLUDE_MISSING, NULL}, {INCLUDE_CUDA, NULL}, {INCLUDE_UNIT, "/h"}, {INCLUDE_OTHER, NULL}};
	return meanings[(line + (*path != '\0')) % 4];
}

static size_t lines_of(const char *text) {
	size_t n = 0;
	for (; *text; text++) n += *text == '\n';
	return n;
}

static void run(const char *source, const char *header) {
	const UnitFile files[] = {{"", source}, {"/h", header}};
	DeviceCode code;
	Arena *arena = arena_new();
	device_code(arena, files, 2, resolve, NULL, &code);
	for (int i = 0; i < 2; i++)
		if (lines_of(code.files.data[i].text) != lines_of(files[i].text)) abort();
	arena_free(arena);
}

/* A NUL byte parts the source from its header. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	char *text = xcalloc(size + 2, 1);
	memcpy(text, data, size);
	const size_t first = strlen(text);
	run(text, first < size ? text + first + 1 : "");
	free(text);
	return 0;
}
