/* image.h */
#include "device/remote/image.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/vec.h"

typedef ElfW(Dyn) Dynamic;

typedef struct {
	void (*add)(void *user, const char *path);
	void *user;
	char loader[4096], libc[4096];
	VEC(const char *) needed; /* names of libraries */
} Walk;

/* The file that is mapped where this code is: /proc/self/exe is the loader where that was started by name. */
static bool own_file(char *out, size_t size) {
	char line[5000];
	FILE *maps = fopen("/proc/self/maps", "re");
	const uintptr_t here = (uintptr_t)image_files;
	unsigned long long from, to;
	bool found = false;
	while (maps && !found && fgets(line, sizeof line, maps)) {
		const char *path = strchr(line, '/');
		line[strcspn(line, "\n")] = '\0';
		found = path && sscanf(line, "%llx-%llx", &from, &to) == 2 && here >= from && here < to;
		if (found) snprintf(out, size, "%s", path);
	}
	if (maps) fclose(maps);
	return found;
}

static int find_loader(struct dl_phdr_info *info, size_t size, void *user) {
	Walk *w = user;
	if (info->dlpi_addr == getauxval(AT_BASE)) snprintf(w->loader, sizeof w->loader, "%s", info->dlpi_name);
	return 0;
}

static bool own_loader(Walk *w) {
	if (getauxval(AT_BASE)) {
		dl_iterate_phdr(find_loader, w);
	} else {
		const ssize_t n = readlink("/proc/self/exe", w->loader, sizeof w->loader - 1);
		if (n > 0) w->loader[n] = '\0';
	}
	return w->loader[0] == '/';
}

/* --- libraries ---------------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool is_needed(const Walk *w, const char *name) {
	for (size_t i = 0; i < w->needed.len; i++)
		if (strcmp(w->needed.data[i], name) == 0) return true;
	return false;
}

/* glibc has put addresses in place of the offsets in a table that is mapped. */
static void add_needed(Walk *w, const struct dl_phdr_info *info, const Dynamic *dynamic) {
	const char *texts = NULL;
	for (const Dynamic *d = dynamic; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB) texts = (const char *)d->d_un.d_ptr; /* NOLINT */
	if (!texts || (uintptr_t)texts < info->dlpi_addr) return;
	for (const Dynamic *d = dynamic; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED && !is_needed(w, texts + d->d_un.d_val)) vec_push(&w->needed, texts + d->d_un.d_val);
}

/* What the program was linked with, and what that was: not what has been loaded since, such as a driver. */
static int find_needed(struct dl_phdr_info *info, size_t size, void *user) {
	Walk *w = user;
	if (*info->dlpi_name && !is_needed(w, base_name(info->dlpi_name))) return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) add_needed(w, info, (const Dynamic *)at); /* NOLINT */
	}
	return 0;
}

static int add_library(struct dl_phdr_info *info, size_t size, void *user) {
	Walk *w = user;
	const char *path = info->dlpi_name, *name = base_name(path);
	if (*path != '/' || !is_needed(w, name) || strcmp(path, w->loader) == 0) return 0;
	if (strcmp(name, "libc.so.6") == 0) snprintf(w->libc, sizeof w->libc, "%s", path);
	w->add(w->user, path);
	return 0;
}

static void add_libraries(Walk *w) {
	size_t before;
	do {
		before = w->needed.len;
		dl_iterate_phdr(find_needed, w);
	} while (w->needed.len > before);
	dl_iterate_phdr(add_library, w);
}

static void add_for_drivers(const Walk *w) {
	static const char *const names[] = {"libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1"};
	const char *end = strrchr(w->libc, '/');
	char path[sizeof w->libc + 32];
	for (size_t i = 0; end && i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%.*s/%s", (int)(end - w->libc), w->libc, names[i]);
		if (!is_needed(w, names[i]) && access(path, R_OK) == 0) w->add(w->user, path);
	}
}

bool image_files(void (*add)(void *user, const char *path), void *user) {
	Walk w = {.add = add, .user = user};
	char program[4096];
	if (!own_file(program, sizeof program) || !own_loader(&w)) return false;
	add(user, program);
	add(user, w.loader);
	add_libraries(&w);
	add_for_drivers(&w);
	vec_free(&w.needed);
	return true;
}
