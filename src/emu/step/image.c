/* step/stepper.h: images. An image has all that the warps of the cluster in focus are: registers, local and shared
 * memory, calls, splits, and what was noted about them. Global memory is not copied: each image keeps the pages that
 * change after it (memory/undo.c), so that going back takes them from the last image to the earlier one.
 *
 *     begin          image 1          image 2            now
 *       |--- pages ----|---- pages -----|----- pages ------|
 *
 * There are a few, at equal distances: when there are too many, each second one goes and the distance doubles. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/machine/schedule.h"
#include "emu/step/stepper.h"

enum { IMAGES_MOST = 32, IMAGES_BYTES = 64 << 20, SPACING = 1 << 15 };

typedef struct {
	Frame frame; /* its pointers: function and site are right; caller is an index + 1 of frames */
	uint8_t *regs;
	uint64_t *stack_end;
	uint32_t caller;
} FrameImage;

typedef struct {
	Split split;
	StackEntry *entries;
	uint32_t *frames, frame; /* of each entry, and of the split: index + 1 */
} SplitImage;

typedef struct {
	Warp warp;
	uint8_t *local;
	FrameImage *frames; /* those in use, then the free ones in their order */
	uint32_t nframes, nfree;
	SplitImage *splits;
	uint32_t frame, split; /* that run: index + 1 */
} WarpImage;

typedef struct {
	Block block;
	uint8_t *shared;
	char *printed;
	WarpImage *warps;
} BlockImage;

/* The blocks of a cluster. */
typedef struct {
	uint64_t number;
	BlockImage *blocks;
} ClusterImage;

struct StepImage {
	Undo *undo;   /* of what was stored after it */
	Arena *arena; /* of all else, the image itself too */
	uint64_t time, kernel_ns;
	uint32_t at_block, at_warp, at_split, bad_accesses;
	bool ran;
	uint32_t running; /* block * warps + warp, + 1 */
	const Op *op;
	size_t stacks, print_bytes;
	HeapImage *heap;
	uint64_t *instructions;
	Arrival *arrivals;
	Mark *marks;
	ClusterImage *clusters; /* the one in focus, then the others */
	size_t nothers;
	uint64_t next;
};

/* arena NULL: of what the launch frees. */
static void *copy_of(Arena *arena, const void *from, size_t bytes) {
	return memcpy(arena ? arena_alloc(arena, bytes + 1) : xmalloc(bytes + 1), from, bytes);
}

/* --- taking ------------------------------------------------------------------------------------------------------- */

typedef struct {
	VEC(Frame *) list;
	NumberMap numbers; /* index + 1 */
} Frames;

static uint32_t frame_number(Frames *frames, Frame *f) {
	if (!f) return 0;
	uint64_t *number = number_map_at(&frames->numbers, (uintptr_t)f);
	if (!*number) {
		vec_push(&frames->list, f);
		*number = frames->list.len;
	}
	return (uint32_t)*number;
}

static SplitImage take_split(Arena *arena, const Split *from, Frames *frames) {
	SplitImage to = {.split = *from, .frame = frame_number(frames, from->frame)};
	to.entries = copy_of(arena, from->entries, from->nentries * sizeof *from->entries);
	to.frames = arena_array(arena, from->nentries + 1, sizeof *to.frames);
	for (uint32_t i = 0; i < from->nentries; i++) to.frames[i] = frame_number(frames, from->entries[i].frame);
	return to;
}

static FrameImage take_frame(Arena *arena, const Frame *from) {
	FrameImage to = {.frame = *from, .regs = copy_of(arena, from->regs, from->function->frame_bytes)};
	if (from->stack_end) to.stack_end = copy_of(arena, from->stack_end, LANES * sizeof *from->stack_end);
	return to;
}

