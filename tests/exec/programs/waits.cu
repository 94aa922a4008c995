// Waits until a time of the program's clocks, which are behind the machine's; and clocks that other threads read.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <future>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <shared_mutex>
#include <sys/timerfd.h>
#include <thread>
#include <threads.h>
#include <unistd.h>

__global__ void add(int *p) {
	for (int i = 0; i < 200; i++) p[blockIdx.x * blockDim.x + threadIdx.x]++;
}

static timespec after(clockid_t id, long ms) {
	timespec t;
	clock_gettime(id, &t);
	t.tv_nsec += ms * 1000000;
	return {t.tv_sec + t.tv_nsec / 1000000000, t.tv_nsec % 1000000000};
}

static bool is_before(clockid_t id, timespec until) {
	const timespec now = after(id, 0);
	return now.tv_sec != until.tv_sec ? now.tv_sec < until.tv_sec : now.tv_nsec < until.tv_nsec;
}

// The wait ends when it is to, or a little earlier where the machine's clocks are not that exact.
template <typename Wait> static void ends(const char *what, clockid_t id, int expected, Wait wait) {
	const timespec until = after(id, 5);
	int result = expected, early = -1;
	do
		result = wait(&until);
	while (++early < 20 && result == expected && is_before(id, until));
	if (early == 20 || result != expected) printf("%s: %d, early %d times\n", what, result, early);
}

static int failed(int result) {
	return result ? errno : 0;
}

static void waits() {
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	pthread_rwlock_t rows = PTHREAD_RWLOCK_INITIALIZER;
	sem_t sem;
	mtx_t c11;
	cnd_t c11_condition;
	std::promise<int> promise;
	sem_init(&sem, 0, 0);
	mtx_init(&c11, mtx_timed);
	cnd_init(&c11_condition);
	pthread_rwlock_wrlock(&rows);
	pthread_mutex_lock(&mutex);
	mtx_lock(&c11);
	const clockid_t real = CLOCK_REALTIME, steady = CLOCK_MONOTONIC;
	ends("cond_timedwait", real, ETIMEDOUT, [&](const timespec *t) { return pthread_cond_timedwait(&condition, &mutex, t); });
	ends("cond_clockwait", steady, ETIMEDOUT, [&](const timespec *t) { return pthread_cond_clockwait(&condition, &mutex, steady, t); });
	ends("cnd_timedwait", real, thrd_timedout, [&](const timespec *t) { return cnd_timedwait(&c11_condition, &c11, t); });
	ends("sem_timedwait", real, ETIMEDOUT, [&](const timespec *t) { return failed(sem_timedwait(&sem, t)); });
	ends("sem_clockwait", steady, ETIMEDOUT, [&](const timespec *t) { return failed(sem_clockwait(&sem, steady, t)); });
	std::future<int> never = promise.get_future();
	ends("future", steady, 1, [&](const timespec *t) {
		const auto since = std::chrono::seconds(t->tv_sec) + std::chrono::nanoseconds(t->tv_nsec);
		return (int)(never.wait_until(std::chrono::steady_clock::time_point(since)) == std::future_status::timeout);
	});
	std::thread([&] {
		ends("mutex_timedlock", real, ETIMEDOUT, [&](const timespec *t) { return pthread_mutex_timedlock(&mutex, t); });
		ends("mutex_clocklock", steady, ETIMEDOUT, [&](const timespec *t) { return pthread_mutex_clocklock(&mutex, steady, t); });
		ends("mtx_timedlock", real, thrd_timedout, [&](const timespec *t) { return mtx_timedlock(&c11, t); });
		ends("timedrdlock", real, ETIMEDOUT, [&](const timespec *t) { return pthread_rwlock_timedrdlock(&rows, t); });
		ends("timedwrlock", real, ETIMEDOUT, [&](const timespec *t) { return pthread_rwlock_timedwrlock(&rows, t); });
		ends("clockrdlock", steady, ETIMEDOUT, [&](const timespec *t) { return pthread_rwlock_clockrdlock(&rows, steady, t); });
		ends("clockwrlock", steady, ETIMEDOUT, [&](const timespec *t) { return pthread_rwlock_clockwrlock(&rows, steady, t); });
	}).join();
	ends("clock_nanosleep", steady, 0, [&](const timespec *t) { return clock_nanosleep(steady, TIMER_ABSTIME, t, nullptr); });
	const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	ends("timerfd_settime", steady, 8, [&](const timespec *t) {
		const itimerspec once = {{0, 0}, *t};
		unsigned long long expired;
		return timerfd_settime(timer, TFD_TIMER_ABSTIME, &once, nullptr) ? errno : (int)read(timer, &expired, sizeof expired);
	});
	const timespec none = {0, 1000000000}, past = {0, 0};
	const itimerspec off = {{0, 0}, {0, 0}};
	if (pthread_cond_timedwait(&condition, &mutex, &none) != EINVAL) puts("no time: cond_timedwait");
	if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &none, nullptr) != EINVAL) puts("no time: clock_nanosleep");
	if (failed(sem_timedwait(&sem, &past)) != ETIMEDOUT) puts("past: sem_timedwait");
	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &off, nullptr)) puts("off: timerfd_settime");
	if (failed(timerfd_settime(timer, TFD_TIMER_ABSTIME, (const itimerspec *)nullptr, nullptr)) != EFAULT) puts("null: timerfd_settime");
	sem_post(&sem);
	const timespec later = {1ll << 62, 0};
	if (sem_timedwait(&sem, &later)) puts("centuries: sem_timedwait");
}

using Clock = std::chrono::steady_clock;

// On one processor, which another thread takes while it reads the clock.
static void stands_still(int *p) {
	cpu_set_t all, one;
	std::atomic<bool> stop{false};
	int stood = 0;
	sched_getaffinity(0, sizeof all, &all);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	std::thread reader([&] {
		while (!stop) Clock::now();
	});
	for (volatile long i = 0; i < 30000000; i = i + 1) {}
	stop = true;
	reader.join();
	sched_setaffinity(0, sizeof all, &all);
	for (int i = 0; i < 10; i++) {
		const auto from = Clock::now();
		add<<<1, 32>>>(p);
		cudaDeviceSynchronize();
		stood += Clock::now() == from;
	}
	if (stood) printf("stood still in %d of 10 launches\n", stood);
}

int main() {
	int *p;
	cudaMalloc(&p, 1 << 20);
	cudaMemset(p, 0, 1 << 20);
	for (int i = 0; i < 4; i++) add<<<1024, 256>>>(p);
	cudaDeviceSynchronize();
	waits();
	stands_still(p);
	puts("done");
}
