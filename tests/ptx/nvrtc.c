#include "nvrtc.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "compile/compile.h"
#include "compile/worker/service.h"

void nvrtc_begin(int argc, char **argv) {
	Err err = ERR_INIT;
	compile_worker_if_asked(argc, argv);
	if (nvrtc_version(&err)) return;
	printf("1..0 # SKIP no NVRTC: %s\n", err.what);
	exit(0);
}

static _Noreturn void bail_out(const char *path, const Err *err) {
	printf("Bail out! %s: %s\n", path, err->what);
	exit(1);
}

char *nvrtc_ptx(const char *path, uint32_t cc, const char *const *names) {
	static const char *const options[] = {"-std=c++17", "-default-device", "-device-int128", NULL};
	Err err = ERR_INIT;
	char *source = file_read(path, FILE_SOURCE_MOST, NULL, &err);
	if (!source) bail_out(path, &err);
	const CompileJob job = {
		.source = source, .path = path, .cc = cc, .names = names, .for_emulator = true, .options = options};
	Compiled *compiled = NULL;
	if (!compile(&job, &compiled, NULL, &err)) bail_out(path, &err);
	char *ptx = xstrdup(compiled->ptx);
	compiled_free(compiled);
	compile_end(); /* tests count processes */
	free(source);
	return ptx;
}
