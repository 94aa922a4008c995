/* wire.h: frames over a stream socket. */
#include "device/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/proc.h"

enum { LOOK_MS = 50 }; /* a cancel set by a signal on another thread is seen this late at most */

/* --- waiting ----------------------------------------------------------------------------------------------------------- */

/* Milliseconds to sleep, or a reason to stop. */
static WireStatus may_wait(WireLimit *limit, int *ms) {
	*ms = -1;
	if (!limit) return WIRE_OK;
	double now = seconds_now();
	if (limit->cancel && !limit->cancelled_at && atomic_load(limit->cancel)) limit->cancelled_at = now;
	if (limit->cancelled_at && now >= limit->cancelled_at + limit->grace) return WIRE_CANCELLED;
	if (now >= limit->until) return WIRE_TIMEOUT;
	double left = (limit->until - now) * 1000;
	*ms = left < LOOK_MS ? (int)left + 1 : LOOK_MS;
	return WIRE_OK;
}

static WireStatus wait_for(int fd, short events, WireLimit *limit) {
	struct pollfd p = {.fd = fd, .events = events};
	for (;;) {
		int ms;
		WireStatus status = may_wait(limit, &ms);
		if (status != WIRE_OK) return status;
		int n = poll(&p, 1, ms);
		if (n > 0) return WIRE_OK; /* also on hang-up: the next read or write tells */
		if (n < 0 && errno != EINTR) return WIRE_CLOSED;
	}
}

static WireStatus send_all(int fd, const uint8_t *data, size_t len, WireLimit *limit) {
	while (len > 0) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
			continue;
		}
		if (errno == EINTR) continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK) return WIRE_CLOSED;
		WireStatus status = wait_for(fd, POLLOUT, limit);
		if (status != WIRE_OK) return status;
	}
	return WIRE_OK;
}

static WireStatus receive_all(int fd, uint8_t *data, size_t len, WireLimit *limit) {
	while (len > 0) {
		ssize_t n = recv(fd, data, len, MSG_DONTWAIT);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
			continue;
		}
		if (n == 0) return WIRE_CLOSED;
		if (errno == EINTR) continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK) return WIRE_CLOSED;
		WireStatus status = wait_for(fd, POLLIN, limit);
		if (status != WIRE_OK) return status;
	}
	return WIRE_OK;
}

/* --- frames ------------------------------------------------------------------------------------------------------------ */

WireStatus wire_send(int fd, FrameType type, uint32_t sequence, const void *data, size_t len, WireLimit *limit) {
	uint8_t header[WIRE_HEADER];
	const uint32_t magic = WIRE_MAGIC, length = (uint32_t)len;
	const uint16_t version = WIRE_VERSION, kind = (uint16_t)type;
	if (len > WIRE_MAX) return WIRE_BROKEN;
	memcpy(header, &magic, 4);
	memcpy(header + 4, &version, 2);
	memcpy(header + 6, &kind, 2);
	memcpy(header + 8, &sequence, 4);
	memcpy(header + 12, &length, 4);
	WireStatus status = send_all(fd, header, sizeof header, limit);
	return status == WIRE_OK ? send_all(fd, data, len, limit) : status;
}

bool wire_header(const uint8_t bytes[WIRE_HEADER], FrameType *type, uint32_t *sequence, uint32_t *length) {
	uint32_t magic;
	uint16_t version, kind;
	memcpy(&magic, bytes, 4);
	memcpy(&version, bytes + 4, 2);
	memcpy(&kind, bytes + 6, 2);
	memcpy(sequence, bytes + 8, 4);
	memcpy(length, bytes + 12, 4);
	if (magic != WIRE_MAGIC || version != WIRE_VERSION || kind >= FRAME_TYPES || *length > WIRE_MAX) return false;
	*type = (FrameType)kind;
	return true;
}

/* Memory is taken as the bytes arrive, so that a header alone never takes much. */
static WireStatus receive_payload(int fd, Frame *frame, size_t len, WireLimit *limit) {
	frame->len = 0;
	while (frame->len < len) {
		size_t n = len - frame->len < WIRE_PIECE ? len - frame->len : WIRE_PIECE;
		if (frame->cap < frame->len + n) {
			frame->cap = frame->len + n;
			frame->data = xrealloc(frame->data, frame->cap);
		}
		WireStatus status = receive_all(fd, frame->data + frame->len, n, limit);
		if (status != WIRE_OK) return status;
		frame->len += n;
	}
	return WIRE_OK;
}

WireStatus wire_receive(int fd, Frame *frame, WireLimit *limit) {
	uint8_t header[WIRE_HEADER];
	uint32_t length;
	WireStatus status = receive_all(fd, header, sizeof header, limit);
	if (status != WIRE_OK) return status;
	if (!wire_header(header, &frame->type, &frame->sequence, &length)) return WIRE_BROKEN;
	return receive_payload(fd, frame, length, limit);
}
