/* runtime.h: the thread's last error, and calls that failed: whether the program looked at that, which call it was, and
 * from where. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ordered.h"
#include "exec/runtime/runtime.h"

enum { MOST_FAILURES = 1000 };

/* A thread's failures that it has not looked at, by error: a program looks at errors, not at calls. */
typedef struct {
	cudaError_t error;
	uint64_t number;
} Unseen;
enum { MOST_UNSEEN = 64 };
static __thread Unseen unseen[MOST_UNSEEN];
static __thread cudaError_t last_error;
static __thread unsigned nunseen;
static __thread cudaError_t looked; /* since the last failure */
static __thread char cause[256];
static __thread bool mistaken; /* the call in progress */
static uint64_t count;         /* under the lock */

void because(const char *format, ...) {
	va_list args;
	va_start(args, format);
	vsnprintf(cause, sizeof cause, format, args);
	va_end(args);
}

SizeText size_text(size_t bytes) {
	SizeText out;
	if ((int64_t)bytes >= 0)
		snprintf(out.text, sizeof out.text, "%zu bytes", bytes);
	else
		snprintf(out.text, sizeof out.text,
				 "%lld bytes (a count below 0, or a product that does not fit an int: "
				 "compute it as size_t)",
				 (long long)bytes);
	return out;
}

uint64_t mistake(const char *format, ...) {
	Number places[EXEC_MOST_PLACES];
	char text[sizeof cause];
	va_list args;
	if (!facts()->check || is_forked() || count == MOST_FAILURES) return 0;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	ask(EXEC_failed, &(ExecFailure){find_call(places), ++count, error_name(cudaSuccess), text}, NULL);
	mistaken = true;
	return count;
}

void no_mistake(uint64_t number) {
	if (number) ask(EXEC_seen, &(Number){number}, NULL);
}

const char *reason(void) {
	return cause;
}

/* --- handles ------------------------------------------------------------------------------------------------------ */

/* Those that exist: a program may use one that it has destroyed. */
static OrderedMap handles;

void handle_add(const void *handle, HandleKind kind) {
	*ordered_at(&handles, (uintptr_t)handle) = kind;
}

void handle_remove(const void *handle) {
	ordered_remove(&handles, (uintptr_t)handle);
}

bool is_handle(const void *handle, HandleKind kind) {
	const OrderedEntry *e = ordered_floor(&handles, (uintptr_t)handle);
	return e && e->key == (uintptr_t)handle && e->value == kind;
}

cudaError_t no_such(const char *what) {
	because("the %s was destroyed, or never created", what);
	return cudaErrorInvalidResourceHandle;
}

cudaError_t nowhere(void) {
	because("the place for the result is a null pointer");
	return cudaErrorInvalidValue;
}

cudaError_t without_place(void) {
	lock();
	return returned(nowhere());
}

bool flags_are_wrong(unsigned flags, unsigned known) {
	if (flags & ~known) because("the flags are 0x%x; the function takes those in 0x%x", flags, known);
	return flags & ~known;
}

/* As the call returns it: the driver's functions have errors of their own. */
static cudaError_t as_returned(const char *call, cudaError_t error, const char **name) {
	int (*of_driver)(cudaError_t, const char **) = NULL;
	const bool driver = strncmp(call, "cu", 2) == 0 && strncmp(call, "cuda", 4) != 0;
	void *library = driver ? dlopen("libcuda.so.1", RTLD_LAZY) : NULL;
	if (library) *(void **)&of_driver = dlsym(library, "__cudaGpulabDriverError");
	*name = error_name(error);
	return of_driver ? (cudaError_t)of_driver(error, name) : error;
}

static void failed(cudaError_t error) {
	Number places[EXEC_MOST_PLACES];
	if (is_forked() || count == MOST_FAILURES) return;
	ExecFailure f = {.by = find_call(places), .number = ++count, .error = "", .cause = cause};
	const bool launches = strstr(f.by.call, "cudaLaunch"); /* of which gpulab has said why */
	if (!*cause && !launches && error != cudaSuccess && error != cudaErrorInvalidValue)
		because("%s", error_text(error));
	if (error != cudaSuccess) error = as_returned(f.by.call, error, &f.error);
	looked = cudaSuccess;
	ask(EXEC_failed, &f, NULL);
	if (nunseen < MOST_UNSEEN) unseen[nunseen++] = (Unseen){error, f.number};
}

void failed_at(uint64_t addr) {
	if (addr >= EXEC_DEVICE_FIRST && addr < EXEC_DEVICE_END)
		because("it was given device memory where it needs host memory");
	else
		because(
			"it was given memory that the program does not have: a pointer without a value, or fewer bytes than the "
			"call is told");
	if (is_connected() && !mistaken) failed(cudaSuccess);
}

/* The last one: earlier ones of the same error were overwritten by it. Its name, its text and a second question are
 * about the same. */
static void looked_at(cudaError_t error) {
	unsigned i = nunseen;
	if (error == looked) return;
	looked = error;
	while (i && unseen[i - 1].error != error) i--;
	if (!i) return;
	lock();
	ask(EXEC_seen, &(Number){unseen[i - 1].number}, NULL);
	unlock();
	unseen[i - 1] = unseen[--nunseen];
}

/* --- the functions ------------------------------------------------------------------------------------------------ */

cudaError_t returned(cudaError_t error) {
	cudaError_t lost;
	const bool failure = error != cudaSuccess && error != cudaErrorNotReady;
	if (failure && is_connected() && !device_lost(&lost)) failed(error);
	*cause = 0;
	mistaken = false;
	clock_leave();
	unlock();
	if (failure) last_error = error;
	return error;
}

API cudaError_t cudaGetLastError(void) {
	called();
	const cudaError_t error = last_error;
	device_lost(&last_error);
	looked_at(error);
	return error;
}

FORWARD(cudaPeekAtLastError, (void), (called(), looked_at(last_error), last_error))

API const char *cudaGetErrorString(cudaError_t error) {
	called();
	looked_at(error);
	return error_text(error);
}

API const char *cudaGetErrorName(cudaError_t error) {
	called();
	looked_at(error);
	return error_name(error);
}
