/* sass.h. The low 12 bits of an instruction are its operation, the next 3 its predicate, bits 73 to 75 of a load or
 * store its width. */
#include "emu/count/sass.h"

#include <elf.h>
#include <string.h>

enum { INSTRUCTION = 16, OPERATION = 0xfff, WIDTH_64 = 5, WIDTH_128 = 6, MACHINE_CUDA = 190 };
enum { OPERATION_LDS = 0x984, OPERATION_STS = 0x388, OPERATION_STS_UNIFORM = 0x988 };
enum { OPERATION_LDG = 0x981, OPERATION_STG = 0x386, OPERATION_STG_UNIFORM = 0x986 };
enum { OPERATION_EXIT = 0x94d, PREDICATE = 12, PREDICATES = 7 /* the last one is always true */ };

static int kind_of(uint64_t low) {
	switch (low & OPERATION) {
	case OPERATION_LDS: return SASS_LDS;
	case OPERATION_STS:
	case OPERATION_STS_UNIFORM: return SASS_STS;
	case OPERATION_LDG: return SASS_LDG;
	case OPERATION_STG:
	case OPERATION_STG_UNIFORM: return SASS_STG;
	default: return SASS_KINDS;
	}
}

static bool some_leave(uint64_t low) {
	return (low & OPERATION) == OPERATION_EXIT && (low >> PREDICATE & PREDICATES) != PREDICATES;
}

static void begin_behind(SassAccesses *out) {
	memset(out->behind, 0, sizeof out->behind);
	out->leaves = true;
}

static void count(const uint8_t *code, size_t bytes, SassAccesses *out) {
	for (size_t at = 0; at + INSTRUCTION <= bytes; at += INSTRUCTION) {
		uint64_t word[2];
		memcpy(word, code + at, sizeof word);
		const int kind = kind_of(word[0]);
		const uint64_t width = word[1] >> 9 & 7;
		const int w = width == WIDTH_128 ? 2 : width == WIDTH_64;
		if (kind < SASS_KINDS) out->count[kind][w]++, out->behind[kind][w]++;
		if (some_leave(word[0])) begin_behind(out);
	}
}

typedef struct {
	const uint8_t *bytes;
	size_t size;
	Elf64_Ehdr head;
} Elf;

static bool inside(const Elf *e, uint64_t at, uint64_t bytes) {
	return at <= e->size && bytes <= e->size - at;
}

static bool section(const Elf *e, uint32_t number, Elf64_Shdr *out) {
	const uint64_t at = e->head.e_shoff + (uint64_t)number * sizeof *out;
	if (number >= e->head.e_shnum || at < e->head.e_shoff || !inside(e, at, sizeof *out)) return false;
	memcpy(out, e->bytes + at, sizeof *out);
	return out->sh_type == SHT_NOBITS || inside(e, out->sh_offset, out->sh_size);
}

/* Where the names of sections are; they end with a zero. */
static const char *names_of(const Elf *e, size_t *size) {
	Elf64_Shdr names;
	if (!section(e, e->head.e_shstrndx, &names) || names.sh_type == SHT_NOBITS || !names.sh_size) return NULL;
	const char *text = (const char *)e->bytes + names.sh_offset;
	*size = names.sh_size;
	return text[names.sh_size - 1] ? NULL : text;
}

static bool open_elf(Elf *e) {
	if (!e->bytes || e->size < sizeof e->head) return false;
	memcpy(&e->head, e->bytes, sizeof e->head);
	return memcmp(e->head.e_ident, ELFMAG, SELFMAG) == 0 && e->head.e_ident[EI_CLASS] == ELFCLASS64 &&
		   e->head.e_machine == MACHINE_CUDA && e->head.e_shentsize == sizeof(Elf64_Shdr);
}