static void take_frames(Arena *arena, WarpImage *to, Frames *frames, const Warp *from) {
	for (size_t i = 0; i < frames->list.len; i++) frame_number(frames, frames->list.data[i]->caller);
	to->nframes = (uint32_t)frames->list.len;
	for (Frame *f = from->free_frames; f; f = f->caller, to->nfree++) vec_push(&frames->list, f);
	to->frames = arena_array(arena, frames->list.len + 1, sizeof *to->frames);
	for (uint32_t i = 0; i < frames->list.len; i++) {
		to->frames[i] = take_frame(arena, frames->list.data[i]);
		if (i < to->nframes) to->frames[i].caller = frame_number(frames, frames->list.data[i]->caller);
	}
}

static void take_warp(Arena *arena, WarpImage *to, const Warp *from) {
	Frames frames = {0};
	*to = (WarpImage){.warp = *from, .frame = frame_number(&frames, from->frame)};
	if (from->local.bytes) to->local = copy_of(arena, from->local.bytes, from->local.per_lane * LANES);
	to->splits = arena_array(arena, from->splits.len + 1, sizeof *to->splits);
	for (uint32_t i = 0; i < from->splits.len; i++) {
		to->splits[i] = take_split(arena, from->splits.data[i], &frames);
		if (from->splits.data[i] == from->split) to->split = i + 1;
	}
	take_frames(arena, to, &frames, from);
	vec_free(&frames.list);
	number_map_free(&frames.numbers);
}

static void take_block(Arena *arena, BlockImage *to, const Block *from, size_t shared) {
	*to = (BlockImage){.block = *from, .shared = copy_of(arena, from->shared, shared)};
	to->printed = copy_of(arena, from->printed.len ? from->printed.text : "", from->printed.len);
	to->warps = arena_array(arena, from->nwarps, sizeof *to->warps);
	for (uint32_t i = 0; i < from->nwarps; i++) take_warp(arena, &to->warps[i], &from->warps[i]);
}

static ClusterImage take_cluster(Arena *arena, const Run *run, const Cluster *from, uint64_t number) {
	ClusterImage to = {.number = number, .blocks = arena_array(arena, from->size, sizeof *to.blocks)};
	for (uint32_t i = 0; i < from->size; i++) take_block(arena, &to.blocks[i], from->block[i], run->shape.shared_total);
	return to;
}

static StepImage *take(const Stepper *s) {
	const Cluster *c = s->first->cluster;
	const uint32_t nwarps = s->run.shape.nwarps;
	Arena *arena = arena_new();
	StepImage *to = arena_alloc(arena, sizeof *to);
	*to = (StepImage){.arena = arena,
					  .time = s->time,
					  .kernel_ns = s->worker->kernel_ns,
					  .at_block = s->at_block,
					  .at_warp = s->at_warp,
					  .at_split = s->at_split,
					  .bad_accesses = s->worker->bad_accesses,
					  .ran = s->ran,
					  .op = s->op,
					  .stacks = atomic_load(&s->run.stacks),
					  .print_bytes = atomic_load(&s->run.printed.bytes),
					  .heap = memory_heap_save(machine_memory(s->machine), arena)};
	to->undo = undo_new(machine_memory(s->machine));
	to->instructions = copy_of(arena, s->instructions, nwarps * sizeof *s->instructions);
	to->arrivals = copy_of(arena, s->arrivals, nwarps * sizeof *s->arrivals);
	to->marks = marks_copy(arena, s->marks, (size_t)nwarps * s->run.kernel->ninstrs);
	to->next = s->next;
	to->nothers = s->others.len;
	to->clusters = arena_array(arena, s->others.len + 1, sizeof *to->clusters);
	to->clusters[0] = take_cluster(arena, &s->run, c, s->ncluster);
	for (size_t i = 0; i < s->others.len; i++)
		to->clusters[i + 1] = take_cluster(arena, &s->run, s->others.data[i].first->cluster, s->others.data[i].number);
	for (uint32_t i = 0; i < c->size; i++)
		if (s->running && s->running->block == c->block[i]) to->running = i * nwarps + s->running->number + 1;
	return to;
}

