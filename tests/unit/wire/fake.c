/* fake.h: both sides. */
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "wire/serve.h"

static void put_other(Str *out, const void *field) {
	char text[8];
	snprintf(text, sizeof text, "%u", *(const uint16_t *)field);
	put_text(out, text);
}

static void get_other(Reader *r, void *field) {
	const char *text = get_text(r);
	if (!text) r->bad = true;
	*(uint16_t *)field = (uint16_t)(text ? atoi(text) : 0);
}

static bool everything_valid(const void *value) {
	return ((const Everything *)value)->number != 13;
}

RECORD(Point, FIELDS(Point, x, y))
RECORD_VALID(Everything, everything_valid, FIELDS(Everything, number, reals, flag),
			 FIELD_ENUM(Everything, color, COLOR_BLUE), FIELDS(Everything, chars, text),
			 FIELD_BYTES(Everything, bytes, nbytes), FIELD_RECORD(Everything, inner, Point),
			 FIELD_LIST(Everything, points, npoints, Point, 100), FIELD_OTHER(Everything, other, put_other, get_other))
RECORD(DoRequest, FIELD_ENUM(DoRequest, what, DO_WHATS), FIELD(DoRequest, count))
RECORD(DoAnswer, FIELD_BYTES(DoAnswer, bytes, nbytes))
RECORD(TryRequest, FIELD_ENUM(TryRequest, attempt, TRY_COUNT), FIELD(TryRequest, allowed))
RECORD(TryAnswer, FIELD(TryAnswer, error))
RECORD(LookAnswer, FIELDS(LookAnswer, descriptors, pid, session, group, terminal, mark))
RECORD(EnterRequest, FIELDS(EnterRequest, allowed, driver, emulator))

/* --- the worker --------------------------------------------------------------------------------------------------- */

static void sleep_ms(uint32_t ms) {
	const struct timespec nap = {ms / 1000, (long)(ms % 1000) * 1000000};
	nanosleep(&nap, NULL);
}

static void compute_ms(uint32_t ms) {
	const double until = proc_computed(getpid()) + ms * 1e-3;
	while (proc_computed(getpid()) < until) {
	}
}

static bool serve_echo(Server *server, const void *request, void *answer, Err *err) {
	*(Everything *)answer = *(const Everything *)request;
	return true;
}

static void write_frame(Server *s, uint32_t magic, uint16_t type, uint32_t sequence, uint32_t length) {
	uint8_t header[FRAME_HEADER];
	const uint16_t version = FRAME_VERSION;
	memcpy(header, &magic, 4);
	memcpy(header + 4, &version, 2);
	memcpy(header + 6, &type, 2);
	memcpy(header + 8, &sequence, 4);
	memcpy(header + 12, &length, 4);
	if (write(s->fd, header, sizeof header) < 0) _exit(9);
}

