/* files.h: folders, locks, renaming. */
#include "store/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

FileId file_id(const char *path) {
	struct stat st;
	return stat(path, &st) == 0 ? (FileId){st.st_dev, st.st_ino} : (FileId){0};
}

bool file_same(FileId a, FileId b) {
	return a.device == b.device && a.inode == b.inode;
}

int folder_lock(const char *folder) {
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0) {
		if (errno == EINTR) continue;
		close(fd); /* NFS locks nothing that is open for reading only */
		return -1;
	}
	return fd;
}

void folder_unlock(int lock) {
	if (lock >= 0) close(lock);
}

bool folder_on_network(const char *folder) {
	static const unsigned long magics[] = {
		0x6969 /* NFS */,        0x517b /* SMB */,      0xff534d42 /* CIFS */,
		0xfe534d42 /* SMB2 */,   0x5346414f /* AFS */,  0x73757245 /* Coda */,
		0x0bd00bd0 /* Lustre */, 0x47504653 /* GPFS */, 0x00c36400 /* Ceph */,
		0x19830326 /* BeeGFS */, 0x01021997 /* 9P */,   0x65735546 /* FUSE: sshfs and others */};
	struct statfs fs;
	if (statfs(folder, &fs) != 0) return false;
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (((unsigned long)fs.f_type & 0xffffffff) == magics[i]) return true;
	return false;
}

/* path.damaged-20260131-154500, with a number behind it where that exists */
static char *free_name(const char *path) {
	char date[32];
	time_t now = time(NULL);
	struct tm tm;
	strftime(date, sizeof date, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	for (unsigned i = 1;; i++) {
		struct stat st;
		char *name = i > 1 ? xformat("%s.damaged-%s-%u", path, date, i) : xformat("%s.damaged-%s", path, date);
		if (lstat(name, &st) != 0) return name;
		free(name);
	}
}

static bool rename_part(const char *from, const char *to, const char *part) {
	AUTO_FREE char *a = xformat("%s%s", from, part), *b = xformat("%s%s", to, part);
	return rename(a, b) == 0 || errno == ENOENT;
}

/* The logs go first: a database without its log is an older state of itself, while a log next to a new database would
 * be deleted. */
bool database_set_aside(const char *path, Str *name, Err *err) {
	AUTO_FREE char *to = free_name(path);
	bool ok = rename_part(path, to, "-wal") && rename_part(path, to, "-journal") && rename_part(path, to, "");
	if (ok) {
		char *shared = xformat("%s-shm", path);
		unlink(shared); /* SQLite rebuilds it from the log */
		free(shared);
		str_add(name, to);
	} else {
		err_set(err, ERR_SETUP, "the journal %s is damaged and cannot be renamed: %s", path, strerror(errno));
		err_hint(err, "move it away, or set GPULAB_HOME to another folder");
	}
	return ok;
}
