/* Every function of the runtime by its name: one that is not here, and ours in place of a program's own.
 *
 * nvcc links programs with the static runtime unless told otherwise. Its functions are then in the program: before main
 * begins, each becomes a jump to ours. They are found by the program's symbol table, which a linker leaves in it unless
 * asked to strip it. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/proc.h"
#include "exec/names.h"
#include "exec/runtime/runtime.h"

API _Noreturn void __cudaGpulabMissing(const char *name); /* the driver's (exec/driver/driver.h), too */
void __cudaGpulabMissing(const char *name) {
	lock();
	missing(name);
}

/* It says its name and ends the program. The linker takes these where no other file has the function. Their types do
 * not matter, since none returns. */
#define X(name)                                                                                                        \
	__attribute__((weak, visibility("default"))) void our_##name(void) __asm__(#name);                                 \
	void our_##name(void) {                                                                                            \
		__cudaGpulabMissing(#name);                                                                                    \
	}
RUNTIME_NAMES(X)
#undef X

static const struct {
	const char *name;
	void (*function)(void);
} ours[] = {
#define X(name) {#name, our_##name},
	RUNTIME_NAMES(X)
#undef X
};
/* To an address in the eight bytes that follow: jmp *0(%rip); ldr x16, #8 and br x16. */
#ifdef __x86_64__
static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
#else
static const uint8_t jump[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};
#endif
enum { NOURS = sizeof ours / sizeof *ours, JUMP_BYTES = sizeof jump + 8 };

typedef struct {
	uint8_t *file;
	size_t bytes;
	uintptr_t base; /* what the loader added to the program's addresses */
	Map *names;     /* to an index of ours, from 1 on: as map_number has them */
} Program;

static int first_object(struct dl_phdr_info *info, size_t size, void *base) {
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

static bool map_program(Program *p) {
	struct stat about;
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &about) < 0) return false;
	p->bytes = (size_t)about.st_size;
	p->file = mmap(NULL, p->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p->file == MAP_FAILED || p->bytes < sizeof(Elf64_Ehdr)) return false;
	dl_iterate_phdr(first_object, &p->base);
	return memcmp(p->file, ELFMAG, SELFMAG) == 0 && p->file[EI_CLASS] == ELFCLASS64;
}

static bool inside(const Program *p, uint64_t at, uint64_t bytes) {
	return at <= p->bytes && bytes <= p->bytes - at;
}

static void write_jump(uint8_t *at, void (*to)(void)) {
	const uintptr_t page = (uintptr_t)at & ~(uintptr_t)(page_bytes() - 1);
	const size_t bytes = (uintptr_t)at + JUMP_BYTES - page;
	if (mprotect((void *)page, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) < 0) return;
	memcpy(at, jump, sizeof jump);
	memcpy(at + sizeof jump, &to, sizeof to);
	mprotect((void *)page, bytes, PROT_READ | PROT_EXEC);
	__builtin___clear_cache((char *)at, (char *)at + JUMP_BYTES);
}

static void redirect_symbol(const Program *p, const Elf64_Sym *symbol, const char *name) {
	const uint32_t i = map_number(p->names, name, strlen(name));
	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || !i) return;
	if (symbol->st_size && symbol->st_size < JUMP_BYTES)
		return; /* one that only jumps on to another that is redirected */
	write_jump((uint8_t *)(p->base + symbol->st_value), ours[i - 1].function); /* NOLINT(performance-no-int-to-ptr) */
}

static void redirect_table(const Program *p, const Elf64_Shdr *table, const Elf64_Shdr *texts) {
	if (!inside(p, table->sh_offset, table->sh_size) || !inside(p, texts->sh_offset, texts->sh_size)) return;
	if (!texts->sh_size || p->file[texts->sh_offset + texts->sh_size - 1]) return;
	const Elf64_Sym *symbols = (const Elf64_Sym *)(p->file + table->sh_offset);
	for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
		if (symbols[i].st_name < texts->sh_size)
			redirect_symbol(p, &symbols[i], (const char *)p->file + texts->sh_offset + symbols[i].st_name);
}

static void redirect_all(const Program *p) {
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)p->file;
	if (!inside(p, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr))) return;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(p->file + header->e_shoff);
	for (unsigned i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum)
			redirect_table(p, &sections[i], &sections[sections[i].sh_link]);
}

/* Before the program's constructors, which register its kernels: libraries loaded in advance begin first. */
__attribute__((constructor)) static void begin(void) {
	Program p = {.file = MAP_FAILED, .names = map_new_borrowing()};
	for (size_t i = 0; i < NOURS; i++) map_number_of(p.names, ours[i].name, strlen(ours[i].name));
	if (map_program(&p)) redirect_all(&p);
	if (p.file != MAP_FAILED) munmap(p.file, p.bytes);
	map_free(p.names);
}
