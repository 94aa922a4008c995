/* exec.h: what kind of program a file is: its ELF header, its dynamic section, its symbol table. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec/exec.h"

typedef struct {
	const uint8_t *bytes;
	size_t size;
} File;

static bool inside(const File *f, uint64_t at, uint64_t bytes) {
	return at <= f->size && bytes <= f->size - at;
}

static const Elf64_Shdr *sections(const File *f, size_t *n) {
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)f->bytes;
	*n = 0;
	if (!inside(f, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr))) return NULL;
	*n = header->e_shnum;
	return (const Elf64_Shdr *)(f->bytes + header->e_shoff);
}

static const Elf64_Shdr *section_of_type(const File *f, uint32_t type) {
	size_t n;
	const Elf64_Shdr *s = sections(f, &n);
	for (size_t i = 0; i < n; i++)
		if (s[i].sh_type == type && inside(f, s[i].sh_offset, s[i].sh_size)) return &s[i];
	return NULL;
}

/* The text at an offset of the section that s->sh_link names; "" where there is none. */
static const char *text_at(const File *f, const Elf64_Shdr *s, uint64_t offset) {
	size_t n;
	const Elf64_Shdr *all = sections(f, &n);
	if (s->sh_link >= n) return "";
	const Elf64_Shdr *texts = &all[s->sh_link];
	if (!inside(f, texts->sh_offset, texts->sh_size) || offset >= texts->sh_size) return "";
	const char *text = (const char *)f->bytes + texts->sh_offset + offset;
	return memchr(text, 0, texts->sh_size - offset) ? text : "";
}

static void read_needed(const File *f, ProgramKind *out) {
	const Elf64_Shdr *s = section_of_type(f, SHT_DYNAMIC);
	const Elf64_Dyn *d = s ? (const Elf64_Dyn *)(f->bytes + s->sh_offset) : NULL;
	for (size_t i = 0; s && i < s->sh_size / sizeof *d; i++) {
		const char *name = d[i].d_tag == DT_NEEDED ? text_at(f, s, d[i].d_un.d_val) : "";
		if (strncmp(name, "libcudart.so", 12) != 0) continue;
		if (strcmp(name, "libcudart.so.12") == 0)
			out->runtime = RUNTIME_SHARED_12;
		else if (strcmp(name, "libcudart.so.13") == 0)
			out->runtime = RUNTIME_SHARED_13;
		else
			snprintf(out->needs, sizeof out->needs, "%s", name);
	}
}

/* nvcc's code for a program with kernels is in sections of its own. */
static bool has_device_code(const File *f) {
	size_t n;
	const Elf64_Shdr *s = sections(f, &n);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)f->bytes;
	const Elf64_Shdr names = {.sh_link = header->e_shstrndx};
	for (size_t i = 0; i < n; i++)
		if (strcmp(text_at(f, &names, s[i].sh_name), ".nv_fatbin") == 0) return true;
	return false;
}

static bool has_symbol(const File *f, const char *wanted) {
	const Elf64_Shdr *s = section_of_type(f, SHT_SYMTAB);
	const Elf64_Sym *symbols = s ? (const Elf64_Sym *)(f->bytes + s->sh_offset) : NULL;
	for (size_t i = 0; s && i < s->sh_size / sizeof *symbols; i++)
		if (symbols[i].st_shndx != SHN_UNDEF && strcmp(text_at(f, s, symbols[i].st_name), wanted) == 0) return true;
	return false;
}

static bool read_elf(const File *f, ProgramKind *out) {
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)f->bytes;
	if (f->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return true;
	out->elf = true;
	if (header->e_ident[EI_CLASS] != ELFCLASS64) return false;
	read_needed(f, out);
	if (out->runtime != RUNTIME_NONE || *out->needs) return true;
	if (has_symbol(f, "cudaGetErrorString"))
		out->runtime = RUNTIME_STATIC;
	else if (has_device_code(f))
		out->runtime = RUNTIME_STRIPPED;
	return true;
}

bool program_kind(const char *path, ProgramKind *out, Err *err) {
	struct stat about;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	*out = (ProgramKind){0};
	if (fd < 0 || fstat(fd, &about) < 0 || !S_ISREG(about.st_mode)) {
		if (fd >= 0) close(fd);
		return err_set(err, ERR_SETUP, "%s: no such program", path);
	}
	const size_t size = (size_t)about.st_size;
	void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	if (access(path, X_OK) < 0 || bytes == MAP_FAILED) {
		if (bytes != MAP_FAILED) munmap(bytes, size);
		return err_set(err, ERR_SETUP, "%s is not a program that can be run", path);
	}
	const bool ok = read_elf(&(File){bytes, size}, out);
	munmap(bytes, size);
	return ok || err_set(err, ERR_SETUP, "%s is a 32-bit program", path);
}