bool sass_accesses(const void *cubin, size_t bytes, const char *kernel, SassAccesses *out) {
	Elf e = {.bytes = cubin, .size = bytes};
	static const char before[] = ".text.";
	size_t size = 0;
	*out = (SassAccesses){0};
	const char *names = open_elf(&e) ? names_of(&e, &size) : NULL;
	for (uint32_t n = 0; names && n < e.head.e_shnum; n++) {
		Elf64_Shdr s;
		if (!section(&e, n, &s) || s.sh_type != SHT_PROGBITS || s.sh_name >= size) continue;
		const char *name = names + s.sh_name;
		if (strncmp(name, before, sizeof before - 1) != 0 || strcmp(name + sizeof before - 1, kernel) != 0) continue;
		count(e.bytes + s.sh_offset, s.sh_size, out);
		return true;
	}
	return false;
}

/* --- registers: attributes of 4 bytes, some with data behind them; one kind names a symbol and its registers ------ */

enum {
	ATTRIBUTE = 4,
	WITH_DATA = 4,
	FRAME_SIZE = 0x11,
	REGISTER_COUNT = 0x2f,
	MOST_REGISTERS = 255,
	MOST_LOCAL = 512 << 10
};

/* A symbol of the file by its number in the table; NULL: there is none of this number. */
static const char *symbol_name(const Elf *e, const Elf64_Shdr *symbols, uint32_t number) {
	Elf64_Shdr names;
	Elf64_Sym symbol;
	const uint64_t at = (uint64_t)number * sizeof symbol;
	if (symbols->sh_type != SHT_SYMTAB || at + sizeof symbol > symbols->sh_size) return NULL;
	if (!section(e, symbols->sh_link, &names) || names.sh_type != SHT_STRTAB || !names.sh_size) return NULL;
	const char *text = (const char *)e->bytes + names.sh_offset;
	memcpy(&symbol, e->bytes + symbols->sh_offset + at, sizeof symbol);
	return text[names.sh_size - 1] || symbol.st_name >= names.sh_size ? NULL : text + symbol.st_name;
}

/* The value that the attribute has for the kernel; 0: there is none. */
static uint32_t said_of(const Elf *e, const Elf64_Shdr *info, const char *kernel, uint8_t attribute) {
	Elf64_Shdr symbols;
	if (info->sh_type == SHT_NOBITS || !section(e, info->sh_link, &symbols)) return 0;
	const uint8_t *bytes = e->bytes + info->sh_offset;
	for (uint64_t at = 0; at + ATTRIBUTE <= info->sh_size;) {
		const uint32_t size = bytes[at] == WITH_DATA ? bytes[at + 2] | (uint32_t)bytes[at + 3] << 8 : 0;
		uint32_t data[2];
		if (size == sizeof data && bytes[at + 1] == attribute && at + ATTRIBUTE + size <= info->sh_size) {
			memcpy(data, bytes + at + ATTRIBUTE, sizeof data);
			const char *name = symbol_name(e, &symbols, data[0]);
			if (name && strcmp(name, kernel) == 0) return data[1];
		}
		at += ATTRIBUTE + size;
	}
	return 0;
}

static uint32_t attribute_of(const void *cubin, size_t bytes, const char *kernel, uint8_t attribute) {
	Elf e = {.bytes = cubin, .size = bytes};
	size_t size = 0;
	const char *names = open_elf(&e) ? names_of(&e, &size) : NULL;
	for (uint32_t n = 0; names && n < e.head.e_shnum; n++) {
		Elf64_Shdr s;
		if (section(&e, n, &s) && s.sh_name < size && strcmp(names + s.sh_name, ".nv.info") == 0)
			return said_of(&e, &s, kernel, attribute);
	}
	return 0;
}

uint32_t sass_registers(const void *cubin, size_t bytes, const char *kernel) {
	const uint32_t registers = attribute_of(cubin, bytes, kernel, REGISTER_COUNT);
	return registers <= MOST_REGISTERS ? registers : 0;
}

uint32_t sass_local_bytes(const void *cubin, size_t bytes, const char *kernel) {
	const uint32_t local = attribute_of(cubin, bytes, kernel, FRAME_SIZE);
	return local <= MOST_LOCAL ? local : 0;
}
