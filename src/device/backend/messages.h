/* The messages between a Device's proxy and its worker: BACKEND_CALLS, bulk transfers, and opening. */
#pragma once

#include "base/hash.h"
#include "device/backend/backend.h"
#include "wire/child.h"

typedef struct {
	const char *name;      /* "cuda:0", "emu:GTX 280" */
	const Gpu *gpu;        /* what an emulator emulates; NULL otherwise */
	uint64_t memory_bytes; /* private memory an emulator may take besides the buffers */
} DeviceOpen;

/* Bulk data is in the shared memory: first a transfer window, then an emulator's buffers themselves.
 *
 *     | Shared | ... SHARED_DATA | window ... POOL_AT | pool ... |
 * */
enum { WINDOW_BYTES = 4 << 20, POOL_AT = 6 << 20 /* where a huge page begins */ };
typedef struct {
	uint64_t addr, bytes;
	bool in_place; /* an upload: the bytes are where they belong already */
} Bulk;

/* To a gateway (remote/gateway.h), which opens a worker of its own machine and has no memory in common with the
 * caller. */
typedef struct {
	const char *device; /* there: "cuda:0", "emu:GTX 280" */
	double warm_s;      /* it ends when this long nothing was asked */
	bool packs;         /* the caller understands compressed frames */
} Enter;
enum { PUT_BYTES = 4 << 20, PUT_KEPT_LEAST = 64 << 10, PUT_KEPT_MOST = 256 << 20 };
/* Data of PUT_KEPT_LEAST bytes or more is kept there by its hash, the oldest given up for new beyond PUT_KEPT_MOST
 * bytes in all; so both sides know what is there. data_bytes 0: it is. */
typedef struct {
	uint64_t addr, bytes;
	uint8_t hash[HASH_BYTES]; /* all zeros: it is not kept */
	const void *data;
	size_t data_bytes;
} Put;
typedef struct {
	const void *data;
	size_t bytes;
} Got;
/* As the lock's words (lock.h). */
typedef struct {
	double waited_s;
	char without[160];
} Locked;

/* All messages: opening, bulk transfers, what only gateways serve, and the calls. */
#define MESSAGE_LIST(X)                                                                                                \
	X(open, DeviceOpen, DeviceInfo)                                                                                    \
	X(upload, Bulk, Nothing)                                                                                           \
	X(download, Bulk, Nothing)                                                                                         \
	X(enter, Enter, DeviceInfo)                                                                                        \
	X(put, Put, Nothing)                                                                                               \
	X(get, Bulk, Got)                                                                                                  \
	X(define, DefineElements, Nothing)                                                                                 \
	X(restart, Nothing, Nothing)                                                                                       \
	X(lock, Nothing, Locked)                                                                                           \
	X(unlock, Nothing, Nothing)                                                                                        \
	BACKEND_CALLS(X)

typedef enum {
#define X(name, Request, Answer) MESSAGE_##name,
	MESSAGE_LIST(X)
#undef X
		MESSAGES
} MessageType;

typedef struct {
	const char *name;
	const Record *request, *answer;
} Message;
extern const Message messages[MESSAGES];

/* For services that understand the same requests (exec/calls.h). */
#define X(name, Request, Answer) extern const Record Request##_record, Answer##_record;
MESSAGE_LIST(X)
#undef X
extern const Record ParamPlace_record, BackendLaunch_record, Touched_record;
/* A GPU by value, in a member that points to one. */
#define FIELD_GPU(T, F) FIELD_OTHER(T, F, put_gpu, get_gpu)
void put_gpu(Str *out, const void *field);
void get_gpu(Reader *r, void *field);

/* As many rows as requested: the caller relies on it. */
bool report_answers(const Submission *s, const Report *r);
/* The limits of its items together. */
double item_seconds(const BackendItem *item);
double submission_seconds(const Submission *submission);

/* "6-9a0c41d2": equal for two programs with equal layouts of all messages. */
void messages_layout(char *out, size_t size);
