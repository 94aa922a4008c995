/* lock.h. The file's text names its holder, for those who wait. */
#include "measure/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc.h"
#include "measure/internal.h"

static const double TELL_AGAIN_S = 10;
enum { LOOK_EVERY_US = 20000, TRIES = 10 };

/* --- the file -------------------------------------------------------------------------------------------------------------- */

static void path_of(const char *bus, char *out, size_t size) {
	const char *folder = getenv("GPULAB_LOCK_DIR");
	snprintf(out, size, "%s/gpulab-%s.lock", folder && *folder ? folder : "/tmp", bus);
}

/* Anyone may have put anything under that name: no link is followed, no pipe waited for. A file of another user that is there
 * already is opened without O_CREAT, which the kernel refuses in a shared folder. */
static int open_file(const char *path) {
	enum { CAREFUL = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
	struct stat about;
	int fd = -1;
	for (int i = 0; i < TRIES && fd < 0; i++) {
		fd = open(path, O_RDWR | CAREFUL);
		if (fd < 0 && errno == EACCES) fd = open(path, O_RDONLY | CAREFUL);
		if (fd >= 0 || errno != ENOENT) break;
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | CAREFUL, 0666);
		if (fd >= 0) (void)!fchmod(fd, 0666); /* whatever our umask: the lock is everyone's */
		if (fd < 0 && errno != EEXIST) break;
	}
	if (fd < 0) return -1;
	if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
	close(fd);
	errno = ENOTSUP;
	return -1;
}

/* Someone tidied up between our opening and locking: what we hold is no longer the file that others will find. */
static bool still_there(int fd, const char *path) {
	struct stat ours, named;
	return fstat(fd, &ours) == 0 && lstat(path, &named) == 0 && ours.st_ino == named.st_ino &&
		   ours.st_dev == named.st_dev;
}

static void sign(int fd) {
	char text[128];
	const struct passwd *who = getpwuid(getuid());
	int n = snprintf(text, sizeof text, "%d %.64s\n", (int)getpid(), who ? who->pw_name : "?");
	if (ftruncate(fd, 0) == 0) (void)!pwrite(fd, text, (size_t)n, 0); /* without text it is still a lock */
}

/* "process 123 of alice"; text from another process, so nothing but plain characters of it is passed on. */
static void holder(int fd, char *out, size_t size) {
	char text[128], name[65] = "";
	int pid = 0;
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	if (sscanf(text, "%d %64[a-zA-Z0-9._-]", &pid, name) == 2)
		snprintf(out, size, "process %d of %s", pid, name);
	else
		snprintf(out, size, "another process");
}

/* --- waiting --------------------------------------------------------------------------------------------------------------- */

static void describe(const LockMode *mode, int fd, double waited) {
	char who[120], text[240];
	if (!mode->waiting) return;
	holder(fd, who, sizeof who);
	if (waited < 1)
		snprintf(text, sizeof text, "waiting for the GPU: %s is timing on it (--no-lock measures anyway)", who);
	else
		snprintf(text, sizeof text, "still waiting for the GPU after %.0f s: %s is timing on it", waited, who);
	mode->waiting(mode->user, text);
}

/* False: cancelled, or (errno) it cannot be locked. */
static bool wait_for(int fd, const LockMode *mode, double begun, double *reported, LaunchOutcome *outcome, Err *err) {
	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EINTR) continue;
		if (errno != EWOULDBLOCK) return false;
		const double waited = seconds_now() - begun;
		if (*reported < 0 || waited - *reported >= TELL_AGAIN_S) {
			describe(mode, fd, waited);
			*reported = waited;
		}
		if (!measure_not_cancelled(outcome, err)) {
			errno = ECANCELED;
			return false;
		}
		usleep(LOOK_EVERY_US);
	}
	return true;
}

bool timing_lock_take(const Device *device, const LockMode *mode, TimingLock *out, LaunchOutcome *outcome, Err *err) {
	const char *bus = device_info(device)->bus;
	const double begun = seconds_now();
	double reported = -1;
	char path[300];
	*out = (TimingLock){.fd = -1};
	if (!*bus || mode->none) return true;
	path_of(bus, path, sizeof path);
	for (int i = 0; i < TRIES; i++) {
		int fd = open_file(path);
		if (fd < 0) break;
		if (wait_for(fd, mode, begun, &reported, outcome, err) && still_there(fd, path)) {
			sign(fd);
			out->fd = fd;
			out->waited_s = reported >= 0 ? seconds_now() - begun : 0;
			return true;
		}
		const int why = errno;
		close(fd);
		errno = why;
		if (why == ECANCELED) return false;
	}
	snprintf(out->without, sizeof out->without, "%.100s: %.50s", path,
			 errno == ENOTSUP ? "not a regular file" : strerror(errno));
	return true;
}

void timing_lock_release(TimingLock *lock) {
	if (lock->fd < 0) return;
	(void)!ftruncate(lock->fd, 0);
	close(lock->fd);
	lock->fd = -1;
}

void timing_lock_describe(const TimingLock *lock, const LockMode *mode, char *out, size_t size) {
	*out = '\0';
	if (mode->none)
		snprintf(out, size, "measured without the GPU's lock: others may have been using it");
	else if (*lock->without)
		snprintf(out, size, "measured without the GPU's lock (%s)", lock->without);
	else if (lock->waited_s >= 1)
		snprintf(out, size, "waited %.0f s for the GPU", lock->waited_s);
}
