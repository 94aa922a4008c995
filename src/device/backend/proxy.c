/* backend.h by a worker process: every call of BACKEND_CALLS is a message. Bulk data is in memory that both processes
 * map: an emulator's buffers are there themselves, allocated here (pool.h); for a GPU there is a transfer window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/limits.h"
#include "base/proc.h"
#include "device/backend/messages.h"
#include "device/backend/pool.h"
#include "device/backend/unavailable.h"
#include "wire/child.h"

static const double START_S = 60; /* a driver on a machine of many GPUs takes its time */
static const double CALL_S = 120; /* allocate, copy a piece, load a module (the driver may compile it) */

typedef struct {
	uint64_t addr, bytes, first; /* first: in the pool */
} Piece;

typedef struct {
	Backend base;
	Child child;
	char name[96];
	const Gpu *gpu; /* of an emulator, whose buffers are in the shared memory */
	bool opened;    /* the worker has answered to MESSAGE_open */
	DeviceInfo info;
	Pool pool;
	OrderedMap pieces; /* of Piece *, by address */
	uint64_t idle;     /* bytes in the pool that are not used and still take memory */
	uint64_t touched;  /* the pool has had memory up to here */
} Proxy;

/* --- calls -------------------------------------------------------------------------------------------------------- */

static Exchange exchange_of(const Proxy *p, MessageType type, double patience_s) {
	return (Exchange){.call = (uint16_t)type,
					  .request = messages[type].request,
					  .answer = messages[type].answer,
					  .patience_s = patience_s,
					  .compute_s = p->gpu ? 0 : patience_s, /* a driver may wait by computing */
					  .print = p->base.events.print,
					  .look = p->base.events.look,
					  .user = p->base.events.user};
}

static uint64_t machine_memory(void) {
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)4 << 30;
}

static bool open_worker(Proxy *p, Err *err) {
	if (p->opened) return true;
	const Exchange x = exchange_of(p, MESSAGE_open, START_S);
	const DeviceOpen request = {
		.name = p->name, .gpu = p->gpu, .memory_bytes = (uint64_t)limit_of(LIMIT_EMULATOR_MEMORY)};
	p->opened = child_call(&p->child, &x, &request, &p->info, err);
	return p->opened;
}

static bool call(Backend *b, MessageType type, const void *request, void *answer, Err *err) {
	Proxy *p = (Proxy *)b;
	const Exchange x = exchange_of(p, type, CALL_S);
	return open_worker(p, err) && child_call(&p->child, &x, request, answer, err);
}

#define X(name, Request, Answer)                                                                                       \
	static bool call_##name(Backend *b, const Request *request, Answer *answer, Err *err) {                            \
		return call(b, MESSAGE_##name, request, answer, err);                                                          \
	}
BACKEND_PLAIN_CALLS(X)
#undef X

