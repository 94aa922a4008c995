/* runtime.h: a program that dies because its host code used a device pointer is told so. A handler of the program's own
 * comes first: this one is installed where there is none, and one that is installed later replaces it. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "exec/runtime/runtime.h"

static pid_t process;   /* that watches; one that it forks has its handler */
static HostFault asked; /* about a fault, before it ends the program; NULL: none is */
static const char device[] = ", which is device memory\n  copy it with cudaMemcpy, or use cudaMallocManaged\n";
static const char outside[] =
	", which is outside of all managed and pinned memory\n  look for a missing allocation, an "
	"index past its end, or an earlier cudaFree\n";

static size_t append(char *to, size_t at, const char *text) {
	memcpy(to + at, text, strlen(text));
	return at + strlen(text);
}
static const char inherited[] = ", which is memory of the process that forked this one\n  a child process cannot use "
								"managed memory of its parent, nor the GPU\n";

/* Uses only what a signal handler may call. */
static void report(uint64_t addr) {
	char text[256];
	size_t n = append(text, 0, "gpulab: the program's host code accessed 0x");
	int digit = 15;
	while (digit && !(addr >> 4 * digit)) digit--;
	for (; digit >= 0; digit--) text[n++] = "0123456789abcdef"[addr >> 4 * digit & 15];
	n = append(text, n,
			   process != getpid()                          ? inherited
			   : addr < EXEC_MANAGED || addr >= EXEC_GRAPHS ? device
															: outside);
	if (write(STDERR_FILENO, text, n) < 0) return;
}

/* For the checkers, with its place: the program ends. The lock is another thread's where the runtime is at work. */
static void tell(uint64_t addr, const void *code, bool writes) {
	Number places[EXEC_MOST_PLACES];
	if (!is_connected() || is_forked() || !try_lock()) return;
	const ExecEarly use = {.by = place_of_fault(code, places), .addr = addr, .writes = writes, .what = ""};
	if (facts()->check) ask(EXEC_early, &use, NULL);
	unlock();
}

#ifdef __aarch64__
/* The system's record of the fault is among those after the registers. */
static bool was_write(const mcontext_t *c) {
	enum { WRITES = 1 << 6 };
	const unsigned char *at = c->__reserved, *end = at + sizeof c->__reserved;
	struct esr_context record = {.head = {.magic = 0}};
	for (; end - at >= (ptrdiff_t)sizeof record; at += record.head.size) {
		memcpy(&record, at, sizeof record);
		if (record.head.magic == ESR_MAGIC) return record.esr & WRITES;
		if (!record.head.magic || !record.head.size) break;
	}
	return false;
}
#endif

/* The signal's context says which instruction it was, and whether it writes. */
static const void *code_of(const void *context, bool *writes) {
	const mcontext_t *c = &((const ucontext_t *)context)->uc_mcontext;
#ifdef __x86_64__
	enum { WRITES = 2 };
	*writes = c->gregs[REG_ERR] & WRITES;
	return (const void *)c->gregs[REG_RIP]; /* NOLINT(performance-no-int-to-ptr) */
#else
	*writes = was_write(c);
	return (const void *)c->pc; /* NOLINT(performance-no-int-to-ptr) */
#endif
}

/* Pages that become other ones, which nothing may write until they are there. */
static struct {
	uint64_t first, end;
	_Atomic bool now;
	_Atomic unsigned times;
} moving;

/* A fault there is of that, and the access is repeated; once when they are there, for one that happened before. */
static bool is_moving(uint64_t addr) {
	static __thread unsigned repeated;
	if (addr < moving.first || addr >= moving.end) return false;
	if (!moving.now && repeated == moving.times) return false;
	if (!moving.now) repeated = moving.times;
	return true;
}

/* --- one instruction ---------------------------------------------------------------------------------------------- */

static void (*stepped)(void); /* after it */
static __thread bool stepping;

#ifdef __x86_64__
enum { TRAP = 0x100 }; /* of the processor's flags */

static void after_step(int signal_number, siginfo_t *info, void *context) {
	if (!stepping) { /* it is the program's, which ends by it */
		signal(signal_number, SIG_DFL);
		raise(signal_number);
		return;
	}
	stepping = false;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
	stepped();
}
#endif

/* Without the processor's help, or where the program takes the signal, the access is not followed. */
static void step(void *context) {
#ifdef __x86_64__
	struct sigaction there;
	ucontext_t *c = context;
	if (sigismember(&c->uc_sigmask, SIGTRAP) || sigaction(SIGTRAP, NULL, &there) < 0) return;
	if (!(there.sa_flags & SA_SIGINFO) || there.sa_sigaction != after_step) return;
	c->uc_mcontext.gregs[REG_EFL] |= TRAP;
	stepping = true;
#endif
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

static struct sigaction before; /* the program's */

/* The access is repeated, and ends the program as it would have. A signal that was sent is sent again. */
static void handle(int signal_number, siginfo_t *info, void *context) {
	const uint64_t addr = (uint64_t)(uintptr_t)info->si_addr;
	const bool sent = info->si_code <= 0;
	bool writes;
	const void *code = code_of(context, &writes);
	if (!sent && is_moving(addr)) return;
	const HostFaultEnd end = !sent && asked ? asked(addr, code, writes) : NOT_WATCHED;
	if (end == GOES_ON_ONCE) step(context);
	if (end != NOT_WATCHED) return;
	if (!sent && lock_is_mine()) {
		failed_at(addr);
	} else if (!sent && addr >= EXEC_DEVICE_FIRST - EXEC_HEADER && addr < EXEC_DEVICE_END) {
		report(addr);
		tell(addr, code, writes);
	}
	sigaction(signal_number, &before, NULL);
	if (sent) raise(signal_number);
}

bool host_access_watches(HostFault fault, void (*after)(void)) {
	struct sigaction there;
	asked = fault;
	stepped = after;
#ifdef __x86_64__
	const struct sigaction trap = {.sa_sigaction = after_step, .sa_flags = SA_SIGINFO};
	if (sigaction(SIGTRAP, NULL, &there) == 0 && !(there.sa_flags & SA_SIGINFO) && there.sa_handler == SIG_DFL)
		sigaction(SIGTRAP, &trap, NULL);
#endif
	return sigaction(SIGSEGV, NULL, &there) == 0 && there.sa_flags & SA_SIGINFO && there.sa_sigaction == handle;
}

static const struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};

static void watch(void) {
	struct sigaction there;
	process = getpid();
	if (sigaction(SIGSEGV, NULL, &there) == 0 && !(there.sa_flags & SA_SIGINFO) && there.sa_handler == SIG_DFL)
		sigaction(SIGSEGV, &ours, NULL);
}

__attribute__((constructor)) static void watch_when_connected(void) {
	when_connected(watch);
}

void host_access_moving(const void *first, size_t bytes) {
	struct sigaction there;
	moving.first = (uint64_t)(uintptr_t)first;
	moving.end = moving.first + bytes;
	moving.times++;
	moving.now = true;
	sigaction(SIGSEGV, &ours, &there);
	if (!(there.sa_flags & SA_SIGINFO) || there.sa_sigaction != handle) before = there;
}

void host_access_moved(void) {
	moving.now = false;
}
