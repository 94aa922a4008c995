/* frame.h */
#include "wire/frame.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/proc.h"
#include "wire/pack.h"

enum {
	LOOK_MS = 20,    /* a cancel set by a signal on another thread is seen this late at most */
	TOGETHER = 1024, /* a short payload goes with its header */
	GROW = 4 << 20,  /* memory is taken as bytes arrive, so that a header alone never takes much */
};

/* --- waiting ------------------------------------------------------------------------------------------------------ */

static void look_around(WireLimit *limit) {
	if (limit->look) limit->look(limit->user);
	if (limit->cancelled || !limit->cancel || !atomic_load(limit->cancel)) return;
	limit->cancelled = true;
	if (limit->forward) atomic_store(limit->forward, true);
	if (limit->tell) frame_send(limit->out, FRAME_CANCEL, limit->sequence, NULL, 0, NULL);
}

/* After a wait of so many seconds. One that is held up gets ten times the grace. */
static WireStatus judge(WireLimit *limit, double waited) {
	static const double HELD_UP = 0.1;
	const WireSeen seen = limit->see ? limit->see(limit->seen) : (WireSeen){.asleep = true};
	if (seen.asleep && seen.computed <= 0) limit->silent += waited;
	limit->computed += seen.computed;
	if (limit->cancelled) {
		const double used = seen.asleep ? waited : seen.computed + HELD_UP * waited;
		limit->graced += used < waited ? used : waited;
	}
	if (limit->cancelled && limit->graced >= limit->grace) return WIRE_CANCELLED;
	const bool enough = limit->most_computed > 0 && limit->computed >= limit->most_computed;
	return enough || limit->silent >= limit->patience ? WIRE_TIMEOUT : WIRE_OK;
}

static int wait_ms(const WireLimit *limit) {
	double left = limit->patience - limit->silent;
	if (limit->cancelled && limit->grace - limit->graced < left) left = limit->grace - limit->graced;
	return left * 1000 < LOOK_MS ? (int)(left * 1000) + (left > 0) : LOOK_MS;
}

static WireStatus wait_for(int fd, short events, WireLimit *limit) {
	struct pollfd p = {.fd = fd, .events = events};
	for (;;) {
		if (limit) look_around(limit);
		const int ms = limit ? wait_ms(limit) : -1;
		const double before = seconds_now();
		const int n = poll(&p, 1, ms);
		if (n > 0) return WIRE_OK; /* also on hang-up: the next read or write reports it */
		if (n < 0 && errno != EINTR) return WIRE_CLOSED;
		const double passed = seconds_now() - before;
		const WireStatus status = limit ? judge(limit, passed * 1000 < ms ? passed : ms * 1e-3) : WIRE_OK;
		if (status != WIRE_OK) return status;
	}
}

static void moved(WireLimit *limit) {
	if (limit) limit->silent = limit->computed = 0;
}

/* A pipe's end belongs to others too, so it stays in the mode it is in: it blocks. */
static ssize_t send_some(int fd, const uint8_t *data, size_t len) {
	const ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);
	return n < 0 && errno == ENOTSOCK ? write(fd, data, len) : n;
}

static ssize_t receive_some(int fd, uint8_t *data, size_t len) {
	const ssize_t n = recv(fd, data, len, MSG_DONTWAIT);
	if (n >= 0 || errno != ENOTSOCK) return n;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	if (poll(&p, 1, 0) > 0) return read(fd, data, len);
	errno = EAGAIN;
	return -1;
}

/* One of `in` and `from`: where bytes go that come, or those that go. */
static WireStatus move_all(int fd, uint8_t *in, const uint8_t *from, size_t len, WireLimit *limit) {
	for (size_t done = 0; done < len;) {
		const ssize_t n = in ? receive_some(fd, in + done, len - done) : send_some(fd, from + done, len - done);
		if (n > 0) {
			done += (size_t)n;
			moved(limit);
			continue;
		}
		if (in && n == 0) return WIRE_CLOSED;
		if (errno == EINTR) continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK) return WIRE_CLOSED;
		const WireStatus status = wait_for(fd, in ? POLLIN : POLLOUT, limit);
		if (status != WIRE_OK) return status;
	}
	return WIRE_OK;
}

static WireStatus send_all(int fd, const void *data, size_t len, WireLimit *limit) {
	return move_all(fd, NULL, data, len, limit);
}

