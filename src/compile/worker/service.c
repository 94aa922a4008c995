/* service.h: a process that holds NVRTC, and limits that the operating system keeps.
 *
 * Whatever a source does to the compiler happens here: it may loop, abort, overflow the stack, or take all the memory
 * there is. The prompt then says so and starts another worker. */
#include "compile/worker/service.h"
#include "base/proc.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "compile/worker/calls.h"
#include "compile/worker/nvrtc.h"
#include "wire/serve.h"

enum { STACK_BYTES = 64 << 20 }; /* the compiler recurses as deep as the source is nested */

/* SIGPROF ends a process that uses more; 0: as much as it likes. */
static void limit_processor(double seconds) {
	struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
	timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
	setitimer(ITIMER_PROF, &timer, NULL);
}

static bool addresses_fixed(void) {
	const int flags = personality(0xffffffff);
	return flags >= 0 && flags & ADDR_NO_RANDOMIZE;
}

/* Precompiled headers fit only where the library and its memory are at the same addresses as when they were made. So
 * that a file serves more than one process, the worker starts itself again with addresses that are not random; where
 * that is not allowed, there are no such files. */
static void fix_addresses(void) {
	static char *const argv[] = {(char *)"gpulab", (char *)"--worker", (char *)COMPILE_SERVICE, NULL};
	const int flags = personality(0xffffffff);
	if (flags < 0 || flags & ADDR_NO_RANDOMIZE || personality((unsigned long)flags | ADDR_NO_RANDOMIZE) < 0) return;
	execv(proc_self(), argv);
}

/* Once the library is there, before any text of a student's. */
static bool enter_sandbox(const OpenRequest *r, SandboxState *state, Arena *arena, Err *err) {
	enum { FILES = 1024 }; /* open at once: headers include headers */
	const char **read = arena_array(arena, r->nread + 1, sizeof *read);
	for (uint32_t i = 0; i < r->nread; i++) read[i] = r->read[i].text;
	const char *const write[] = {r->write, NULL};
	const SandboxPlan plan = {.read = read,
							  .write = write,
							  .memory_bytes = r->memory_bytes,
							  .file_bytes = r->write ? (uint64_t)1 << 30 : 0,
							  .descriptors = FILES};
	return sandbox_enter(&plan, state, err);
}

static bool serve_open(Server *server, const void *request, void *answer, Err *err) {
	const OpenRequest *r = request;
	OpenAnswer *a = answer;
	if (!nvrtc_load(r->library, a, err)) return false;
	if (addresses_fixed()) nvrtc_reserve(r->memory_bytes / 8);
	if (r->write) setenv("TMPDIR", r->write, 1);
	return enter_sandbox(r, &a->sandbox, server->arena, err);
}

static bool serve_compile(Server *server, const void *request, void *answer, Err *err) {
	const NvrtcInput *in = request;
	limit_processor(in->seconds);
	const bool ok = nvrtc_run(in, server->arena, answer, err);
	limit_processor(0);
	return ok;
}

static bool serve_prepare(Server *server, const void *request, void *answer, Err *err) {
	const NvrtcInput *in = request;
	limit_processor(in->seconds);
	((PrepareAnswer *)answer)->made = nvrtc_prepare(in, server->arena);
	limit_processor(0);
	return true;
}

static const ServeCall calls[CALL_COUNT] = {
	[CALL_OPEN] = {&OpenRequest_record, &OpenAnswer_record, serve_open},
	[CALL_COMPILE] = {&NvrtcInput_record, &NvrtcOutput_record, serve_compile},
	[CALL_PREPARE] = {&NvrtcInput_record, &PrepareAnswer_record, serve_prepare},
};

static void limit_stack(void) {
	struct rlimit stack;
	if (getrlimit(RLIMIT_STACK, &stack) < 0) return;
	stack.rlim_cur = stack.rlim_max < STACK_BYTES ? stack.rlim_max : STACK_BYTES;
	setrlimit(RLIMIT_STACK, &stack);
}

/* NVRTC allocates and frees the same tens of megabytes in each compile: given back, they would be zeroed for every next
 * one. */
static void keep_memory(void) {
	enum { KEPT = 256 << 20, STEP = 32 << 20 };
	mallopt(M_TRIM_THRESHOLD, KEPT);
	mallopt(M_TOP_PAD, STEP);
	mallopt(M_MMAP_THRESHOLD, STEP);
}

_Noreturn void compile_worker_main(int fd) {
	Server server = {.calls = calls, .ncalls = CALL_COUNT};
	const struct rlimit none = {0, 0};
	limit_stack();
	setrlimit(RLIMIT_CORE, &none);
	fix_addresses();
	keep_memory();
	serve_begin(&server, fd);
	/* Without exit handlers: a library's would run them for nothing. */
	_exit(serve_until_closed(&server));
}

void compile_worker_if_asked(int argc, char **argv) {
	if (argc == 3 && strcmp(argv[1], "--worker") == 0 && strcmp(argv[2], COMPILE_SERVICE) == 0)
		compile_worker_main(WORKER_FD);
}