static bool serve_do(Server *s, const void *request, void *answer, Err *err) {
	const DoRequest *r = request;
	DoAnswer *a = answer;
	const uint64_t no_bytes = 0;
	char text[32];
	switch (r->what) {
	case DO_NOTHING:
	case DO_WHATS: return true;
	case DO_FAIL:
		err_set(err, ERR_WRONG, "it failed");
		err_where(err, "a.cu", 7);
		return err_hint(err, "try again");
	case DO_SLEEP: sleep_ms(r->count); return true;
	case DO_COMPUTE: compute_ms(r->count); return true;
	case DO_SPIN:
		while (!atomic_load(serve_cancel(s))) sleep_ms(1);
		return err_set(err, ERR_INTERRUPTED, "ended early");
	case DO_IGNORE:
		for (;;) sleep_ms(1000);
	case DO_PRINT:
		for (uint32_t i = 0; i < r->count; i++)
			serve_print(s, text, (size_t)snprintf(text, sizeof text, "line %u\n", i));
		return true;
	case DO_PROGRESS:
		for (uint32_t i = 0; i < r->count; i++) {
			sleep_ms(50);
			serve_progress(s);
		}
		return true;
	case DO_DIE:
		fprintf(stderr, "first words\nlast words\n");
		fflush(stderr);
		signal((int)r->count, SIG_DFL);
		raise((int)r->count);
		return true;
	case DO_EXIT: _exit((int)r->count);
	case DO_NONSENSE:
		write_frame(s, 0x12345678, 0, 0, 0);
		sleep_ms(100000);
		return true;
	case DO_WRONG_ANSWER: write_frame(s, FRAME_MAGIC, FRAME_ANSWER, s->frame.sequence, 0); return true;
	case DO_WRONG_NUMBER: /* right otherwise: an answer of no bytes */
		write_frame(s, FRAME_MAGIC, FRAME_ANSWER, s->frame.sequence + 1, sizeof no_bytes);
		if (write(s->fd, &no_bytes, sizeof no_bytes) < 0) _exit(9);
		return true;
	case DO_LONG_ANSWER:
		a->nbytes = (size_t)FRAME_MAX + 1;
		a->bytes = calloc(a->nbytes, 1);
		return true;
	case DO_HALF: write_frame(s, FRAME_MAGIC, FRAME_ANSWER, s->frame.sequence, 1 << 20); _exit(3);
	case DO_MARK: memcpy(s->shared + SHARED_DATA, &r->count, sizeof r->count); return true;
	}
	return true;
}

static bool serve_look(Server *s, const void *request, void *answer, Err *err) {
	LookAnswer *a = answer;
	for (int fd = 0; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) >= 0) a->descriptors |= UINT64_C(1) << fd;
	a->pid = getpid();
	a->session = getsid(0);
	a->group = getpgrp();
	const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	a->terminal = terminal >= 0;
	if (terminal >= 0) close(terminal);
	if (s->shared) memcpy(&a->mark, s->shared + SHARED_DATA, sizeof a->mark);
	return true;
}

static bool serve_enter(Server *s, const void *request, void *answer, Err *err) {
	const EnterRequest *r = request;
	const char *const read[] = {"/usr", "/lib", "/lib64", r->allowed, NULL}, *const write[] = {r->allowed, NULL};
	const SandboxPlan plan = {.read = read,
							  .write = write,
							  .memory_bytes = 512 << 20,
							  .file_bytes = 1 << 20,
							  .descriptors = 64,
							  .driver = r->driver};
	const SandboxPlan none = sandbox_emulator_plan(512 << 20);
	return sandbox_enter(r->emulator ? &none : &plan, answer, err);
}

static int error_of(long result) {
	return result < 0 ? errno : 0;
}

static int try_open(const char *path, int flags) {
	const int fd = open(path, flags | O_CLOEXEC, 0600);
	const int error = error_of(fd);
	if (fd >= 0) close(fd);
	return error;
}

static int try_in(const char *folder, const char *name, int flags) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return try_open(path, flags);
}

static int try_grow(const char *folder) {
	char path[4096];
	snprintf(path, sizeof path, "%s/grows", folder);
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0) return errno;
	const int error = error_of(pwrite(fd, "x", 1, 2 << 20));
	close(fd);
	return error;
}

static int try_fork(bool then_exec) {
	static char *const argv[] = {(char *)"true", NULL};
	if (then_exec) { /* what follows in this process must not be another program's */
		execv("/bin/true", argv);
		return errno;
	}
	const pid_t pid = fork();
	if (pid == 0) _exit(0);
	if (pid > 0) waitpid(pid, NULL, 0);
	return error_of(pid);
}

static void *count_up(void *user) {
	atomic_fetch_add((atomic_int *)user, 1);
	return NULL;
}

static int try_threads(void) {
	atomic_int done = 0;
	pthread_t threads[8];
	for (int i = 0; i < 8; i++) {
		const int error = pthread_create(&threads[i], NULL, count_up, &done);
		if (error) return error;
	}
	for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
	return done == 8 ? 0 : -1;
}

static int try_allocate(void) {
	const size_t bytes = 1 << 30;
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) return errno;
	munmap(at, bytes);
	return 0;
}