static WireStatus receive_all(int fd, uint8_t *data, size_t len, WireLimit *limit) {
	return move_all(fd, data, NULL, len, limit);
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t magic;
	uint16_t version, type;
	uint32_t sequence, length;
} Header;
static_assert(sizeof(Header) == FRAME_HEADER, "no padding");

WireStatus frame_send(int fd, uint16_t type, uint32_t sequence, const void *data, size_t len, WireLimit *limit) {
	const Header header = {FRAME_MAGIC, FRAME_VERSION, type, sequence, (uint32_t)len};
	if (len > FRAME_MAX) return WIRE_BROKEN;
	uint8_t both[FRAME_HEADER + TOGETHER];
	memcpy(both, &header, sizeof header);
	if (len && len <= TOGETHER) memcpy(both + sizeof header, data, len);
	if (len <= TOGETHER) return send_all(fd, both, sizeof header + len, limit);
	const WireStatus status = send_all(fd, &header, sizeof header, limit);
	return status == WIRE_OK ? send_all(fd, data, len, limit) : status;
}

bool frame_header(const uint8_t bytes[FRAME_HEADER], uint16_t *type, uint32_t *sequence, uint32_t *length) {
	Header h;
	memcpy(&h, bytes, sizeof h);
	const uint16_t plain = h.type & (uint16_t) ~(FRAME_POSTED | FRAME_PACKED);
	*sequence = h.sequence;
	*length = h.length;
	if (h.magic != FRAME_MAGIC || h.version != FRAME_VERSION || plain >= FRAME_TYPES || h.length > FRAME_MAX)
		return false;
	*type = h.type;
	return true;
}

WireStatus frame_send_packed(int fd, uint16_t type, uint32_t sequence, const void *data, size_t len, WireLimit *limit) {
	size_t packed;
	AUTO_FREE uint8_t *shorter = pack(data, len, &packed);
	if (!shorter) return frame_send(fd, type, sequence, data, len, limit);
	return frame_send(fd, type | FRAME_PACKED, sequence, shorter, packed, limit);
}

typedef struct {
	uint8_t **data;
	size_t *cap;
} Room;

static WireStatus receive_payload(int fd, Room room, size_t len, WireLimit *limit) {
	for (size_t done = 0, n; done < len; done += n) {
		n = len - done < GROW ? len - done : GROW;
		if (*room.cap < done + n) {
			*room.cap = done + n;
			*room.data = xrealloc(*room.data, *room.cap);
		}
		const WireStatus status = receive_all(fd, *room.data + done, n, limit);
		if (status != WIRE_OK) return status;
	}
	return WIRE_OK;
}

static WireStatus receive_packed(int fd, Frame *frame, size_t len, WireLimit *limit) {
	if (!frame->packs) return WIRE_BROKEN;
	const WireStatus status = receive_payload(fd, (Room){&frame->packed, &frame->packed_cap}, len, limit);
	if (status != WIRE_OK) return status;
	return unpack(frame->packed, len, FRAME_MAX, &frame->data, &frame->cap, &frame->len) ? WIRE_OK : WIRE_BROKEN;
}

WireStatus frame_receive(int fd, Frame *frame, WireLimit *limit) {
	uint8_t header[FRAME_HEADER];
	uint32_t length;
	uint16_t type;
	frame->len = 0;
	WireStatus status = receive_all(fd, header, sizeof header, limit);
	if (status != WIRE_OK) return status;
	if (!frame_header(header, &type, &frame->sequence, &length)) return WIRE_BROKEN;
	frame->posted = type & FRAME_POSTED;
	frame->type = type & (uint16_t) ~(FRAME_POSTED | FRAME_PACKED);
	if (type & FRAME_PACKED)
		status = receive_packed(fd, frame, length, limit);
	else
		status = receive_payload(fd, (Room){&frame->data, &frame->cap}, length, limit);
	if (status != WIRE_OK) return status;
	if (!(type & FRAME_PACKED)) frame->len = length;
	frame->received += sizeof header + length;
	return WIRE_OK;
}

WireStatus frame_receive_byte(int fd, uint8_t *byte, WireLimit *limit) {
	return receive_all(fd, byte, 1, limit);
}

WireStatus frame_send_bytes(int fd, const void *data, size_t bytes, WireLimit *limit) {
	return send_all(fd, data, bytes, limit);
}

void frame_free(Frame *frame) {
	free(frame->data);
	free(frame->packed);
	*frame = (Frame){0};
}
