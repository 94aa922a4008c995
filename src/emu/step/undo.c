/* step/stepper.h: what stores change, kept page by page before the first of them. */
#include <string.h>

#include "base/arena.h"
#include "emu/exec/out_of_line.h"
#include "emu/exec/texture.h"
#include "emu/step/stepper.h"

enum { UNDO_SHIFT = 12 };

static void keep(StepUndo *u, uint64_t key, uint8_t *from, size_t bytes) {
	uint64_t *known = number_map_at(&u->pages, key);
	if (*known) return;
	UndoPiece piece = {.key = key, .to = from, .bytes = bytes, .copy = xmalloc(bytes ? bytes : 1)};
	memcpy(piece.copy, from, bytes);
	vec_push(&u->pieces, piece);
	*known = u->pieces.len;
}

static void keep_page(StepUndo *u, uint64_t addr) {
	const uint64_t page = addr >> UNDO_SHIFT;
	if (number_map_get(&u->pages, page)) return;
	const Allocation *a = memory_find(u->memory, addr);
	if (!a || !a->host) return;
	const uint64_t first = page << UNDO_SHIFT, size = (uint64_t)1 << UNDO_SHIFT;
	const size_t begin = first > a->base ? (size_t)(first - a->base) : 0;
	const size_t end = first + size - a->base < a->bytes ? (size_t)(first + size - a->base) : a->bytes;
	keep(u, page, a->host + begin, end - begin);
}

void step_undo_keep(StepUndo *u, const Access *access) {
	FOR_LANES(l, access->mask) {
		const uint64_t at = access->addr[l];
		keep_page(u, at);
		keep_page(u, at + access->width - 1);
	}
}

/* Handles are no addresses of pages: they are below every allocation. */
void step_undo_keep_texture(StepUndo *u, uint64_t handle) {
	const Texture *t = texture_of(u->textures, handle);
	if (t && t->host) keep(u, ~handle, t->host, t->bytes);
}

void step_undo_back(StepUndo *u) {
	for (size_t i = 0; i < u->pieces.len; i++) {
		memcpy(u->pieces.data[i].to, u->pieces.data[i].copy, u->pieces.data[i].bytes);
		free(u->pieces.data[i].copy);
	}
	vec_free(&u->pieces);
	number_map_free(&u->pages);
}

void step_undo_merge(StepUndo *earlier, StepUndo *later) {
	for (size_t i = 0; i < later->pieces.len; i++) {
		const UndoPiece piece = later->pieces.data[i];
		uint64_t *known = number_map_at(&earlier->pages, piece.key);
		if (*known) {
			free(piece.copy);
			continue;
		}
		vec_push(&earlier->pieces, piece);
		*known = earlier->pieces.len;
	}
	vec_free(&later->pieces);
	number_map_free(&later->pages);
}
