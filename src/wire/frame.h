/* Frames over a byte stream: a header, then at most FRAME_MAX bytes. The stream is a socket, or one pipe per direction.
 * Both ends are the same program, so numbers are native; but one end may be dying or gone mad, so every length and type
 * is checked, and what is no frame ends the connection, never the process.
 *
 *     | magic 4 | version 2 | type 2 | sequence 4 | length 4 | payload ... |
 *
 * A call (FRAME_CALLS and up, numbered by the service) is answered by any number of FRAME_PRINT, FRAME_NOTE and
 * FRAME_PROGRESS and then one FRAME_ANSWER, FRAME_ERROR, FRAME_LOST or FRAME_BROKEN, all with the call's sequence
 * number. A call whose type has FRAME_POSTED is not answered: its error is the answer of the next call that is.
 *
 * A payload with FRAME_PACKED is compressed (pack.h). Both ends have to know how, so only peers that agreed on it send
 * such frames. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_MAGIC = 0x32574c47, /* "GLW2" */
	FRAME_VERSION = 6,
	FRAME_MAX = 256 << 20,
	FRAME_HEADER = 16
};

typedef enum {
	FRAME_ANSWER,   /* payload: the call's answer record */
	FRAME_ERROR,    /* payload: an Err */
	FRAME_PRINT,    /* payload: text, to be shown now */
	FRAME_PROGRESS, /* empty: a sign of life */
	FRAME_BROKEN,   /* payload: an Err, after which the worker is of no further use */
	FRAME_LOST,     /* payload: an Err; what the worker held is gone, and it can be restarted by a call */
	FRAME_NOTE,     /* payload: text for the person who waits */
	FRAME_CANCEL,   /* to the worker, empty: the call of this number is to end early */
	FRAME_CALLS = 16,
	FRAME_TYPES = 128,
	FRAME_POSTED = 0x4000, /* flags in the type */
	FRAME_PACKED = 0x8000
} FrameType;

typedef struct {
	uint16_t type; /* without flags */
	bool posted;
	bool packs; /* set it where the other end may send FRAME_PACKED */
	uint32_t sequence;
	uint8_t *data; /* reused from frame to frame; frame_free at the end */
	size_t len, cap;
	uint8_t *packed; /* likewise */
	size_t packed_cap;
	uint64_t received; /* bytes on the stream so far, with headers */
} Frame;

typedef enum {
	WIRE_OK,
	WIRE_CLOSED, /* the other end is gone */
	WIRE_BROKEN, /* it sent what is no frame */
	WIRE_TIMEOUT,
	WIRE_CANCELLED /* *cancel was set, and the grace is over */
} WireStatus;

/* What the other end did since it was asked for the last time. */
typedef struct {
	double computed; /* seconds of processor time */
	bool asleep;     /* now: it waits for something, and not for a processor */
} WireSeen;

/* How long to wait; NULL: forever. Only time that this end was awake for counts, and for which the other end is to
 * blame: what is starved, suspended, or stopped is waited for. */
typedef struct {
	double patience;             /* seconds that it may sleep without a byte that moves */
	double most_computed;        /* likewise that it may compute; 0: any */
	double silent, computed;     /* state; start from 0 */
	WireSeen (*see)(void *seen); /* NULL: it is taken to sleep */
	void *seen;
	const atomic_bool *cancel; /* may be NULL */
	atomic_bool *forward;      /* set once *cancel is seen, so that the other end can stop by itself; may be NULL */
	double grace;              /* seconds to compute or sleep on after a cancel: maybe it ends by itself */
	bool cancelled;            /* state; start from 0 */
	double graced;             /* likewise */
	void (*look)(void *user);  /* called about every 20 ms while waiting; may be NULL */
	void *user;
	bool tell; /* a cancel that was seen is sent as FRAME_CANCEL with number `sequence` to descriptor `out` */
	uint32_t sequence;
	int out;
} WireLimit;

WireStatus frame_send(int fd, uint16_t type, uint32_t sequence, const void *data, size_t len, WireLimit *limit);
/* Compressed if that makes the payload shorter. */
WireStatus frame_send_packed(int fd, uint16_t type, uint32_t sequence, const void *data, size_t len, WireLimit *limit);
WireStatus frame_receive(int fd, Frame *frame, WireLimit *limit);

/* What comes before the first frame. */
WireStatus frame_receive_byte(int fd, uint8_t *byte, WireLimit *limit);
WireStatus frame_send_bytes(int fd, const void *data, size_t bytes, WireLimit *limit);
void frame_free(Frame *frame);

/* Reads a header; the type has its flags. False: it is none. */
bool frame_header(const uint8_t bytes[FRAME_HEADER], uint16_t *type, uint32_t *sequence, uint32_t *length);
