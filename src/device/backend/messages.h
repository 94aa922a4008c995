/* The messages between a Device's proxy and its worker: BACKEND_CALLS, bulk transfers, and opening. */
#ifndef GPULAB_DEVICE_BACKEND_MESSAGES_H
#define GPULAB_DEVICE_BACKEND_MESSAGES_H

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

typedef enum {
	MESSAGE_OPEN,
	MESSAGE_UPLOAD,
	MESSAGE_DOWNLOAD,
#define X(name, Request, Answer) MESSAGE_##name,
	BACKEND_CALLS(X)
#undef X
		MESSAGES
} MessageType;

typedef struct {
	const char *name;
	const Record *request, *answer;
} Message;
extern const Message messages[MESSAGES];

#endif
