/* runtime.h: copies and fills of boxes. Sizes are the program's: each product and sum of them is checked before a byte
 * is touched. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"

enum { CALL_BYTES = 64 << 20, MOST_PARTS = 2 };

/* --- places ------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t addr;
	char *view; /* NULL: by calls */
	bool device;
	Block *tracked; /* of which the checker knows which bytes were written; NULL: host memory, or not tracked */
} Place;

static bool is_empty(struct cudaExtent e) {
	return !e.width || !e.height || !e.depth;
}

/* Bytes from a box's first one to behind its last one. False: there cannot be so many. */
static bool span_of(const Box *b, struct cudaExtent e, size_t *out) {
	size_t rows;
	return !__builtin_mul_overflow(e.depth - 1, b->slice, out) &&
		   !__builtin_mul_overflow(e.height - 1, b->pitch, &rows) && !__builtin_add_overflow(*out, rows, out) &&
		   !__builtin_add_overflow(*out, e.width, out);
}

/* Memory that is no allocation: it is the host's, unless it was the device's once. */
static bool host_has(uint64_t addr, size_t bytes, const char *what) {
	const bool device = addr >= EXEC_DEVICE_FIRST && addr < EXEC_DEVICE_END;
	if (device) because("the %s is no allocation: it was freed, or the pointer is wrong", what);
	return !device && bytes <= -addr;
}

/* Where a box begins; what: the source or the destination. False: it is partly outside of an allocation. */
static bool place_of(const Box *box, struct cudaExtent e, const char *what, Place *out) {
	size_t bytes;
	const uint64_t addr = (uint64_t)(uintptr_t)box->at;
	Block *b = block_at(addr);
	*out = (Place){.addr = addr, .view = box->at};
	if (!addr) because("the %s is a null pointer", what);
	if (!addr || !span_of(box, e, &bytes)) return false;
	if (!b) return host_has(addr, bytes, what);
	out->device = b->kind != BLOCK_HOST;
	out->tracked =
		b->kind == BLOCK_DEVICE || b->kind == BLOCK_MANAGED || (b->kind == BLOCK_VARIABLE && b->parts) ? b : NULL;
	out->view = b->view ? b->view + (addr - b->addr) : NULL;
	const uint64_t room = b->bytes - (addr - b->addr);
	if (bytes > room)
		because("%s, but the allocation of the %s has %llu from there on", size_text(bytes).text, what,
				(unsigned long long)room);
	return bytes <= room;
}

static Place row_of(const Place *first, const Box *box, size_t z, size_t y) {
	const size_t after = z * box->slice + y * box->pitch;
	return (Place){first->addr + after, first->view ? first->view + after : NULL, first->device, first->tracked};
}

/* Rows and slices that follow each other without a gap, in both boxes, become one row. */
static void merge_rows(Box *a, Box *b, struct cudaExtent *e) {
	for (int i = 0; i < 2; i++) {
		if (e->height > 1 && (a->pitch != e->width || b->pitch != e->width)) return;
		*e = (struct cudaExtent){e->width * e->height, e->depth, 1};
		a->pitch = a->slice;
		b->pitch = b->slice;
	}
}

/* Bytes between the rows of pitched memory have no use: they are left out of what counts as copied to the host. */
static void without_padding(const Block *b, Moved *m) {
	if (!b->pitch || m->width <= b->width || (m->from - b->addr) % b->pitch) return;
	if (m->rows == 1) *m = (Moved){0, m->from, 0, b->pitch, m->width, (m->width - b->width) / b->pitch + 1};
	if (m->from_pitch == b->pitch) m->width = b->width;
}

/* A call that writes a part of an allocation is wanted, and one more, which says that it is not the only one. */
static bool is_part(Block *b, struct cudaExtent e) {
	if (!b->parts && e.width * e.height * e.depth == b->bytes) b->parts = MOST_PARTS;
	return b->parts < MOST_PARTS && ++b->parts;
}

