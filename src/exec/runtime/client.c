/* runtime.h: the connection. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text/printable.h"
#include "exec/runtime/runtime.h"
#include "wire/frame.h"
#include "wire/join.h"
#include "wire/sandbox.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static cudaError_t lost = cudaSuccess;

static char gpulab[JOIN_NAME]; /* where to connect; "": not under gpulab exec */
static int sock = -1;
static ino_t sock_inode;
static bool connected, ending;
static pid_t process; /* that is connected: not one that it forks */
static ExecFacts device;
static char *pool; /* NULL: this process gets no mapping of it */
static uint32_t sequence;
static Frame frame;
static Str out;
static Arena *arena;
static char said[1024];

/* --- errors and the lock ------------------------------------------------------------------------------------------ */

static __thread bool locked; /* by this thread */

void lock(void) {
	pthread_mutex_lock(&mutex);
	locked = true;
}

bool try_lock(void) {
	return pthread_mutex_trylock(&mutex) == 0 && (locked = true);
}

bool lock_is_mine(void) {
	return locked;
}

void unlock(void) {
	locked = false;
	pthread_mutex_unlock(&mutex);
}

bool is_forked(void) {
	return connected && process != getpid();
}

bool device_lost(cudaError_t *error) {
	if (is_forked()) lose_device(cudaErrorInitializationError); /* as on a GPU */
	*error = lost;
	return lost != cudaSuccess;
}

/* In the new process. Another thread may have held the lock, and the connection is not this process's. */
static void after_fork(void) {
	mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	if (connected) close(sock);
}

bool is_connected(void) {
	return connected;
}

void lose_device(cudaError_t error) {
	if (lost == cudaSuccess) lost = error;
}

/* --- the connection ----------------------------------------------------------------------------------------------- */

/* Before any code of the program runs, which a sandbox does not let out again. The connection is a socket, which could
 * not be made later. */
static void confine(void) {
	const SandboxPlan plan = sandbox_program_plan();
	SandboxState state;
	Err err = ERR_INIT;
	called();
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* it ends with who judges it */
	if (!sandbox_enter(&plan, &state, &err)) stop(err.what);
}

/* gpulab's own child ends with it. The first process of the program has a descriptor that gpulab waits for, with the
 * others that it forks. A mapping keeps what it is of open, also where the program closes descriptors that it does not
 * know. */
__attribute__((constructor)) static void begin(void) {
	const char *text = getenv(EXEC_VARIABLE);
	unsigned long inode = 0;
	struct stat about;
	pthread_atfork(NULL, NULL, after_fork);
	if (!text || sscanf(text, "%63[^,],%lu", gpulab, &inode) != 2) return;
	int parent;
	if (sscanf(gpulab, "gpulab-%d-", &parent) == 1 && parent == getppid()) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getenv(EXEC_CONFINED)) confine();
	if (fstat(EXEC_LIFE, &about) < 0 || about.st_ino != inode) return;
	(void)!mmap(NULL, 1, PROT_NONE, MAP_SHARED, EXEC_LIFE, 0);
	close(EXEC_LIFE);
}

/* Programs use the lowest descriptors, and may close them all. */
static void keep_socket(int fd) {
	enum { HIGH = 900 };
	struct stat about = {0};
	sock = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
	if (sock < 0) sock = fd;
	if (sock != fd) close(fd);
	if (fstat(sock, &about) == 0) sock_inode = about.st_ino;
}

static bool socket_is_there(void) {
	struct stat about;
	return fstat(sock, &about) == 0 && about.st_ino == sock_inode;
}

static int join(char *why, size_t size) {
	int memory = -1;
	const int fd = join_by_name(gpulab, &memory, why, size);
	connected = fd >= 0;
	process = getpid();
	if (connected) keep_socket(fd);
	return memory;
}

static _Noreturn void end_with(const char *why) {
	fprintf(stderr, "gpulab: %s\n", why);
	fflush(NULL);
	_exit(EXEC_ENDED);
}

