// What events and the host's clocks measure around a kernel, around host code, and around both.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <sys/time.h>
#include <thread>

__global__ void add(int *p) {
	p[threadIdx.x]++;
}

static float between(int launches, long work, int *p) {
	cudaEvent_t from, to;
	float ms;
	volatile long sum = 0;
	cudaEventCreate(&from);
	cudaEventCreate(&to);
	cudaEventRecord(from);
	for (int i = 0; i < launches; i++) add<<<1, 32>>>(p);
	for (long i = 0; i < work; i++) sum = sum + i;
	cudaEventRecord(to);
	cudaEventSynchronize(to);
	cudaEventElapsedTime(&ms, from, to);
	return ms;
}

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point from) {
	return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

static double of_day(void) {
	timeval t;
	gettimeofday(&t, nullptr);
	return t.tv_sec * 1e3 + t.tv_usec * 1e-3;
}

static double utc(void) {
	timespec t;
	timespec_get(&t, TIME_UTC);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double processor(void) {
	return clock() * 1e3 / CLOCKS_PER_SEC;
}

static bool goes_back;

// As often as it takes to see a clock go back, if it does: launches in which it stands, and host code between them.
static void watch(int *p) {
	Clock::time_point before = Clock::now();
	for (int i = 0; i < 200; i++) {
		if (i % 4 == 0) add<<<1, 32>>>(p);
		if (i % 16 == 0) cudaDeviceSynchronize();
		const Clock::time_point now = Clock::now();
		goes_back |= now < before;
		before = now;
	}
}

// The host's clocks: kernels that are waited for, kernels that are not, host code that sleeps.
static void host_clocks(int *p) {
	auto from = Clock::now();
	const double day = of_day(), before = utc(), used = processor(), seconds = time(nullptr);
	for (int i = 0; i < 1000; i++) add<<<1, 32>>>(p);
	printf("launched %.9g\n", since(from));
	cudaDeviceSynchronize();
	printf("waited %.9g\n", since(from));
	printf("day %.9g\n", of_day() - day);
	printf("utc %.9g\n", utc() - before);
	printf("used %.9g\n", processor() - used);
	printf("seconds %.9g\n", (time(nullptr) - seconds) * 1e3);
	from = Clock::now();
	std::this_thread::sleep_for(std::chrono::milliseconds(30));
	printf("slept %.9g\n", since(from));
	watch(p);
	printf("back %d\n", goes_back);
}

int main() {
	int *p;
	cudaMalloc(&p, 128);
	cudaMemset(p, 0, 128);
	between(1, 0, p);
	printf("kernel %.9g\n", between(1, 0, p));
	printf("kernels %.9g\n", between(3, 0, p));
	printf("host %.9g\n", between(0, 50000000, p));
	printf("both %.9g\n", between(1, 50000000, p));
	printf("kernel %.9g\n", between(1, 0, p));
	host_clocks(p);
}