/* For the checker of uninitialized reads, and who wants to know of copies: bytes were copied, or, without a source,
 * filled. */
static void moved(const Place *to, const Place *from, Box a, Box b, struct cudaExtent e) {
	Number places[EXEC_MOST_PLACES];
	const bool out = !to->tracked;
	if (!facts()->moves || (out && !(from && from->tracked))) return;
	ExecMoved m = {.by = {.call = "", .object = "", .places = places}, .bytes = e.width * e.height * e.depth};
	merge_rows(&a, &b, &e);
	if (out || is_part(to->tracked, e)) m.by = find_call(places);
	for (size_t z = 0; z < e.depth; z++) {
		const uint64_t source = from && from->tracked ? from->addr + z * b.slice : 0;
		m.rows = (Moved){out ? 0 : to->addr + z * a.slice, source, a.pitch, b.pitch, e.width, e.height};
		if (out) without_padding(from->tracked, &m.rows);
		ask(EXEC_moved, &m, NULL);
		if (!out) m.by.call = ""; /* a part is told of once */
	}
}

/* The rows at a place, of which the checker is told where operations of streams run. */
static void touches(const Place *first, Box box, struct cudaExtent e, uint32_t kinds, const char *what) {
	if (!order_now() || !order_matters() || !block_at(first->addr)) return;
	merge_rows(&box, &box, &e);
	if (e.height * e.depth > MOST_TOUCHED) return;
	AUTO_FREE Touched *rows = xcalloc(e.height * e.depth, sizeof *rows);
	for (size_t i = 0; i < e.height * e.depth; i++)
		rows[i] = (Touched){row_of(first, &box, i / e.height, i % e.height).addr, e.width, kinds};
	order_touch(rows, (uint32_t)(e.height * e.depth), what);
}

static bool put(const Place *to, const char *from, size_t bytes) {
	if (to->view) {
		memmove(to->view, from, bytes);
		return true;
	}
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < CALL_BYTES ? bytes - done : CALL_BYTES;
		if (!ask(EXEC_write, &(ExecWrite){to->addr + done, from + done, n}, NULL)) return false;
	}
	return true;
}

static bool get(char *to, const Place *from, size_t bytes) {
	Got got;
	if (from->view) {
		memmove(to, from->view, bytes);
		return true;
	}
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < CALL_BYTES ? bytes - done : CALL_BYTES;
		if (!ask(EXEC_read, &(Bulk){from->addr + done, n, false}, &got) || got.bytes != n) return false;
		memcpy(to + done, got.data, n);
	}
	return true;
}

