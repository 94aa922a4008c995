/* join.h: sockets of Linux's abstract namespace, which leave no file to remove. Any user can reach
 * those, so that who comes is asked for. */
#include "wire/join.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The name begins behind a zero. */
static socklen_t address_of(const char *name, struct sockaddr_un *out) {
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	snprintf(out->sun_path + 1, sizeof out->sun_path - 1, "%s", name);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(out->sun_path + 1));
}

static bool set_errno(Err *err) {
	return err_set(err, ERR_SETUP, "no socket for the program: %s", strerror(errno));
}

int join_listen(char name[JOIN_NAME], Err *err) {
	uint64_t drawn = 0;
	struct sockaddr_un at;
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (getrandom(&drawn, sizeof drawn, 0) < 0) drawn = (uintptr_t)&at;
	snprintf(name, JOIN_NAME, "gpulab-%d-%" PRIx64, (int)getpid(), drawn);
	const socklen_t bytes = address_of(name, &at);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&at, bytes) == 0 && listen(fd, SOMAXCONN) == 0) return fd;
	set_errno(err);
	if (fd >= 0) close(fd);
	return -1;
}

int join_accept(int at, pid_t *who) {
	struct ucred peer = {0};
	socklen_t bytes = sizeof peer;
	const int fd = accept4(at, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0) return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid()) {
		*who = peer.pid;
		return fd;
	}
	close(fd);
	return -1;
}

/* A message of one text, and room for one descriptor. */
typedef struct {
	struct msghdr head;
	struct iovec text;
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room;
} JoinMessage;

static void message_of(JoinMessage *m, const char *text, size_t bytes) {
	memset(m, 0, sizeof *m);
	m->text = (struct iovec){(char *)text, bytes};
	m->head = (struct msghdr){
		.msg_iov = &m->text, .msg_iovlen = 1, .msg_control = &m->room, .msg_controllen = sizeof m->room};
}

void join_answer(int connection, int memory, const char *why) {
	JoinMessage m;
	message_of(&m, why, strlen(why) + 1);
	struct cmsghdr *with = CMSG_FIRSTHDR(&m.head);
	*with = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof memory)};
	memcpy(CMSG_DATA(with), &memory, sizeof memory);
	if (memory < 0) m.head.msg_control = NULL, m.head.msg_controllen = 0;
	if (sendmsg(connection, &m.head, MSG_NOSIGNAL) < 0) return; /* the process is gone, which the next call finds */
}

static int receive_memory(int fd, char *why, size_t size) {
	JoinMessage m;
	ssize_t n;
	int memory = -1;
	message_of(&m, why, size - 1);
	do n = recvmsg(fd, &m.head, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	snprintf(why + (n > 0 ? n : 0), size - (size_t)(n > 0 ? n : 0), "%s", n > 0 ? "" : "it was closed");
	const struct cmsghdr *with = n > 0 ? CMSG_FIRSTHDR(&m.head) : NULL;
	if (with && with->cmsg_type == SCM_RIGHTS) memcpy(&memory, CMSG_DATA(with), sizeof memory);
	return memory;
}

int join_by_name(const char *name, int *memory, char *why, size_t size) {
	struct sockaddr_un at;
	const socklen_t bytes = address_of(name, &at);
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int connected = -1;
	do connected = fd < 0 ? -1 : connect(fd, (struct sockaddr *)&at, bytes);
	while (connected < 0 && errno == EINTR);
	if (connected < 0) snprintf(why, size, "%s", strerror(errno));
	*memory = connected < 0 ? -1 : receive_memory(fd, why, size);
	if (connected == 0 && !*why) return fd;
	if (*memory >= 0) close(*memory);
	if (fd >= 0) close(fd);
	return -1;
}
