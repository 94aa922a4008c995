/* runtime.h: the clocks that the program reads, std::chrono among them, where times are predicted. They stand still
 * while the emulator computes, and a call that waits for the device moves them by what the model says. So a program
 * that takes the time around a kernel prints what it would print on that GPU, not how long the emulator took.
 *
 * A deadline that the program makes of them is later by what they are behind: the kernel compares it with its own.
 *
 * The processor time of the program, which clock() gives, does the same: waiting for a GPU takes a processor.
 *
 * The program's references to clock_gettime and the others end here (the version scripts), as do those of its other
 * libraries. The runtime itself goes by the machine's clocks: it waits for other processes. */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "exec/runtime/runtime.h"

#define SECOND 1000000000ll

/* Under the versions that programs ask for. */
#ifdef __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#define TIMESPEC_VERSION "GLIBC_2.16"
#define CONDITION_VERSION "GLIBC_2.3.2"
#define TIMER_VERSION "GLIBC_2.8"
#else
#define FIRST_VERSION "GLIBC_2.17"
#define TIMESPEC_VERSION "GLIBC_2.17"
#define CONDITION_VERSION "GLIBC_2.17"
#define TIMER_VERSION "GLIBC_2.17"
#endif
__asm__(".symver program_clock_gettime, clock_gettime@@GLIBC_2.17");
__asm__(".symver program_gettimeofday, gettimeofday@@" FIRST_VERSION);
__asm__(".symver program_seconds, time@@" FIRST_VERSION);
__asm__(".symver program_clock, clock@@" FIRST_VERSION);
__asm__(".symver program_timespec_get, timespec_get@@" TIMESPEC_VERSION);

static int (*c_library)(clockid_t, struct timespec *);

/* All in ns of CLOCK_MONOTONIC. A signal handler may read the time, so there is no lock. */
static _Atomic int64_t behind;              /* what the program's clocks are behind the machine's */
static _Atomic int64_t stopped;             /* when a call stopped them; 0: they run */
static _Atomic int64_t latest;              /* what the program was given last */
static _Atomic int64_t went, waited_before; /* when the last call let them run, and waited() of its thread then */
static _Atomic pid_t left_by;               /* that thread; 0: there was no call */
static _Atomic bool shared;    /* another one has read them since, which cannot know what that one waited */
static _Atomic unsigned turns; /* how often they were stopped and let run */
/* The same in processor time. Calls stop it, too, and each thread of the program has its part of it. */
static _Atomic int64_t used_behind, used_stopped, used_latest, used_went;

__attribute__((constructor)) static void find_c_library(void) {
	*(void **)&c_library = dlsym(RTLD_NEXT, "clock_gettime");
}