static int try_socket(int domain) {
	const int fd = socket(domain, SOCK_STREAM, 0);
	const int error = error_of(fd);
	if (fd >= 0) close(fd);
	return error;
}

static int attempt(const TryRequest *r) {
	static char page[4096];
	const char *home = getenv("HOME");
	switch (r->attempt) {
	case TRY_READ_PASSWD: return try_open("/etc/passwd", O_RDONLY);
	case TRY_READ_ALLOWED: return try_in(r->allowed, "there", O_RDONLY);
	case TRY_WRITE_HOME: return try_in(home ? home : "/", ".gpulab-sandbox-test", O_CREAT | O_WRONLY);
	case TRY_WRITE_ALLOWED: return try_in(r->allowed, "made", O_CREAT | O_WRONLY);
	case TRY_GROW_FILE: return try_grow(r->allowed);
	case TRY_SOCKET: return try_socket(AF_INET);
	case TRY_LOCAL_SOCKET: return try_socket(AF_UNIX);
	case TRY_FORK: return try_fork(false);
	case TRY_EXEC: return try_fork(true);
	case TRY_PTRACE: return error_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	case TRY_KILL_PARENT: return error_of(kill(getppid(), 0));
	case TRY_KILL_SELF: return error_of(kill(getpid(), 0));
	case TRY_MOUNT: return error_of(mount("none", "/mnt", "tmpfs", 0, NULL));
	case TRY_KEYCTL: return error_of(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1));
	case TRY_BPF: return error_of(syscall(SYS_bpf, 0, page, sizeof page));
	case TRY_PERF: return error_of(syscall(SYS_perf_event_open, page, 0, -1, -1, 0));
	case TRY_URING: return error_of(syscall(425, 8, page));
	case TRY_USERFAULTFD: return error_of(syscall(SYS_userfaultfd, 0));
	case TRY_UNSHARE: return error_of(unshare(CLONE_NEWUSER));
	case TRY_CHMOD: return error_of(chmod(r->allowed, 0700));
	case TRY_THREADS: return try_threads();
	case TRY_ALLOCATE: return try_allocate();
	case TRY_COUNT: break;
	}
	return EINVAL;
}

static bool serve_try(Server *s, const void *request, void *answer, Err *err) {
	((TryAnswer *)answer)->error = attempt(request);
	return true;
}

static const ServeCall calls[FAKE_CALLS] = {
	[FAKE_ECHO] = {&Everything_record, &Everything_record, serve_echo},
	[FAKE_DO] = {&DoRequest_record, &DoAnswer_record, serve_do},
	[FAKE_ENTER] = {&EnterRequest_record, &SandboxState_record, serve_enter},
	[FAKE_LOOK] = {NULL, &LookAnswer_record, serve_look},
	[FAKE_TRY] = {&TryRequest_record, &TryAnswer_record, serve_try},
};

void fake_worker_if_asked(int argc, char **argv) {
	if (argc != 3 || strcmp(argv[1], "--worker") != 0) return;
	Server server = {.calls = calls, .ncalls = FAKE_CALLS};
	serve_begin(&server, WORKER_FD);
	const int status = serve_until_closed(&server);
	serve_end(&server);
	exit(status);
}

/* --- the caller --------------------------------------------------------------------------------------------------- */

void fake_start(Child *c, const atomic_bool *cancel, bool shared) {
	Err err = ERR_INIT;
	child_init(c, "fake", "the fake", cancel);
	if (shared) c->shared_bytes = SHARED_DATA + 4096;
	if (!child_start(c, &err)) fail_msg("%s", err.what);
}

bool fake_do(Child *c, What what, uint32_t count, double seconds, Err *err) {
	const DoRequest request = {what, count};
	DoAnswer answer;
	const Exchange x = {
		.call = FAKE_DO, .request = &DoRequest_record, .answer = &DoAnswer_record, .patience_s = seconds};
	return child_call(c, &x, &request, &answer, err);
}
