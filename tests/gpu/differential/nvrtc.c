/* What NVRTC makes of a broad set of CUDA C++ is all covered: nvrtc FILE.cu..., each compiled for the oldest GPU it
 * serves and for Hopper. Skipped by name where there is no NVRTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "compile/compile.h"
#include "compile/worker/service.h"
#include "coverage.h"

static int done, failed;

static void name_it(void *user, const PtxFunction *in, const PtxInstr *instr) {
	(void)user;
	printf("# %s: %s\n", in->name, instr->text);
}

static size_t uncovered(const char *text, size_t len, Err *err) {
	PtxModule *ptx = ptx_parse(text, len, err);
	Machine *machine = machine_open(gpu_default(), 1);
	EmuModule *module = NULL;
	size_t n = 1;
	if (ptx && machine_load(machine, ptx, &module, err))
		n = emu_uncovered(module, name_it, NULL);
	else
		printf("# %s\n", err->what);
	machine_close(machine);
	ptx_free(ptx);
	return n;
}

static void try_one(const char *path, const char *source, uint32_t cc) {
	static const char *const options[] = {"-std=c++17", "-default-device", "-device-int128", NULL};
	const CompileJob job = {.source = source, .path = path, .cc = cc, .options = options};
	Compiled *compiled = NULL;
	Err err = ERR_INIT;
	bool good = compile(&job, &compiled, NULL, &err);
	if (good)
		good = uncovered(compiled->ptx, compiled->ptx_bytes, &err) == 0;
	else
		printf("# %.600s\n", err.what);
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	printf("%s %d - %s for sm_%u\n", good ? "ok" : "not ok", ++done, name, cc);
	failed += !good;
	compiled_free(compiled);
}

int main(int argc, char **argv) {
	Err err = ERR_INIT;
	compile_worker_if_asked(argc, argv);
	if (!nvrtc_version(&err)) {
		printf("1..0 # SKIP no NVRTC: %s\n", err.what);
		return 0;
	}
	for (int i = 1; i < argc; i++) {
		char *source = file_read(argv[i], FILE_SOURCE_MOST, NULL, &err);
		if (!source) {
			printf("Bail out! %s\n", err.what);
			return 1;
		}
		if (!strstr(source, "sm_90 alone")) try_one(argv[i], source, 75);
		try_one(argv[i], source, 90);
		free(source);
	}
	printf("1..%d\n", done);
	return failed != 0;
}
