/* file_queue.h */
#include "base/file_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Byte DOOR is held while a place is looked for, for microseconds. */
static const off_t DOOR = (off_t)1 << 40, FIRST = ((off_t)1 << 40) + 1;
enum { DOOR_TRIES = 2000, DOOR_US = 500, MOST = 100000 };

static bool set(int fd, short type, off_t at) {
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
	return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

/* The next place from `from` on that another holds; -1: there is none. */
static off_t next_held(int fd, off_t from) {
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from};
	if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return -1;
	return lock.l_start < from ? from : lock.l_start;
}

/* One further than the last: a process that comes later is never before. */
static off_t last_place(int fd) {
	off_t place = FIRST;
	for (off_t held; (held = next_held(fd, place)) >= 0;) place = held + 1;
	return place;
}

bool turn_take(int fd, uint64_t *ticket) {
	int tries = 0;
	while (!set(fd, F_WRLCK, DOOR)) {
		if ((errno != EAGAIN && errno != EACCES && errno != EINTR) || ++tries > DOOR_TRIES) return false;
		usleep(DOOR_US);
	}
	const off_t place = last_place(fd);
	const bool ok = set(fd, F_WRLCK, place);
	const int why = errno;
	set(fd, F_UNLCK, DOOR);
	errno = why;
	*ticket = (uint64_t)(place - FIRST);
	return ok;
}

unsigned turn_before(int fd, uint64_t ticket, unsigned *all) {
	unsigned before = 0, count = 1;
	off_t at = FIRST;
	/* A lock over many bytes is no process's place; it must not keep us here for ever. */
	for (off_t held; count < MOST && (held = next_held(fd, at)) >= 0; at = held + 1) {
		count++;
		if ((uint64_t)(held - FIRST) < ticket) before++;
	}
	if (all) *all = count;
	return before;
}