/* --- putting back ------------------------------------------------------------------------------------------------- */

static Frame *new_frame(const FrameImage *from) {
	const size_t bytes = from->frame.function->frame_bytes;
	Frame *f = xmalloc(sizeof *f);
	*f = from->frame;
	f->regs = xaligned(bytes + VECTOR_BYTES, VECTOR_BYTES);
	memcpy(f->regs, from->regs, bytes);
	if (from->stack_end) f->stack_end = copy_of(NULL, from->stack_end, LANES * sizeof *f->stack_end);
	return f;
}

static Split *new_split(const SplitImage *from, Frame **frames) {
	Split *s = xmalloc(sizeof *s);
	*s = from->split;
	s->frame = from->frame ? frames[from->frame - 1] : NULL;
	s->entries = xmalloc((s->cap + 1) * sizeof *s->entries);
	memcpy(s->entries, from->entries, s->nentries * sizeof *s->entries);
	for (uint32_t i = 0; i < s->nentries; i++)
		s->entries[i].frame = from->frames[i] ? frames[from->frames[i] - 1] : NULL;
	return s;
}

static void put_warp(const WarpImage *from, Warp *w) {
	const uint32_t n = from->nframes + from->nfree;
	AUTO_FREE Frame **frames = xcalloc(n + 1, sizeof *frames);
	Block *const block = w->block;
	warp_release(w);
	*w = from->warp;
	w->block = block;
	w->shared = block->shared;
	w->local.bytes = NULL;
	if (from->local) w->local.bytes = copy_of(NULL, from->local, w->local.per_lane * LANES);
	for (uint32_t i = 0; i < n; i++) frames[i] = new_frame(&from->frames[i]);
	for (uint32_t i = 0; i < from->nframes; i++)
		frames[i]->caller = from->frames[i].caller ? frames[from->frames[i].caller - 1] : NULL;
	w->free_frames = from->nfree ? frames[from->nframes] : NULL;
	for (uint32_t i = from->nframes; i < n; i++) frames[i]->caller = i + 1 < n ? frames[i + 1] : NULL;
	w->splits.data = xcalloc(w->splits.cap + 1, sizeof *w->splits.data);
	for (uint32_t i = 0; i < w->splits.len; i++) w->splits.data[i] = new_split(&from->splits[i], frames);
	w->split = from->split ? w->splits.data[from->split - 1] : NULL;
	w->frame = from->frame ? frames[from->frame - 1] : NULL;
	w->regs = w->frame ? w->frame->regs : NULL;
}

/* It may be another Block than that of the image. */
static void put_block(const BlockImage *from, Block *b, size_t shared) {
	const Block own = *b;
	*b = from->block;
	b->warps = own.warps;
	b->shared = own.shared;
	b->count_warps = own.count_warps;
	b->count_threads = own.count_threads;
	b->cluster = own.cluster;
	memcpy(b->room.block, own.room.block, sizeof b->room.block);
	b->next = own.next;
	b->printed = own.printed;
	str_clear(&b->printed);
	str_addn(&b->printed, from->printed, from->block.printed.len);
	memcpy(b->shared, from->shared, shared);
	for (uint32_t i = 0; i < b->nwarps; i++) put_warp(&from->warps[i], &b->warps[i]);
}

static void put_cluster(const Stepper *s, const ClusterImage *from, const Cluster *to) {
	for (uint32_t i = 0; i < to->size; i++) put_block(&from->blocks[i], to->block[i], s->run.shape.shared_total);
}

static void put_others(Stepper *s, const StepImage *from) {
	for (size_t i = 0; i < s->others.len; i++) step_cluster_drop(s, s->others.data[i].first);
	s->others.len = 0;
	for (size_t i = 1; i <= from->nothers; i++) {
		const OtherCluster other = {cluster_take(s->worker, from->clusters[i].number), from->clusters[i].number};
		put_cluster(s, &from->clusters[i], other.first->cluster);
		vec_push(&s->others, other);
	}
	block_pool_free(s->worker);
	s->next = from->next;
}

