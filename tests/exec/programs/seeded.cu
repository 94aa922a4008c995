// Random numbers that begin from the time, from a number, or from std::random_device; and the time of day otherwise.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <random>
#include <sys/time.h>

enum { N = 128 };
static int host[N], *in, *out;

__global__ void found(int *out, const int *in) {
	int n = 0;
	while (n < N - 1 && in[n] % 7 != 3) n++;
	out[threadIdx.x] = n;
}
__global__ void copied(int *out, const int *in) {
	out[threadIdx.x] = in[threadIdx.x];
}

static void launch() {
	for (int &x : host) x = rand();
	cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
	found<<<1, N>>>(out, in);
	copied<<<1, N>>>(out, in);
	cudaDeviceSynchronize();
}

int main(int argc, char **argv) {
	const char *how = argc > 1 ? argv[1] : "";
	const auto is = [&](const char *word) { return strstr(how, word) != nullptr; };
	cudaMalloc(&in, sizeof host);
	cudaMalloc(&out, sizeof host);
	if (is("fixed")) srand(1);
	if (is("clocks")) {
		timeval tv;
		timespec ts;
		gettimeofday(&tv, nullptr);
		clock_gettime(CLOCK_REALTIME, &ts);
		clock();
		std::chrono::system_clock::now();
	}
	if (is("own")) {
		unsigned seed = 0;
		for (unsigned i = 0; i < N; i++) seed += (unsigned)time(nullptr) * i;
		srand(seed);
	}
	time_t now;
	if (is("srand")) srand((unsigned)time(&now));
	if (is("draw")) {
		std::random_device device;
		srand(device());
	}
	if (is("watch")) {
		const time_t began = time(nullptr);
		launch();
		printf("%d s\n", time(nullptr) - began > 1000);
	} else if (!is("late"))
		launch();
	if (is("late")) {
		copied<<<1, N>>>(out, in);
		srand((unsigned)time(nullptr));
		launch();
	}
	if (is("dies")) abort();
}
