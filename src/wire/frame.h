/* Frames over a stream socket: a header, then at most FRAME_MAX bytes. Both ends are the same program, so numbers are native; but one
 * end may be dying or gone mad, so every length and type is checked, and what is no frame ends the connection, never the process.
 *
 *     | magic 4 | version 2 | type 2 | sequence 4 | length 4 | payload ... |
 *
 * A call (FRAME_CALLS and up, numbered by the service) is answered by any number of FRAME_PRINT and FRAME_PROGRESS and then one
 * FRAME_ANSWER, FRAME_ERROR or FRAME_BROKEN, all with the call's sequence number. */
#ifndef GPULAB_WIRE_FRAME_H
#define GPULAB_WIRE_FRAME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_MAGIC = 0x32574c47, /* "GLW2" */
	FRAME_VERSION = 5,
	FRAME_MAX = 256 << 20,
	FRAME_HEADER = 16
};

typedef enum {
	FRAME_ANSWER,   /* payload: the call's answer record */
	FRAME_ERROR,    /* payload: an Err */
	FRAME_PRINT,    /* payload: text, to be shown now */
	FRAME_PROGRESS, /* empty: the call's time limit starts again */
	FRAME_BROKEN,   /* payload: an Err, after which the worker is of no further use */
	FRAME_CALLS = 16,
	FRAME_TYPES = 128
} FrameType;

typedef struct {
	uint16_t type;
	uint32_t sequence;
	uint8_t *data; /* reused from frame to frame; free it at the end */
	size_t len, cap;
} Frame;

typedef enum {
	WIRE_OK,
	WIRE_CLOSED, /* the other end is gone */
	WIRE_BROKEN, /* it sent what is no frame */
	WIRE_TIMEOUT,
	WIRE_CANCELLED /* *cancel was set, and the grace is over */
} WireStatus;

/* How long to wait; NULL: forever. */
typedef struct {
	double until;              /* seconds_now() at which to give up */
	const atomic_bool *cancel; /* may be NULL */
	atomic_bool *forward;      /* set once *cancel is seen, so that the other end can stop by itself; may be NULL */
	double grace;              /* seconds to wait on after a cancel: maybe it ends by itself */
	double cancelled_at;       /* state; start from 0 */
} WireLimit;

WireStatus frame_send(int fd, uint16_t type, uint32_t sequence, const void *data, size_t len, WireLimit *limit);
WireStatus frame_receive(int fd, Frame *frame, WireLimit *limit);

/* Reads a header. False: it is none. */
bool frame_header(const uint8_t bytes[FRAME_HEADER], uint16_t *type, uint32_t *sequence, uint32_t *length);

#endif