/* The pages are as they were before already. */
static void put(Stepper *s, const StepImage *from) {
	Cluster *c = s->first->cluster;
	const uint32_t nwarps = s->run.shape.nwarps;
	put_cluster(s, &from->clusters[0], c);
	put_others(s, from);
	s->time = from->time;
	s->worker->kernel_ns = from->kernel_ns;
	s->worker->bad_accesses = from->bad_accesses;
	s->at_block = from->at_block;
	s->at_warp = from->at_warp;
	s->at_split = from->at_split;
	s->ran = from->ran;
	s->over = false;
	s->op = from->op;
	s->running = from->running ? &c->block[(from->running - 1) / nwarps]->warps[(from->running - 1) % nwarps] : NULL;
	s->stopped_at = 0;
	atomic_store(&s->run.stacks, from->stacks);
	atomic_store(&s->run.printed.bytes, from->print_bytes);
	memcpy(s->instructions, from->instructions, nwarps * sizeof *s->instructions);
	memcpy(s->arrivals, from->arrivals, nwarps * sizeof *s->arrivals);
	step_set_marks(s, from->marks);
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

void step_cluster_drop(Stepper *s, Block *first) {
	const Cluster *c = first->cluster;
	for (uint32_t i = 0; i < c->size; i++) str_free(&c->block[i]->printed);
	cluster_done(s->worker, c);
}

/* The heap of malloc, too: objects have the same addresses again. Its contents come last, since what was stored may be
 * in other objects that were in the same place. */
static void put_memory(Stepper *s, const StepImage *image) {
	undo_back(image->undo);
	memory_heap_put_back(machine_memory(s->machine), image->heap);
}

void step_images_drop(Stepper *s, size_t from) {
	for (size_t i = s->images.len; i-- > from; s->images.len = i) {
		StepImage *image = s->images.data[i];
		put_memory(s, image);
		undo_free(image->undo);
		arena_free(image->arena);
	}
	s->undo = s->images.len ? vec_last(&s->images)->undo : s->before;
	if (!s->images.len) s->spacing = SPACING;
}

void step_image_return(Stepper *s, size_t at) {
	StepImage *image = s->images.data[at];
	step_images_drop(s, at + 1);
	put_memory(s, image);
	put(s, image);
}

void step_image_push(Stepper *s) {
	vec_push(&s->images, take(s));
	s->undo = vec_last(&s->images)->undo;
}

uint64_t step_image_time(const Stepper *s, size_t at) {
	return s->images.data[at]->time;
}

static size_t bytes_of_all(const Stepper *s) {
	size_t bytes = 0;
	for (size_t i = 0; i < s->images.len; i++) bytes += arena_bytes(s->images.data[i]->arena);
	return bytes;
}

/* Each second one goes; the first stays. */
static void thin(Stepper *s) {
	size_t kept = 1;
	for (size_t i = 1; i < s->images.len; i++) {
		StepImage *image = s->images.data[i];
		if (i % 2 == 0) {
			s->images.data[kept++] = image;
			continue;
		}
		undo_merge(s->images.data[kept - 1]->undo, image->undo);
		arena_free(image->arena);
	}
	s->images.len = kept;
	s->undo = vec_last(&s->images)->undo;
	s->spacing *= 2;
}

bool step_image_holds(const Stepper *s) {
	return s->images.len;
}

void step_image_keep(Stepper *s) {
	if (!step_image_holds(s) || s->time < vec_last(&s->images)->time + s->spacing) return;
	step_image_push(s);
	while (s->images.len > 2 && (s->images.len > IMAGES_MOST || bytes_of_all(s) > IMAGES_BYTES)) thin(s);
}