static int64_t machine(clockid_t id) {
	struct timespec t = {0};
	if (c_library) c_library(id, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* How long this thread had work and no processor; 0 where the kernel does not say. */
static int64_t waited(void) {
	char text[96];
	const int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (fd < 0) return 0;
	const ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0) return 0;
	text[n] = 0;
	char *after_run = NULL;
	strtoll(text, &after_run, 10);
	return strtoll(after_run, NULL, 10);
}

/* Time in which the program had to wait for a processor is not the program's, unless that was shown already. */
static int64_t waited_since(void) {
	if (left_by != (pid_t)syscall(SYS_gettid)) shared = true;
	return shared ? 0 : waited() - waited_before;
}

static int64_t not_before(_Atomic int64_t *last, int64_t t) {
	int64_t before = *last;
	while (t > before)
		if (atomic_compare_exchange_weak(last, &before, t)) return t;
	return before;
}

/* Never less than before: another thread's waiting is not known. A call that begins or ends in between stops what was
 * read as running, or the reverse. */
static int64_t program_now(void) {
	unsigned turn;
	int64_t t;
	do {
		turn = turns;
		const int64_t held = stopped;
		t = (held ? held : machine(CLOCK_MONOTONIC) - waited_since()) - behind;
	} while (turn != turns);
	return not_before(&latest, t);
}

static int64_t program_used(void) {
	const int64_t held = used_stopped;
	return not_before(&used_latest, (held ? held : machine(CLOCK_PROCESS_CPUTIME_ID)) - used_behind);
}

double host_clock_stop(void) {
	static const int64_t least = 20000;
	if (stopped) return 0;
	const int64_t at = machine(CLOCK_MONOTONIC), waiting = waited_since();
	const int64_t ran = left_by ? at - went - waiting : 0, counted = ran > least ? ran : 0;
	behind += waiting + ran - counted;
	used_stopped = machine(CLOCK_PROCESS_CPUTIME_ID);
	if (left_by && !counted) used_behind += used_stopped - used_went;
	stopped = at;
	turns++;
	return (double)counted * 1e-6;
}

void host_clock_go(double advance) {
	const int64_t held = stopped;
	if (!held) return;
	waited_before = waited();
	left_by = (pid_t)syscall(SYS_gettid);
	went = machine(CLOCK_MONOTONIC);
	const int64_t more = latest - (held - behind); /* was shown already, of what does not count or to another thread */
	behind += went - held - (int64_t)(advance * 1e6) - (more > 0 ? more : 0);
	used_went = machine(CLOCK_PROCESS_CPUTIME_ID);
	used_behind += used_went - used_stopped - (int64_t)(advance * 1e6);
	used_stopped = 0;
	shared = false;
	stopped = 0;
	turns++;
}

static bool in_runtime(const void *caller) {
	extern const char __ehdr_start[], etext[];
	return (const char *)caller >= __ehdr_start && (const char *)caller < etext;
}

static bool is_of_one_thread(clockid_t id) {
	return id < 0 || id == CLOCK_THREAD_CPUTIME_ID;
}

static struct timespec of_ns(int64_t t) {
	return (struct timespec){t / SECOND, t % SECOND};
}

/* Of each clock by what it is ahead of CLOCK_MONOTONIC, so that none goes back while that does not. */
static struct timespec program_time(clockid_t id) {
	if (id == CLOCK_PROCESS_CPUTIME_ID) return of_ns(program_used());
	const int64_t ahead = id == CLOCK_MONOTONIC ? 0 : machine(id) - machine(CLOCK_MONOTONIC);
	return of_ns(program_now() + ahead);
}

int program_clock_gettime(clockid_t id, struct timespec *out) {
	const int result = c_library ? c_library(id, out) : (int)syscall(SYS_clock_gettime, id, out);
	if (result || !left_by || is_of_one_thread(id) || in_runtime(__builtin_return_address(0))) return result;
	*out = program_time(id);
	return 0;
}

static struct timespec now(clockid_t id) {
	return left_by ? program_time(id) : of_ns(machine(id));
}

int program_gettimeofday(struct timeval *out, void *zone) {
	(void)zone;
	if (!out) return 0;
	const struct timespec t = now(CLOCK_REALTIME);
	*out = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
	return 0;
}

time_t program_seconds(time_t *out) {
	const time_t seconds = now(CLOCK_REALTIME).tv_sec;
	if (out) *out = seconds;
	return seconds;
}

clock_t program_clock(void) {
	const struct timespec t = now(CLOCK_PROCESS_CPUTIME_ID);
	return (clock_t)(t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (SECOND / CLOCKS_PER_SEC));
}

int program_timespec_get(struct timespec *out, int base) {
	if (base != TIME_UTC) return 0;
	*out = now(CLOCK_REALTIME);
	return base;
}

/* --- deadlines ---------------------------------------------------------------------------------------------------- */

static int64_t ns_of(struct timespec t) {
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* When the program's clock shows that time, if no call stops it until then. One that is no time, or is centuries away,
 * stays as it is. */
static struct timespec deadline(struct timespec t) {
	const bool valid = t.tv_sec >= 0 && t.tv_sec < INT32_MAX * 2ll && t.tv_nsec >= 0 && t.tv_nsec < SECOND;
	return left_by && valid ? of_ns(ns_of(t) + machine(CLOCK_MONOTONIC) - program_now()) : t;
}

static struct itimerspec timer_deadline(const struct itimerspec *t) {
	const bool disarms = !t->it_value.tv_sec && !t->it_value.tv_nsec;
	return (struct itimerspec){t->it_interval, disarms ? t->it_value : deadline(t->it_value)};
}

/* The C library's function of a name, which a program has where it calls it. */
#define NEXT(name)                                                                                                     \
	static __typeof(program_##name) *_Atomic next;                                                                     \
	if (!next) next = (__typeof(program_##name) *)dlsym(RTLD_NEXT, #name)

/* Functions whose last argument is the deadline, under the two versions that programs ask for. */
#define WAITS(name, version, params, ...)                                                                              \
	__asm__(".symver program_" #name ", " #name "@" version);                                                          \
	__asm__(".symver program_" #name ", " #name "@@GLIBC_2.34");                                                       \
	UNTIL(name, params, __VA_ARGS__)
#define UNTIL(name, params, ...)                                                                                       \
	int program_##name params {                                                                                        \
		NEXT(name);                                                                                                    \
		const struct timespec at = until ? deadline(*until) : (struct timespec){0};                                    \
		return next(__VA_ARGS__, until ? &at : NULL);                                                                  \
	}
#define WAITS_FOR(name, version, type) WAITS(name, version, (type * of, const struct timespec *until), of)
#define WAITS_BY(name, type) WAITS(name, "GLIBC_2.30", (type * of, clockid_t id, const struct timespec *until), of, id)
WAITS_FOR(sem_timedwait, FIRST_VERSION, sem_t)
WAITS_FOR(pthread_mutex_timedlock, FIRST_VERSION, pthread_mutex_t)
WAITS_FOR(pthread_rwlock_timedrdlock, FIRST_VERSION, pthread_rwlock_t)
WAITS_FOR(pthread_rwlock_timedwrlock, FIRST_VERSION, pthread_rwlock_t)
WAITS_FOR(mtx_timedlock, "GLIBC_2.28", mtx_t)
WAITS_BY(sem_clockwait, sem_t)
WAITS_BY(pthread_mutex_clocklock, pthread_mutex_t)
WAITS_BY(pthread_rwlock_clockrdlock, pthread_rwlock_t)
WAITS_BY(pthread_rwlock_clockwrlock, pthread_rwlock_t)
WAITS(cnd_timedwait, "GLIBC_2.28", (cnd_t * of, mtx_t *mutex, const struct timespec *until), of, mutex)
__asm__(".symver program_pthread_cond_timedwait, pthread_cond_timedwait@@" CONDITION_VERSION);
UNTIL(pthread_cond_timedwait, (pthread_cond_t * of, pthread_mutex_t *mutex, const struct timespec *until), of, mutex)
WAITS(pthread_cond_clockwait, "GLIBC_2.30",
	  (pthread_cond_t * of, pthread_mutex_t *mutex, clockid_t id, const struct timespec *until), of, mutex, id)

__asm__(".symver program_clock_nanosleep, clock_nanosleep@@GLIBC_2.17");
int program_clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *rest) {
	NEXT(clock_nanosleep);
	const bool until = time && flags & TIMER_ABSTIME && id != CLOCK_PROCESS_CPUTIME_ID;
	const struct timespec at = until ? deadline(*time) : (struct timespec){0};
	return next(id, flags, until ? &at : time, rest);
}

/* std::future and std::atomic wait by this one. An operation on a futex that waits by a bitset has a deadline. */
__asm__(".symver program_syscall, syscall@@" FIRST_VERSION);
long program_syscall(long number, long a, long b, long c, long d, long e, long f) {
	NEXT(syscall);
	const bool until = number == SYS_futex && d && (b & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
	const struct timespec at = until ? deadline(*(const struct timespec *)d) : (struct timespec){0};
	return next(number, a, b, c, until ? (long)&at : d, e, f);
}

__asm__(".symver program_timerfd_settime, timerfd_settime@@" TIMER_VERSION);
int program_timerfd_settime(int fd, int flags, const struct itimerspec *time, struct itimerspec *before) {
	NEXT(timerfd_settime);
	const bool until = time && flags & TFD_TIMER_ABSTIME;
	const struct itimerspec at = until ? timer_deadline(time) : (struct itimerspec){{0}, {0}};
	return next(fd, flags, until ? &at : time, before);
}
