/* library.h: the choice, and the versions remembered for it. */
#include "compile/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/cache.h"
#include "compile/compiler.h"

enum { NEEDED_MAJOR = 12, NEEDED_MINOR = 8 };
/* The newest one that the labs were verified with (tests/fresh/toolkits). */
enum { VERIFIED_MAJOR = 13, VERIFIED_MINOR = 0 };

static struct {
	NvrtcLibrary library;
	char version[24];
	bool unverified; /* newer than that */
} chosen;

static bool new_enough(uint32_t major, uint32_t minor) {
	return major > NEEDED_MAJOR || (major == NEEDED_MAJOR && minor >= NEEDED_MINOR);
}

static bool hint_get(Err *err) {
	return err_hint(
		err,
		"run ./bootstrap in gpulab's folder, which fetches NVRTC; or install the CUDA Toolkit %d.%d or newer and "
		"set CUDA_HOME to its folder; or set GPULAB_NVRTC to a libnvrtc.so",
		NEEDED_MAJOR, NEEDED_MINOR);
}

/* A library is what its path, size and time say; the cache remembers the version that one reported. */
static void memo_name(const NvrtcLibrary *lib, char out[64]) {
	CacheKey key = cache_key_start();
	cache_key_text(&key, lib->path);
	cache_key_number(&key, lib->bytes);
	cache_key_number(&key, (uint64_t)lib->mtime_ns);
	char hex[CACHE_KEY_CHARS];
	cache_key_text_of(&key, hex);
	snprintf(out, 64, "nvrtc-%s", hex);
}

static bool remembered_version(const NvrtcLibrary *lib, uint32_t *major, uint32_t *minor) {
	char name[64];
	memo_name(lib, name);
	AUTO_FREE char *text = cache_note_read(name);
	char rest;
	return text && sscanf(text, "%u.%u%c", major, minor, &rest) == 3 && rest == '\n';
}

static void remember_version(const NvrtcLibrary *lib, uint32_t major, uint32_t minor) {
	char name[64], text[32];
	memo_name(lib, name);
	snprintf(text, sizeof text, "%u.%u\n", major, minor);
	cache_note_write(name, text);
}

static bool version_of(const NvrtcLibrary *lib, uint32_t *major, uint32_t *minor, bool *is_new, Err *err) {
	OpenAnswer opened;
	*is_new = !remembered_version(lib, major, minor);
	if (!*is_new) return true;
	if (!compiler_open(lib->path, &opened, err)) return err->kind == ERR_SETUP ? hint_get(err) : false;
	*major = opened.major;
	*minor = opened.minor;
	remember_version(lib, *major, *minor);
	return true;
}

static bool same_library(const NvrtcLibrary *a, const NvrtcLibrary *b) {
	return a->path && strcmp(a->path, b->path) == 0 && a->bytes == b->bytes && a->mtime_ns == b->mtime_ns;
}

void (*compile_notice)(const char *text);

static void report_unverified(void) {
	char text[200];
	snprintf(text, sizeof text,
			 "NVRTC %s is newer than %d.%d, the newest version that gpulab was verified with. It is used. If something "
			 "looks wrong, set CUDA_HOME to an older toolkit and compare.",
			 chosen.version, VERIFIED_MAJOR, VERIFIED_MINOR);
	if (compile_notice) compile_notice(text);
}

static void choose(NvrtcLibrary *lib, uint32_t major, uint32_t minor, bool is_new) {
	toolkit_forget(&chosen.library);
	chosen.library = *lib;
	snprintf(chosen.version, sizeof chosen.version, "%u.%u", major, minor);
	chosen.unverified = major > VERIFIED_MAJOR || (major == VERIFIED_MAJOR && minor > VERIFIED_MINOR);
	if (chosen.unverified && is_new) report_unverified();
}

/* Takes the first library that is new enough; the Err in context keeps why the first one offered was not. */
static bool take_new_enough(NvrtcLibrary *lib, void *context) {
	Err *first = context, why = ERR_INIT;
	uint32_t major = 0, minor = 0;
	bool is_new;
	if (same_library(&chosen.library, lib)) {
		toolkit_forget(lib);
		return true;
	}
	if (version_of(lib, &major, &minor, &is_new, &why)) {
		if (new_enough(major, minor)) {
			choose(lib, major, minor, is_new);
			return true;
		}
		err_set(&why, ERR_SETUP, "NVRTC %u.%u is too old, gpulab needs %d.%d or newer (found %s)", major, minor,
				NEEDED_MAJOR, NEEDED_MINOR, lib->path);
		hint_get(&why);
	}
	if (!first->kind) *first = why;
	return false;
}

/* Where the dynamic loader knows a folder that the search does not (ld.so.conf). */
static bool take_by_loader(Err *why) {
	OpenAnswer opened;
	NvrtcLibrary lib;
	if (!compiler_open("", &opened, NULL) || !toolkit_describe(opened.library, &lib)) return false;
	if (take_new_enough(&lib, why)) return true;
	toolkit_forget(&lib);
	return false;
}

const NvrtcLibrary *library_choose(Err *err) {
	Err why = ERR_INIT;
	const char *only = getenv("GPULAB_NVRTC");
	bool named = only && *only;
	if (toolkit_search(take_new_enough, &why)) return &chosen.library;
	if (!named && take_by_loader(&why)) return &chosen.library;
	if (!why.kind) {
		if (named) {
			err_set(&why, ERR_SETUP, "there is no NVRTC at GPULAB_NVRTC=%s", only);
		} else {
			err_set(&why, ERR_SETUP, "NVRTC (libnvrtc.so, CUDA's run-time compiler) was not found");
		}
		hint_get(&why);
	}
	if (err) *err = why;
	return NULL;
}

const char *library_version(void) {
	return chosen.version;
}

const char *library_verified(void) {
	static char version[24];
	snprintf(version, sizeof version, "%d.%d", VERIFIED_MAJOR, VERIFIED_MINOR);
	return chosen.unverified ? version : NULL;
}
