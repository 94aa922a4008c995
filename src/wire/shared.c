/* shared.h */
#include "wire/shared.h"

#include <sys/mman.h>

#include "base/proc.h"

enum { HUGE_PAGE = 2 << 20 };

/* A huge page of a file needs an address that is a multiple of it where the offset is. */
uint8_t *shared_map(int descriptor, size_t bytes) {
	uint8_t *room = mmap(NULL, bytes + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED) return NULL;
	uint8_t *at = (uint8_t *)(((uintptr_t)room + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE),
			*end = room + bytes + HUGE_PAGE;
	if (at > room) munmap(room, (size_t)(at - room));
	if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
		munmap(at, (size_t)(end - at));
		return NULL;
	}
	uint8_t *rest = at + pages_up(bytes);
	if (end > rest) munmap(rest, (size_t)(end - rest));
#ifdef MADV_HUGEPAGE
	if (bytes >= HUGE_PAGE) madvise(at, bytes, MADV_HUGEPAGE);
#endif
	return at;
}

void shared_unmap(uint8_t *shared, size_t bytes) {
	if (shared) munmap(shared, bytes);
}
