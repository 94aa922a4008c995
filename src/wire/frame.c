/* frame.h */
#include "wire/frame.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/proc.h"

enum {
	LOOK_MS = 20,   /* a cancel set by a signal on another thread is seen this late at most */
	GROW = 4 << 20, /* memory is taken as bytes arrive, so that a header alone never takes much */
};

/* --- waiting ----------------------------------------------------------------------------------------------------------- */

/* Milliseconds to sleep, or a reason to stop. */
static WireStatus may_wait(WireLimit *limit, int *ms) {
	*ms = -1;
	if (!limit) return WIRE_OK;
	const double now = seconds_now();
	if (limit->cancel && !limit->cancelled_at && atomic_load(limit->cancel)) {
		limit->cancelled_at = now;
		if (limit->forward) atomic_store(limit->forward, true);
	}
	if (limit->cancelled_at && now >= limit->cancelled_at + limit->grace) return WIRE_CANCELLED;
	if (now >= limit->until) return WIRE_TIMEOUT;
	const double left = (limit->until - now) * 1000;
	*ms = left < LOOK_MS ? (int)left + 1 : LOOK_MS;
	return WIRE_OK;
}

static WireStatus wait_for(int fd, short events, WireLimit *limit) {
	struct pollfd p = {.fd = fd, .events = events};
	for (;;) {
		int ms;
		const WireStatus status = may_wait(limit, &ms);
		if (status != WIRE_OK) return status;
		const int n = poll(&p, 1, ms);
		if (n > 0) return WIRE_OK; /* also on hang-up: the next read or write reports it */
		if (n < 0 && errno != EINTR) return WIRE_CLOSED;
	}
}

static WireStatus send_all(int fd, const uint8_t *data, size_t len, WireLimit *limit) {
	while (len > 0) {
		const ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
			continue;
		}
		if (errno == EINTR) continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK) return WIRE_CLOSED;
		const WireStatus status = wait_for(fd, POLLOUT, limit);
		if (status != WIRE_OK) return status;
	}
	return WIRE_OK;
}

static WireStatus receive_all(int fd, uint8_t *data, size_t len, WireLimit *limit) {
	while (len > 0) {
		const ssize_t n = recv(fd, data, len, MSG_DONTWAIT);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
			continue;
		}
		if (n == 0) return WIRE_CLOSED;
		if (errno == EINTR) continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK) return WIRE_CLOSED;
		const WireStatus status = wait_for(fd, POLLIN, limit);
		if (status != WIRE_OK) return status;
	}
	return WIRE_OK;
}

/* --- frames ------------------------------------------------------------------------------------------------------------ */

WireStatus frame_send(int fd, uint16_t type, uint32_t sequence, const void *data, size_t len, WireLimit *limit) {
	uint8_t header[FRAME_HEADER];
	const uint32_t magic = FRAME_MAGIC, length = (uint32_t)len;
	const uint16_t version = FRAME_VERSION;
	if (len > FRAME_MAX) return WIRE_BROKEN;
	memcpy(header, &magic, 4);
	memcpy(header + 4, &version, 2);
	memcpy(header + 6, &type, 2);
	memcpy(header + 8, &sequence, 4);
	memcpy(header + 12, &length, 4);
	const WireStatus status = send_all(fd, header, sizeof header, limit);
	return status == WIRE_OK ? send_all(fd, data, len, limit) : status;
}

bool frame_header(const uint8_t bytes[FRAME_HEADER], uint16_t *type, uint32_t *sequence, uint32_t *length) {
	uint32_t magic;
	uint16_t version, kind;
	memcpy(&magic, bytes, 4);
	memcpy(&version, bytes + 4, 2);
	memcpy(&kind, bytes + 6, 2);
	memcpy(sequence, bytes + 8, 4);
	memcpy(length, bytes + 12, 4);
	if (magic != FRAME_MAGIC || version != FRAME_VERSION || kind >= FRAME_TYPES || *length > FRAME_MAX) return false;
	*type = kind;
	return true;
}

static WireStatus receive_payload(int fd, Frame *frame, size_t len, WireLimit *limit) {
	frame->len = 0;
	while (frame->len < len) {
		const size_t n = len - frame->len < GROW ? len - frame->len : GROW;
		if (frame->cap < frame->len + n) {
			frame->cap = frame->len + n;
			frame->data = xrealloc(frame->data, frame->cap);
		}
		const WireStatus status = receive_all(fd, frame->data + frame->len, n, limit);
		if (status != WIRE_OK) return status;
		frame->len += n;
	}
	return WIRE_OK;
}

WireStatus frame_receive(int fd, Frame *frame, WireLimit *limit) {
	uint8_t header[FRAME_HEADER];
	uint32_t length;
	const WireStatus status = receive_all(fd, header, sizeof header, limit);
	if (status != WIRE_OK) return status;
	if (!frame_header(header, &frame->type, &frame->sequence, &length)) return WIRE_BROKEN;
	return receive_payload(fd, frame, length, limit);
}
