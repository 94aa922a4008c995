/* gpu_lock.h. The file's text names its holder, for those who wait. */
#include "device/backend/gpu_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/file_queue.h"
#include "base/proc.h"

static const double TELL_AGAIN_S = 10;
enum { LOOK_EVERY_US = 20000, TRIES = 10 };

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void path_of(const char *bus, char *out, size_t size) {
	const char *folder = getenv("GPULAB_LOCK_DIR");
	snprintf(out, size, "%s/gpulab-%s.lock", folder && *folder ? folder : "/tmp", bus);
}

/* Anyone may have put anything under that name: no link is followed, no pipe waited for. A file of another user that is
 * there already is opened without O_CREAT, which the kernel refuses in a shared folder. */
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

/* --- waiting ------------------------------------------------------------------------------------------------------ */

typedef struct {
	const LockWait *wait;
	double begun, reported; /* reported < 0: not yet */
	unsigned before;        /* as last reported */
} Waiting;

/* Those before us but for the holder, and us. */
static unsigned place_of(unsigned before) {
	return before > 1 ? before : 1;
}

static void describe(const Waiting *w, int fd, unsigned before, unsigned all, double waited) {
	char who[120], place[60] = "", text[300];
	holder(fd, who, sizeof who);
	if (all > 2) snprintf(place, sizeof place, "place %u of %u in the queue; ", place_of(before), all - 1);
	if (waited < 1)
		snprintf(text, sizeof text, "waiting for the GPU: %s%s is timing on it (--no-lock measures anyway)", place,
				 who);
	else
		snprintf(text, sizeof text, "still waiting for the GPU after %.0f s: %s%s is timing on it", waited, place, who);
	w->wait->waiting(w->wait->user, text);
}

/* When one has to wait, whenever the place changes, and every few seconds. */
static void report(Waiting *w, int fd, uint64_t ticket) {
	const double waited = seconds_now() - w->begun;
	unsigned all = 1;
	const unsigned before = ticket == NO_TICKET ? 0 : turn_before(fd, ticket, &all);
	if (w->reported >= 0 && waited - w->reported < TELL_AGAIN_S && before == w->before) return;
	w->reported = waited;
	w->before = before;
	if (w->wait->waiting) describe(w, fd, before, all, waited);
}

/* The queue is for order; what keeps others away is the lock on the file. 1: held, 0: cancelled, -1 (errno): it cannot
 * be locked. */
static int wait_for(int fd, uint64_t ticket, Waiting *w) {
	for (;;) {
		const bool my_turn = ticket == NO_TICKET || turn_before(fd, ticket, NULL) == 0;
		if (my_turn && flock(fd, LOCK_EX | LOCK_NB) == 0) return 1;
		if (my_turn && errno != EWOULDBLOCK && errno != EINTR) return -1;
		report(w, fd, ticket);
		if (w->wait->look) w->wait->look(w->wait->user);
		if (atomic_load(&cancel_flag)) return 0;
		usleep(LOOK_EVERY_US);
	}
}

bool gpu_lock_take(const char *bus, const LockWait *wait, GpuLock *out) {
	Waiting w = {.wait = wait, .begun = seconds_now(), .reported = -1};
	char path[300];
	*out = (GpuLock){.fd = -1};
	if (!*bus) return true;
	path_of(bus, path, sizeof path);
	for (int i = 0; i < TRIES; i++) {
		const int fd = open_file(path);
		if (fd < 0) break;
		uint64_t ticket;
		if (!turn_take(fd, &ticket)) ticket = NO_TICKET;
		const int held = wait_for(fd, ticket, &w);
		if (held == 1 && still_there(fd, path)) {
			sign(fd);
			*out = (GpuLock){.fd = fd, .ticket = ticket, .waited_s = w.reported >= 0 ? seconds_now() - w.begun : 0};
			return true;
		}
		const int why = errno;
		close(fd);
		errno = why;
		if (held == 0) return false;
	}
	snprintf(out->without, sizeof out->without, "%.100s: %.50s", path,
			 errno == ENOTSUP ? "not a regular file" : strerror(errno));
	return true;
}

void gpu_lock_release(GpuLock *lock) {
	if (lock->fd < 0) return;
	(void)!ftruncate(lock->fd, 0);
	close(lock->fd); /* with it go the lock and the place in the queue */
	lock->fd = -1;
}
