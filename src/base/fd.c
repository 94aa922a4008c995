/* fd.h */
#include "base/fd.h"

#include <errno.h>
#include <unistd.h>

bool fd_write(int fd, const void *data, size_t len) {
	for (const char *at = data; len;) {
		const ssize_t n = write(fd, at, len);
		if (n < 0 && errno == EINTR) continue;
		if (n < 0) return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}