/* gpulab says so, on its own standard error: the program may have closed its own. */
static _Noreturn void stop_with(const char *why, bool is_missing) {
	char unused[256];
	const bool again = !ending && !connected;
	fflush(NULL);
	if (ending || is_forked()) end_with(why);
	ending = true;
	if (again && (join(unused, sizeof unused), !connected)) end_with(why);
	ask(EXEC_stopped, &(ExecText){why, is_missing}, NULL);
	_exit(EXEC_ENDED);
}

void stop(const char *why) {
	stop_with(why, false);
}

void missing(const char *what) {
	stop_with(what, true);
}

static _Noreturn void disconnected(void) {
	const bool there = socket_is_there();
	connected = false;
	stop(there
			 ? "the connection to gpulab was lost"
			 : "the program closed a descriptor that is not its own: the connection to gpulab. Close others before the "
			   "first call of CUDA, or only those that you opened");
}

static void map_pool(int memory) {
	void *at = mmap(NULL, device.pool_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)device.pool_at);
	if (at == MAP_FAILED) stop("the device's memory cannot be mapped into the program");
	madvise(at, device.pool_bytes, MADV_DONTDUMP);
	madvise(at, device.pool_bytes, MADV_DONTFORK);
	pool = at;
	close(memory);
}

static void (*told)(void);

void when_connected(void (*f)(void)) {
	told = f;
}

const ExecFacts *facts(void) {
	char why[512] = "";
	if (connected) return &device;
	if (!*gpulab) end_with("this CUDA runtime works only under `gpulab exec PROGRAM`");
	const int memory = join(why, sizeof why);
	if (!connected) {
		snprintf(said, sizeof said, "this process cannot connect to gpulab exec: %.400s", why);
		end_with(said);
	}
	if (!ask(EXEC_hello, &(Nothing){0}, &device)) stop(said);
	if (memory >= 0) map_pool(memory);
	if (told) told();
	return &device;
}

void called(void) {
	if (connected) return;
	lock();
	facts();
	unlock();
}

char *pool_at(uint64_t at) {
	return pool ? pool + at : NULL;
}

bool pool_map(uint64_t at, size_t bytes, void *to) {
	return mremap(pool + at, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

/* On a GPU what kernels print comes out when the program waits, or launches the next kernel. */
static bool held_back;

void printed_comes_out(void) {
	held_back = false;
}

__attribute__((destructor)) static void end(void) {
	static const char remark[] =
		"gpulab: the program ends without waiting for the kernel that printed last: a GPU may print nothing of it\n"
		"  call cudaDeviceSynchronize() after the launch\n";
	if (!held_back || is_forked()) return;
	fflush(stdout);
	fputs(remark, stderr);
}

/* What kernels print appears where the program's own output does. */
static void receive(void) {
	for (;;) {
		if (frame_receive(sock, &frame, NULL) != WIRE_OK || frame.sequence != sequence) disconnected();
		if (frame.type != FRAME_PRINT) return;
		AUTO_STR Str shown = {0};
		str_add_printable(&shown, (const char *)frame.data, frame.len);
		fwrite(shown.text, 1, shown.len, stdout);
		held_back = true;
	}
}

static bool refused(void) {
	Err err = ERR_INIT;
	Reader r = reader_of(&frame, arena);
	record_get(&r, &Err_record, &err);
	snprintf(said, sizeof said, "%s", reader_done(&r) ? err.what : "an invalid answer");
	return false;
}

bool ask(ExecCallNumber number, const void *request, void *answer) {
	const Message *message = &exec_messages[number];
	Nothing nothing;
	if (!connected) facts();
	if (is_forked()) {
		snprintf(said, sizeof said, "a process forked after the first call of CUDA cannot use the GPU");
		return false;
	}
	if (!socket_is_there()) disconnected();
	arena_free(arena);
	arena = arena_new();
	str_clear(&out);
	record_put(&out, message->request, request);
	if (frame_send(sock, (uint16_t)(FRAME_CALLS + number), ++sequence, out.text, out.len, NULL) != WIRE_OK)
		disconnected();
	receive();
	if (frame.type != FRAME_ANSWER) return refused();
	Reader r = reader_of(&frame, arena);
	record_get(&r, message->answer, answer ? answer : &nothing);
	if (!reader_done(&r)) stop("gpulab gave an invalid answer");
	return true;
}

const char *problem(void) {
	return said;
}
