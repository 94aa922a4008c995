/* runtime.h: where in the program a call or an access is. Calls are read from the stack: functions of this library are
 * compiled so that each has a frame. */
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "exec/runtime/runtime.h"

enum { MOST_FRAMES = 32 };

/* The loader knows a program by what it was called as. */
static const char *file_of(const Dl_info *at) {
	static char program[4096];
	Dl_info main;
	if (!dladdr((void *)getauxval(AT_ENTRY), &main) || main.dli_fbase != at->dli_fbase) return at->dli_fname;
	const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	program[n > 0 ? n : 0] = 0;
	return program;
}

/* The name of a function of this library. Several may be the same function, and which of them dladdr finds depends on
 * the linker: the one that most programs call has the fewest endings. */
static const char *call_name(const Dl_info *at) {
	static const char *const endings[] = {"_ptsz", "_ptds", "Async", "WithFlags"};
	static char name[128];
	size_t length = strlen(at->dli_sname);
	void *library = length < sizeof name ? dlopen(at->dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	if (!library) return at->dli_sname;
	memcpy(name, at->dli_sname, length + 1);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const size_t less = strlen(endings[i]);
		if (length <= less || strcmp(name + length - less, endings[i]) != 0) continue;
		name[length - less] = '\0';
		if (dlsym(library, name) == at->dli_saddr)
			length -= less;
		else
			name[length - less] = *endings[i];
	}
	dlclose(library);
	return name;
}

static uint64_t address_in(const Dl_info *at, const char *frame) {
	const Elf64_Ehdr *header = at->dli_fbase;
	return (uint64_t)(uintptr_t)frame - (header->e_type == ET_DYN ? (uint64_t)(uintptr_t)at->dli_fbase : 0);
}

ExecCall place_of_code(const void *code, Number places[EXEC_MOST_PLACES]) {
	Dl_info at;
	ExecCall f = {.call = "", .object = "", .places = places};
	if (!code || !dladdr(code, &at)) return f;
	f.object = file_of(&at);
	places[f.nplaces++] = (Number){address_in(&at, code)};
	return f;
}

/* Code of this library, or of the driver's, which calls it. */
static bool is_own(const Dl_info *at) {
	static const char driver[] = "/libcuda.so.1";
	static const void *own;
	Dl_info here;
	const size_t length = strlen(at->dli_fname), last = sizeof driver - 1;
	if (!own && dladdr((void *)(uintptr_t)find_call, &here)) own = here.dli_fbase;
	if (at->dli_fbase == own) return true;
	return length > last && strcmp(at->dli_fname + length - last, driver) == 0;
}

bool is_own_code(const void *code) {
	Dl_info at;
	return dladdr(code, &at) && is_own(&at);
}

/* Code that no program has by itself: what it was called for is the place. */
static bool is_library(const Dl_info *at) {
	return is_own(at) || strncmp(at->dli_fname, "/lib", 4) == 0 || strncmp(at->dli_fname, "/usr/lib", 8) == 0;
}

ExecCall place_of_fault(const void *code, Number places[EXEC_MOST_PLACES]) {
	void *frames[MOST_FRAMES];
	Dl_info at;
	if (!code || !dladdr(code, &at) || !is_library(&at)) return place_of_code(code, places);
	int i = 0;
	const int n = backtrace(frames, MOST_FRAMES);
	while (i < n && frames[i] != code) i++; /* those of the handler */
	while (i < n && dladdr(frames[i], &at) && is_library(&at)) i++;
	return place_of_code(i < n ? (const char *)frames[i] - 1 : code, places);
}

/* A launch is made by functions of nvcc's: what called those is wanted, too. */
ExecCall find_call(Number places[EXEC_MOST_PLACES]) {
	void *frames[MOST_FRAMES];
	Dl_info at;
	ExecCall f = {.call = "", .object = "", .places = places};
	const int n = backtrace(frames, MOST_FRAMES);
	for (int i = 0; i < n; i++) {
		const char *frame = (const char *)frames[i] - 1; /* in the call, and not behind it */
		if (!dladdr(frame, &at)) break;
		if (is_own(&at) && at.dli_sname) f.call = call_name(&at);
		if (is_own(&at) || (!f.nplaces && is_library(&at))) continue;
		if (f.nplaces && strcmp(f.object, file_of(&at)) != 0) break;
		f.object = file_of(&at);
		places[f.nplaces++] = (Number){address_in(&at, frame)};
		if (f.nplaces == EXEC_MOST_PLACES) break;
	}
	return f;
}
