/* runtime.h: the connection. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"
#include "wire/frame.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread cudaError_t last_error;
static cudaError_t lost = cudaSuccess;

static int sock = -1, memory = -1;
static bool connected;
static ExecFacts device;
static char *pool;
static uint32_t sequence;
static Frame frame;
static Str out;
static Arena *arena;
static char said[1024];

/* --- errors and the lock ------------------------------------------------------------------------------------------ */

void lock(void) {
	pthread_mutex_lock(&mutex);
}

bool try_lock(void) {
	return pthread_mutex_trylock(&mutex) == 0;
}

void unlock(void) {
	pthread_mutex_unlock(&mutex);
}

cudaError_t returned(cudaError_t error) {
	unlock();
	if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
	return error;
}

bool device_lost(cudaError_t *error) {
	*error = lost;
	return lost != cudaSuccess;
}

void lose_device(cudaError_t error) {
	if (lost == cudaSuccess) lost = error;
}

API cudaError_t cudaGetLastError(void) {
	const cudaError_t error = last_error;
	last_error = lost;
	return error;
}

FORWARD(cudaPeekAtLastError, (void), last_error)

/* --- the connection ----------------------------------------------------------------------------------------------- */

/* Without gpulab at the other end nothing can go on; it has said why, or the program was started by itself. */
static _Noreturn void disconnected(const char *why) {
	if (why) fprintf(stderr, "gpulab: %s\n", why);
	fflush(NULL);
	_exit(5);
}

static void find_descriptors(void) {
	const char *text = getenv(EXEC_VARIABLE);
	if (!text || sscanf(text, "%d,%d", &sock, &memory) != 2)
		disconnected("this CUDA runtime works only under `gpulab exec PROGRAM`");
	fcntl(sock, F_SETFD, FD_CLOEXEC);
	fcntl(memory, F_SETFD, FD_CLOEXEC);
}

static void map_pool(void) {
	void *at = mmap(NULL, device.pool_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)device.pool_at);
	if (at == MAP_FAILED) disconnected("the device's memory cannot be mapped into the program");
	madvise(at, device.pool_bytes, MADV_DONTDUMP);
	pool = at;
}

const ExecFacts *facts(void) {
	if (connected) return &device;
	find_descriptors();
	connected = true;
	if (!ask(EXEC_hello, &(Nothing){0}, &device)) disconnected(said);
	map_pool();
	host_access_watch();
	return &device;
}

char *pool_at(uint64_t at) {
	return pool + at;
}

int pool_descriptor(void) {
	return memory;
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

/* What kernels print appears where the program's own output does. */
static void receive(void) {
	for (;;) {
		if (frame_receive(sock, &frame, NULL) != WIRE_OK || frame.sequence != sequence) disconnected(NULL);
		if (frame.type != FRAME_PRINT) return;
		fwrite(frame.data, 1, frame.len, stdout);
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
	arena_free(arena);
	arena = arena_new();
	str_clear(&out);
	record_put(&out, message->request, request);
	if (frame_send(sock, (uint16_t)(FRAME_CALLS + number), ++sequence, out.text, out.len, NULL) != WIRE_OK)
		disconnected(NULL);
	receive();
	if (frame.type != FRAME_ANSWER) return refused();
	Reader r = reader_of(&frame, arena);
	record_get(&r, message->answer, answer ? answer : &nothing);
	if (!reader_done(&r)) disconnected("an invalid answer");
	return true;
}

const char *problem(void) {
	return said;
}

void missing(const char *what) {
	fflush(NULL);
	ask(EXEC_missing, &(ExecText){what}, NULL);
	_exit(5);
}
