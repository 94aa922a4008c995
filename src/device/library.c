/* library.h */
#include "device/library.h"

#include <string.h>

#include "base/text/nearest.h"

static const LibraryInfo infos[LIBRARY_ROUTINES] = {
	[LIBRARY_NONE] = {"", "", 0, 0, ELEM_U8, ELEM_U8, ""},
	[LIBRARY_SGEMM] = {"sgemm", "C, A, B, n", 3, 1, ELEM_F32, ELEM_F32, "cuBLAS"},
	[LIBRARY_GEMMEX] = {"gemmex", "C, A, B, n", 3, 1, ELEM_F32, ELEM_BF16, "cuBLAS"},
	[LIBRARY_SGEAM] = {"sgeam", "out, in, rows, columns", 2, 2, ELEM_F32, ELEM_F32, "cuBLAS"},
	[LIBRARY_MEMCPY] = {"memcpy", "to, from", 2, 0, ELEM_U8, ELEM_U8, ""},
};

const LibraryInfo *library_info(LibraryRoutine routine) {
	return &infos[routine];
}

LibraryRoutine library_find(const char *name, Err *err) {
	const char *names[LIBRARY_ROUTINES] = {0};
	for (int i = LIBRARY_NONE + 1; i < LIBRARY_ROUTINES; i++) {
		if (strcmp(infos[i].name, name) == 0) return (LibraryRoutine)i;
		names[i - 1] = infos[i].name;
	}
	const char *near = nearest(name, names);
	err_set(err, ERR_USAGE, "there is no library routine \"%.60s\"", name);
	err_hint(err, "%s%s%sthere are sgemm, gemmex, sgeam and memcpy", near ? "did you mean " : "", near ? near : "",
			 near ? "? " : "");
	return LIBRARY_NONE;
}

bool library_elements(LibraryRoutine routine, const uint64_t extents[LIBRARY_EXTENTS], uint64_t *elements) {
	const uint64_t most = INT32_MAX; /* cuBLAS counts rows and columns in int */
	*elements = 0;
	if (routine == LIBRARY_MEMCPY) return true;
	const uint64_t rows = extents[0], columns = library_info(routine)->nextents == 1 ? rows : extents[1];
	if (rows < 1 || columns < 1 || rows > most || columns > most) return false;
	*elements = rows * columns;
	return true;
}

bool library_missing(LibraryRoutine routine, Err *err) {
	const LibraryInfo *info = library_info(routine);
	err_set(err, ERR_SETUP, "%s needs a GPU: the emulator runs kernels only", *info->from ? info->from : info->name);
	return err_hint(err, "time it with --device cuda on a machine with an NVIDIA GPU, or leave it out");
}