static bool proxy_info(Backend *b, DeviceInfo *out, Err *err) {
	Proxy *p = (Proxy *)b;
	if (!open_worker(p, err)) return false;
	*out = p->info;
	return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static uint8_t *pool_at(const Proxy *p, uint64_t first) {
	return p->child.shared + POOL_AT + first;
}

static Piece *piece_of(const OrderedEntry *e) {
	return e ? (Piece *)(uintptr_t)e->value : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

/* NULL: there is none. */
static Piece *piece_at(const Proxy *p, uint64_t addr) {
	Piece *piece = piece_of(ordered_floor(&p->pieces, addr));
	return piece && addr - piece->addr < piece->bytes ? piece : NULL;
}

static void add_piece(Proxy *p, const Piece *piece) {
	Piece *own = xmalloc(sizeof *own);
	*own = *piece;
	*ordered_at(&p->pieces, piece->addr) = (uintptr_t)own;
}

static void remove_piece(Proxy *p, Piece *piece) {
	ordered_remove(&p->pieces, piece->addr);
	free(piece);
}

static void remove_pieces(Proxy *p) {
	for (const OrderedEntry *e = ordered_first(&p->pieces); e; e = ordered_next(&p->pieces, e)) free(piece_of(e));
	ordered_free(&p->pieces);
}

static uint8_t *proxy_view(Backend *b, uint64_t addr, size_t bytes) {
	const Proxy *p = (const Proxy *)b;
	const Piece *piece = piece_at(p, addr);
	if (!piece || !p->child.shared) return NULL;
	const uint64_t offset = addr - piece->addr;
	return bytes <= piece->bytes - offset ? pool_at(p, piece->first + offset) : NULL;
}

/* Memory that was used once is quickly used again; only where much of it lies idle it goes back to the system. */
static void give_piece(Proxy *p, const Piece *piece) {
	enum { MOST_IDLE = 256 << 20 };
	pool_give(&p->pool, piece->first, piece->bytes);
	p->idle += piece->bytes;
	if (p->idle <= MOST_IDLE || !p->child.shared) return;
	for (const OrderedEntry *e = ordered_first(&p->pool.free); e; e = ordered_next(&p->pool.free, e))
		madvise(pool_at(p, e->key), e->value, MADV_REMOVE);
	p->idle = p->touched = 0;
}

/* Memory that was never used comes all at once: a page at a time takes half as long again. */
static void populate(Proxy *p, const Piece *piece) {
#ifndef MADV_POPULATE_WRITE
	enum { MADV_POPULATE_WRITE = 23 }; /* Linux 5.14; unknown before, and then nothing is lost */
#endif
	enum { LEAST = 1 << 20 };
	const uint64_t end = piece->first + piece->bytes, from = p->touched > piece->first ? p->touched : piece->first;
	if (end <= p->touched) return;
	p->touched = end;
	if (end - from >= LEAST) madvise(pool_at(p, from / page_bytes() * page_bytes()), end - from, MADV_POPULATE_WRITE);
}

static bool no_room(const Proxy *p, const Alloc *request, Err *err) {
	err_set(err, ERR_SETUP, "no memory for %s: %llu bytes requested, %llu in use, the limit is %llu",
			request->name ? request->name : "a buffer", (unsigned long long)request->bytes,
			(unsigned long long)p->pool.used, (unsigned long long)p->pool.bytes);
	return err_hint(err, "free buffers or use a smaller problem size");
}

static bool take_piece(Proxy *p, const Alloc *request, Piece *out, Err *err) {
	Piece *again = request->again ? piece_at(p, request->again) : NULL;
	if (again) {
		*out = *again;
		remove_piece(p, again);
		return true;
	}
	*out = (Piece){.bytes = request->bytes};
	if (!pool_take(&p->pool, request->bytes, &out->first)) return no_room(p, request, err);
	p->idle -= p->idle < request->bytes ? p->idle : request->bytes;
	return true;
}

static bool proxy_alloc(Backend *b, const Alloc *request, Number *answer, Err *err) {
	Proxy *p = (Proxy *)b;
	Alloc asked = *request;
	Piece piece;
	asked.shared = NOT_SHARED;
	if (!p->gpu) return call(b, MESSAGE_alloc, &asked, answer, err);
	if (!take_piece(p, request, &piece, err)) return false;
	asked.shared = piece.first;
	if (!call(b, MESSAGE_alloc, &asked, answer, err)) {
		if (piece.addr) /* it may be asked for again */
			add_piece(p, &piece);
		else
			give_piece(p, &piece);
		return false;
	}
	piece.addr = answer->value;
	populate(p, &piece);
	add_piece(p, &piece);
	return true;
}

static bool proxy_free(Backend *b, const Number *addr, Nothing *answer, Err *err) {
	Proxy *p = (Proxy *)b;
	Piece *piece = piece_at(p, addr->value);
	const bool ok = call(b, MESSAGE_free, addr, answer, err);
	if (!piece || piece->addr != addr->value) return ok;
	give_piece(p, piece);
	remove_piece(p, piece);
	return ok;
}

/* --- bulk data ---------------------------------------------------------------------------------------------------- */

static uint8_t *window(Proxy *p, Err *err) {
	if (!open_worker(p, err)) return NULL;
	if (p->child.shared) return p->child.shared + SHARED_DATA;
	child_lost(&p->child, WIRE_CLOSED, err); /* it died since */
	return NULL;
}

static bool bulk(Proxy *p, MessageType type, Bulk request, Err *err) {
	Nothing nothing;
	return call(&p->base, type, &request, &nothing, err);
}

static bool proxy_upload(Backend *b, const Upload *u, Err *err) {
	Proxy *p = (Proxy *)b;
	uint8_t *there = proxy_view(b, u->addr, u->bytes);
	if (there) {
		if (there != u->data) memcpy(there, u->data, u->bytes);
		return bulk(p, MESSAGE_upload, (Bulk){u->addr, u->bytes, true}, err);
	}
	for (size_t done = 0, n; done < u->bytes; done += n) {
		n = u->bytes - done < WINDOW_BYTES ? u->bytes - done : WINDOW_BYTES;
		uint8_t *at = window(p, err);
		if (!at) return false;
		memcpy(at, (const uint8_t *)u->data + done, n);
		if (!bulk(p, MESSAGE_upload, (Bulk){u->addr + done, n, false}, err)) return false;
	}
	return true;
}

static bool proxy_download(Backend *b, const Download *d, Err *err) {
	Proxy *p = (Proxy *)b;
	const uint8_t *there = proxy_view(b, d->addr, d->bytes);
	if (there) {
		memcpy(d->data, there, d->bytes);
		return true;
	}
	for (size_t done = 0, n; done < d->bytes; done += n) {
		n = d->bytes - done < WINDOW_BYTES ? d->bytes - done : WINDOW_BYTES;
		if (!window(p, err) || !bulk(p, MESSAGE_download, (Bulk){d->addr + done, n, false}, err)) return false;
		memcpy((uint8_t *)d->data + done, window(p, err), n);
	}
	return true;
}

static const uint8_t *proxy_look(Backend *b, uint64_t addr, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	const uint8_t *there = proxy_view(b, addr, bytes);
	if (there) return there;
	if (!window(p, err) || !bulk(p, MESSAGE_download, (Bulk){addr, bytes, false}, err)) return NULL;
	return window(p, err);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* The worker is gone, or had to go: that is what came of the launches. */
static void outcome_of_loss(Proxy *p, WireStatus status, double patience_s, LaunchOutcome *out) {
	*out = (LaunchOutcome){.status = LAUNCH_FAULT};
	child_bury(&p->child, status != WIRE_CLOSED);
	char memory[32];
	switch (status) {
	case WIRE_TIMEOUT: /* an emulator ends what takes too long by itself: this says nothing about the kernel */
		if (!p->gpu) out->status = LAUNCH_TIMEOUT;
		snprintf(out->message, sizeof out->message,
				 "The worker process did not answer for %.3g s during the launch and was stopped.", patience_s);
		break;
	case WIRE_CANCELLED:
		out->status = LAUNCH_INTERRUPTED;
		snprintf(out->message, sizeof out->message, "Interrupted; the kernel was stopped.");
		return;
	case WIRE_BROKEN:
		snprintf(out->message, sizeof out->message,
				 "The worker process sent an invalid message during the launch and was stopped.");
		break;
	case WIRE_OK:
	case WIRE_CLOSED:
		limit_value_text(LIMIT_EMULATOR_MEMORY, limit_of(LIMIT_EMULATOR_MEMORY), memory, sizeof memory);
		if (p->gpu && strstr(p->child.death, "out of memory"))
			snprintf(
				out->message, sizeof out->message,
				"The emulator needed more than %s in addition to the buffers and was stopped. A smaller problem or "
				"fewer checks need less; %s allows more.",
				memory, limit_how(LIMIT_EMULATOR_MEMORY));
		else
			snprintf(out->message, sizeof out->message,
					 "The worker process %s during the launch. The next command starts a fresh one.", p->child.death);
	}
	snprintf(out->fault.message, sizeof out->fault.message, "%s", out->message);
}

/* An answer that is none is a loss, too. The lists of the answer outlive the next call. */
static bool take_answer(Proxy *p, const Exchange *x, const Submission *s, Report *answer, bool *lost, Err *err) {
	const bool ok = child_answer(&p->child, x, answer, err);
	*lost = !ok && p->child.fd < 0 && p->child.frame.type != FRAME_BROKEN;
	if (ok && !report_answers(s, answer)) {
		*lost = true;
		return false;
	}
	if (ok) child_keep_answer(&p->child, p->base.arena);
	return ok;
}

static bool proxy_submit(Backend *b, const Submission *s, Report *out, Err *err) {
	Proxy *p = (Proxy *)b;
	const Exchange x = exchange_of(p, MESSAGE_submit, child_patience(submission_seconds(s)));
	bool lost;
	if (!open_worker(p, err)) return false;
	const WireStatus status = child_exchange(&p->child, &x, s);
	if (status == WIRE_OK && take_answer(p, &x, s, out, &lost, err)) {
		if (!out->lives) child_bury(&p->child, true);
		return true;
	}
	if (status == WIRE_OK && !lost) return false;
	*out = (Report){0};
	outcome_of_loss(p, status == WIRE_OK ? WIRE_BROKEN : status, x.patience_s, &out->outcome);
	if (err) *err = (Err)ERR_INIT;
	return true;
}

/* The kernels of all chunks have one launch's time together. */
static bool proxy_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineReport *out, Err *err) {
	Proxy *p = (Proxy *)b;
	const double limit = pipeline->chunks[0].launch.config.timeout_ms / 1000.0;
	const Exchange x = exchange_of(p, MESSAGE_pipeline, child_patience(limit));
	if (!open_worker(p, err)) return false;
	const WireStatus status = child_exchange(&p->child, &x, pipeline);
	if (status != WIRE_OK) {
		*out = (PipelineReport){.begun = true};
		outcome_of_loss(p, status, x.patience_s, &out->outcome);
		return true;
	}
	if (!child_answer(&p->child, &x, out, err)) return false;
	if (!out->lives) child_bury(&p->child, true);
	return true;
}

/* --- open, close, restart ----------------------------------------------------------------------------------------- */

/* Address space, not memory: most of it is never touched. */
static size_t pool_bytes(void) {
	return machine_memory() / 4 * 3 & ~((size_t)(2 << 20) - 1);
}

static void proxy_close(Backend *b) {
	Proxy *p = (Proxy *)b;
	child_close(&p->child);
	pool_free(&p->pool);
	remove_pieces(p);
	free(p);
}

static bool proxy_alive(Backend *b) {
	Proxy *p = (Proxy *)b;
	const bool alive = child_alive(&p->child);
	if (!alive) p->opened = false;
	return alive;
}

static bool start(Proxy *p, Err *err) {
	p->opened = false;
	if (!child_start(&p->child, err)) return false;
	return p->gpu || open_worker(p, err);
}

static bool proxy_restart(Backend *b, bool *kept, Err *err) {
	Proxy *p = (Proxy *)b;
	child_bury(&p->child, true);
	child_reap(&p->child, 0);
	*kept = p->gpu && p->child.shared;
	if (p->gpu && !*kept) { /* the memory may still be written to: there is new one */
		remove_pieces(p);
		pool_free(&p->pool);
		pool_init(&p->pool, pool_bytes());
		p->idle = p->touched = 0;
	}
	return start(p, err);
}

static const BackendOps proxy_ops = {
	.name = "proxy",
#define X(name, Request, Answer) .name = call_##name,
	BACKEND_PLAIN_CALLS(X)
#undef X
		BACKEND_OPS(proxy, close, info, alloc, free, upload, download, view, look, submit, pipeline, alive, restart),
};

bool backend_proxy_open(const char *name, const Gpu *gpu, Backend **out, Err *err) {
	Proxy *p = calloc(1, sizeof *p);
	if (!p) return err_set(err, ERR_SETUP, "no memory for another device");
	p->base.ops = &proxy_ops;
	p->gpu = gpu;
	snprintf(p->name, sizeof p->name, "%s", name);
	child_init(&p->child, gpu ? "emu" : name, name, &cancel_flag);
	p->base.shares = p->child.keep_shared = gpu != NULL;
	p->child.shared_bytes = POOL_AT + (gpu ? pool_bytes() : 0);
	pool_init(&p->pool, p->child.shared_bytes - POOL_AT);
	if (!start(p, err)) {
		proxy_close(&p->base);
		return false;
	}
	*out = &p->base;
	return true;
}

bool backend_named_open(const char *name, Backend **out, const Gpu **gpu, Err *err) {
	int ordinal;
	*gpu = NULL;
	if (text_starts(name, "emu") && (!name[3] || name[3] == ':')) {
		*gpu = name[3] && name[4] ? gpu_find_typed(name + 4, err) : gpu_default();
		return *gpu && backend_proxy_open(emu_info(*gpu).name, *gpu, out, err);
	}
	if (text_starts(name, "worker:")) return backend_proxy_open(name + strlen("worker:"), NULL, out, err);
	if (text_starts(name, "cuda:")) return gpu_ordinal(name, &ordinal, err) && backend_proxy_open(name, NULL, out, err);
	err_set(err, ERR_SETUP, "there is no device \"%.60s\"", name);
	return err_hint(err, "devices are cuda:0, cuda:1, ..., emu, emu:GPU (as in \"emu:GTX 280\") and auto");
}

BackendPool backend_proxy_pool(const Backend *b) {
	const Proxy *p = (const Proxy *)b;
	return (BackendPool){p->child.memory, POOL_AT, p->child.shared + POOL_AT, p->pool.bytes};
}