static bool move(const Place *to, const Place *from, size_t bytes) {
	if (from->view) return put(to, from->view, bytes);
	if (to->view) return get(to->view, from, bytes);
	AUTO_FREE char *between = malloc(bytes);
	return between && get(between, from, bytes) && put(to, between, bytes);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static bool is_on_device(const Place *p, const char *kind, const char *what) {
	if (block_at(p->addr)) return true;
	const bool pointer = points_to_block((const void *)(uintptr_t)p->addr);
	because("the kind is %s, but the %s is host memory: %s", kind, what,
			pointer ? "a pointer to device memory is there; pass it without the &"
					: "are source and destination swapped?");
	return false;
}

static bool is_on_host(const Place *p, const char *what) {
	const Block *b = block_at(p->addr);
	const bool fits = !b || b->kind == BLOCK_HOST || b->kind == BLOCK_MANAGED;
	if (!fits) because("the kind is cudaMemcpyHostToHost, but the %s is device memory", what);
	return fits;
}

static bool direction_fits(const Place *to, const Place *from, enum cudaMemcpyKind kind) {
	switch (kind) {
	case cudaMemcpyHostToDevice: return is_on_device(to, "cudaMemcpyHostToDevice", "destination");
	case cudaMemcpyDeviceToHost: return is_on_device(from, "cudaMemcpyDeviceToHost", "source");
	case cudaMemcpyDeviceToDevice:
		return is_on_device(to, "cudaMemcpyDeviceToDevice", "destination") &&
			   is_on_device(from, "cudaMemcpyDeviceToDevice", "source");
	case cudaMemcpyHostToHost: return is_on_host(to, "destination") && is_on_host(from, "source");
	case cudaMemcpyDefault: return true;
	default: because("%d is no kind of copy", (int)kind); return false;
	}
}

/* The time a GPU takes, for events under predictions. */
static void predict(const Place *to, const Place *from, size_t bytes) {
	const ExecFacts *f = facts();
	if (!f->predict) return;
	const double gbps = to->device && from->device ? f->gpu->dram_gbps / 2
						: to->device               ? f->gpu->to_device_gbps
						: from->device             ? f->gpu->from_device_gbps
												   : 0;
	if (gbps > 0) clock_add(f->gpu->copy_us / 1e3 + (double)bytes / gbps / 1e6);
}

/* A single row may have no pitch at all. */
static bool is_narrow(const Box *box, struct cudaExtent e) {
	return box->pitch < e.width && (e.height > 1 || box->pitch);
}

static cudaError_t places_of(Box to, Box from, struct cudaExtent e, enum cudaMemcpyKind kind, Place *t, Place *f) {
	if (is_narrow(&to, e) || is_narrow(&from, e))
		because("a row of %zu bytes is longer than its pitch: both are counted in bytes", e.width);
	if (is_narrow(&to, e) || is_narrow(&from, e))
		return e.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
	if (!place_of(&to, e, "destination", t) || !place_of(&from, e, "source", f)) return cudaErrorInvalidValue;
	if (direction_fits(t, f, kind)) return cudaSuccess;
	return (unsigned)kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaErrorInvalidValue;
}

cudaError_t copy_check(Box to, Box from, struct cudaExtent e, enum cudaMemcpyKind kind) {
	Place t, f;
	return is_empty(e) ? cudaSuccess : places_of(to, from, e, kind, &t, &f);
}

/* The first copy to a variable is of as many bytes as it may have elements: from then on it is tracked, so that it
 * shows which of its bytes a kernel reads. Few bytes may be one element. */
static void track_variable(Place *to, struct cudaExtent e) {
	enum { MOST_ELEMENT = 8 };
	Block *b = block_at(to->addr);
	if (!b || b->kind != BLOCK_VARIABLE || b->parts || to->addr != b->addr || e.width <= MOST_ELEMENT) return;
	for (size_t element = 2; element <= MOST_ELEMENT; element *= 2)
		if (e.width * element == b->bytes && e.height * e.depth == 1) to->tracked = b;
}

static void look_for_mistakes(const Box *to, const Box *from, struct cudaExtent e) {
	size_t bytes[2];
	if (!span_of(to, e, &bytes[0]) || !span_of(from, e, &bytes[1])) return;
	const uint64_t a = (uint64_t)(uintptr_t)to->at, b = (uint64_t)(uintptr_t)from->at;
	if (!block_at(a)) host_range_check(to->at, bytes[0], points_to_block(to->at), "destination");
	if (!block_at(b)) host_range_check(from->at, bytes[1], points_to_block(from->at), "source");
	if (e.height == 1 && e.depth == 1 && a != b && (a < b ? b - a : a - b) < e.width)
		mistake("source and destination overlap, and then it is undefined what is copied: copy by way of other memory");
}

/* A first copy of as many bytes as there are elements is a mistake if it is the only one, and the destination has room
 * for all of them. */
static void after_copy(const Place *t, const Place *f, struct cudaExtent e) {
	Block *to = block_at(t->addr), *from = block_at(f->addr);
	for (int i = 0; i < 2; i++) {
		Block *b = i ? from : to;
		if (b) no_mistake(b->doubt), b->doubt = 0;
	}
	if (to) to->fill = 0;
	if (to || !from || from->copied) return;
	from->copied = true;
	if (from->element > 1 && e.width * from->element == from->bytes && e.height * e.depth == 1 &&
		f->addr == from->addr && host_room(t->view) >= from->bytes)
		from->doubt = mistake("%zu bytes are copied to the host, %zu of the %zu elements that a kernel was given; the "
							  "others stay there as they were: multiply by sizeof(element)",
							  e.width, e.width / from->element, e.width);
}

cudaError_t copy_box(Box to, Box from, struct cudaExtent e, enum cudaMemcpyKind kind) {
	Place t, f;
	const cudaError_t error = is_empty(e) ? cudaSuccess : places_of(to, from, e, kind, &t, &f);
	if (error != cudaSuccess || is_empty(e)) return error;
	look_for_mistakes(&to, &from, e);
	predict(&t, &f, e.width * e.height * e.depth);
	touches(&f, from, e, TOUCHED_READ, "a copy");
	touches(&t, to, e, TOUCHED_WRITTEN, "a copy");
	Box a = to, b = from;
	struct cudaExtent rows = e;
	merge_rows(&a, &b, &rows);
	for (size_t z = 0; z < rows.depth; z++)
		for (size_t y = 0; y < rows.height; y++) {
			const Place row = row_of(&t, &a, z, y), source = row_of(&f, &b, z, y);
			if (!move(&row, &source, rows.width)) return cudaErrorUnknown;
		}
	track_variable(&t, e);
	if (f.device && !t.device) results_taken();
	moved(&t, &f, to, from, e);
	after_copy(&t, &f, e);
	return cudaSuccess;
}

cudaError_t copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	return copy_box((Box){.at = to}, (Box){.at = (void *)from}, (struct cudaExtent){bytes, 1, 1}, kind);
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

static cudaError_t place_to_fill(Box box, struct cudaExtent e, Place *out) {
	if (e.height > 1 && box.pitch < e.width) {
		because("a row of %zu bytes is longer than its pitch: both are counted in bytes", e.width);
		return cudaErrorInvalidValue;
	}
	if (!block_at((uint64_t)(uintptr_t)box.at)) because("the pointer is not device memory: use memset for host memory");
	return place_of(&box, e, "destination", out) && block_at(out->addr) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t fill_check(Box box, struct cudaExtent e) {
	Place p;
	return is_empty(e) ? cudaSuccess : place_to_fill(box, e, &p);
}

/* Twice as many bytes each time. */
static void repeat(char *to, const void *value, size_t width, size_t bytes) {
	if (width == 1) memset(to, *(const char *)value, bytes);
	if (width == 1) return;
	memcpy(to, value, width < bytes ? width : bytes);
	for (size_t done = width; done < bytes; done *= 2) memcpy(to + done, to, done < bytes - done ? done : bytes - done);
}

cudaError_t fill_box(Box box, const void *value, size_t width, struct cudaExtent e) {
	Place p;
	const cudaError_t error = is_empty(e) ? cudaSuccess : place_to_fill(box, e, &p);
	if (error != cudaSuccess || is_empty(e)) return error;
	if (facts()->predict) clock_add((double)(e.width * e.height * e.depth) / facts()->gpu->dram_gbps / 1e6);
	touches(&p, box, e, TOUCHED_WRITTEN, "a fill");
	ExecFill fill = {.bytes = e.width, .width = (uint32_t)width};
	memcpy(&fill.value, value, width);
	for (size_t z = 0; z < e.depth; z++)
		for (size_t y = 0; y < e.height; y++) {
			const Place row = row_of(&p, &box, z, y);
			fill.addr = row.addr;
			if (row.view) repeat(row.view, value, width, e.width);
			if (!row.view && !ask(EXEC_fill, &fill, NULL)) return cudaErrorUnknown;
		}
	moved(&p, NULL, box, box, e);
	Block *b = block_at(p.addr);
	b->fill = width == 1 && e.width * e.height * e.depth == b->bytes ? *(const uint8_t *)value : 0;
	return cudaSuccess;
}
