/* runtime.h: whether the program's random numbers may begin from the time, so that every run has others.
 *
 * The calls that tell are those of the program itself: where it has the addresses of functions of other libraries, it
 * gets those of ours. A value of time() that goes to srand, srandom, or srand48 is a seed, and so is what
 * std::random_device returns. A program may also compute a seed from time() by itself, which is not seen. It does that
 * before it launches anything, while one that takes time() as a stopwatch asks again after a launch. Other clocks say
 * nothing: nearly every program reads one to measure. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "exec/runtime/runtime.h"

static bool launched;       /* at least once */
static bool asked, stopped; /* time(), before the first launch and after it */
static bool seeded;         /* for certain */
static bool reported;       /* what gpulab knows */
static time_t answers[2];   /* of time(): the first and the last */
static pid_t process;
static unsigned (*draw)(void *self); /* std::random_device's own */

void seed_before_launch(void) {
	const bool now = seeded || (asked && !stopped);
	launched = true;
	if (!facts()->count || now == reported) return;
	reported = now;
	process = getpid();
	ask(EXEC_seeded, &(Number){now}, NULL);
}

/* A stopwatch may be read after the last launch. Not in a child process, nor while a call is not over. */
__attribute__((destructor)) static void end(void) {
	if (!reported || process != getpid() || !try_lock()) return;
	seed_before_launch();
	unlock();
}

/* --- ours in place of theirs -------------------------------------------------------------------------------------- */

static time_t our_time(time_t *out) {
	const time_t now = time(out);
	if (!asked && !stopped) answers[0] = now;
	answers[1] = now;
	*(launched ? &stopped : &asked) = true;
	return now;
}

/* The time itself, or its lower bits: of any answer between the first and the last. */
static void seed(unsigned long value) {
	const unsigned after = (unsigned)value - (unsigned)answers[0];
	if ((asked || stopped) && after <= (unsigned)(answers[1] - answers[0])) seeded = true;
}

static void our_srand(unsigned value) {
	seed(value);
	srand(value);
}

static void our_srandom(unsigned value) {
	seed(value);
	srandom(value);
}

static void our_srand48(long value) {
	seed((unsigned long)value);
	srand48(value);
}

static unsigned our_draw(void *self) {
	seeded = true;
	return draw(self);
}

/* --- the program's addresses of functions ------------------------------------------------------------------------- */

#ifdef __x86_64__

#define DRAW "_ZNSt13random_device9_M_getvalEv"
static const struct {
	const char *name;
	void *function;
} ours[] = {
	{"time", our_time}, {"srand", our_srand}, {"srandom", our_srandom}, {"srand48", our_srand48}, {DRAW, our_draw}};

typedef struct {
	uintptr_t base;
	const ElfW(Dyn) * dynamic;
	uintptr_t fixed, fixed_end; /* read-only once the loader is done */
} Image;

static int first_image(struct dl_phdr_info *info, size_t size, void *data) {
	Image *image = data;
	image->base = info->dlpi_addr;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t at = image->base + part->p_vaddr;
		if (part->p_type == PT_DYNAMIC) image->dynamic = (const void *)at; /* NOLINT(performance-no-int-to-ptr) */
		if (part->p_type == PT_GNU_RELRO) image->fixed = at, image->fixed_end = at + part->p_memsz;
	}
	return 1;
}

/* NULL: the program has none. */
static const void *dynamic_pointer(const Image *image, ElfW(Sxword) tag) {
	for (const ElfW(Dyn) *d = image->dynamic; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag) return (const void *)d->d_un.d_ptr; /* NOLINT(performance-no-int-to-ptr) */
	return NULL;
}

static void write_address(const Image *image, void **at, void *function) {
	const uintptr_t page = (uintptr_t)at & ~(uintptr_t)4095;
	const bool fixed = (uintptr_t)at >= image->fixed && (uintptr_t)at < image->fixed_end;
	if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) < 0) return; /* NOLINT(performance-no-int-to-ptr) */
	*at = function;
	if (fixed) mprotect((void *)page, 4096, PROT_READ); /* NOLINT(performance-no-int-to-ptr) */
}

static void replace(const Image *image, const ElfW(Rela) * list, size_t bytes) {
	const ElfW(Sym) *symbols = dynamic_pointer(image, DT_SYMTAB);
	const char *names = dynamic_pointer(image, DT_STRTAB);
	for (size_t i = 0; list && symbols && names && i < bytes / sizeof *list; i++) {
		const unsigned type = ELF64_R_TYPE(list[i].r_info);
		if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
		const char *name = names + symbols[ELF64_R_SYM(list[i].r_info)].st_name;
		for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
			if (strcmp(name, ours[k].name) == 0)
				write_address(image, (void **)(image->base + list[i].r_offset), /* NOLINT(performance-no-int-to-ptr) */
							  ours[k].function);
	}
}

__attribute__((constructor)) static void begin(void) {
	Image image = {0};
	dl_iterate_phdr(first_image, &image);
	if (!image.dynamic || !getenv(EXEC_VARIABLE)) return;
	void *theirs = dlsym(RTLD_DEFAULT, DRAW);
	memcpy(&draw, &theirs, sizeof draw);
	replace(&image, dynamic_pointer(&image, DT_JMPREL), (size_t)dynamic_pointer(&image, DT_PLTRELSZ));
	replace(&image, dynamic_pointer(&image, DT_RELA), (size_t)dynamic_pointer(&image, DT_RELASZ));
}

#endif
