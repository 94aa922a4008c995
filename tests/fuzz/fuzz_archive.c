/* Any bytes as an archive, read as the worker reads them: what comes out keeps the promises of archive.h and crosses
 * the wire. A tar's checksums are put right after each mutation, or none would be read. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/calls.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	setlocale(LC_CTYPE, "C.UTF-8");
	return 0;
}

enum { BLOCK = 512, MAGIC = 257, SUM = 148, SUM_BYTES = 8 };

static void put_sums(uint8_t *data, size_t size) {
	for (uint8_t *at = data; at + BLOCK <= data + size; at += BLOCK) {
		char text[SUM_BYTES + 1];
		unsigned sum = 0;
		if (memcmp(at + MAGIC, "ustar", 5) != 0) continue;
		memset(at + SUM, ' ', SUM_BYTES);
		for (int i = 0; i < BLOCK; i++) sum += at[i];
		snprintf(text, sizeof text, "%06o", sum);
		memcpy(at + SUM, text, 7);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
	size = LLVMFuzzerMutate(data, size, most);
	put_sums(data, size);
	return size;
}

static void must(bool right) {
	if (!right) abort();
}

static bool has_part(const char *name, const char *part) {
	const size_t len = strlen(part);
	for (const char *at = name; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, part, len) == 0 && (at[len] == '/' || at[len] == '\0')) return true;
	}
	return false;
}

/* What a caller may rely on, whatever the archive. */
static void check_entry(const ArchiveEntry *e) {
	const size_t len = strlen(e->name);
	must(len > 0 && len <= ARCHIVE_LONGEST_NAME && !strchr(e->name, '\\'));
	if (e->refused) {
		must(e->bytes == 0);
		return;
	}
	must(*e->name != '/' && !strstr(e->name, "//") && !has_part(e->name, "..") && !has_part(e->name, "."));
	must(!archive_litter(e->name));
	if (e->name[len - 1] == '/')
		must(e->bytes == 0);
	else if (archive_kernel(e->name))
		must(e->bytes <= ARCHIVE_MOST_KERNEL);
	else
		must(archive_named(e->name) && e->bytes <= ARCHIVE_MOST_INNER);
	for (size_t i = 0; i < e->bytes; i++) (void)((const volatile char *)e->data)[i];
}

static void check_wire(Arena *arena, const ReadAnswer *answer) {
	AUTO_STR Str out = {0};
	ReadAnswer again = {0};
	record_put(&out, &ReadAnswer_record, answer);
	Reader reader = {(const uint8_t *)out.text, (const uint8_t *)out.text + out.len, arena, false};
	record_get(&reader, &ReadAnswer_record, &again);
	must(reader_done(&reader) && again.nentries == answer->nentries);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	const ReadRequest request = {data, size};
	ReadAnswer answer = {0};
	Err err = ERR_INIT;
	Arena *arena = arena_new();
	if (archive_unpack(arena, &request, &answer, &err)) {
		for (uint32_t i = 0; i < answer.nentries; i++) check_entry(&answer.entries[i]);
		check_wire(arena, &answer);
	} else {
		must(err.kind == ERR_USAGE && answer.nentries == 0);
	}
	arena_free(arena);
	return 0;
}
