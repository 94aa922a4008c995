// Work that nothing orders: in streams, and between the host and the device.
#include "cases.h"

static cudaStream_t first, second;

static void begin() {
	cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
}

static void end() {
	cudaDeviceSynchronize();
	cudaStreamDestroy(first), cudaStreamDestroy(second);
}

__global__ void fill(int *x, int value) {
	x[threadIdx.x] = value;
}

__global__ void copy(int *to, const int *from) {
	to[threadIdx.x] = from[threadIdx.x];
}

CASE("no event between streams") {
	int *a = zeros(64), *b = zeros(64);
	cudaDeviceSynchronize();
	begin();
	fill<<<1, 64, 0, first>>>(a, 1);
	copy<<<1, 64, 0, second>>>(b, a); // <~ no event between streams: race: kernel fill in stream 1 and kernel copy in stream 2; cudaStreamWaitEvent
	end();
	cudaFree(a), cudaFree(b);
}

CASE("freed in another stream") {
	int *a;
	begin();
	cudaMallocAsync(&a, 64 * sizeof(int), first);
	fill<<<1, 64, 0, first>>>(a, 1);
	cudaFreeAsync(a, second); // <- freed in another stream: race: cudaFreeAsync in stream 2; .
	end();
}

CASE("allocated in another stream") {
	int *a;
	begin();
	cudaMallocAsync(&a, 64 * sizeof(int), first);
	fill<<<1, 64, 0, second>>>(a, 1); // <~ allocated in another stream: race: cudaMallocAsync in stream 1; cudaStreamWaitEvent
	cudaStreamSynchronize(second);
	cudaFreeAsync(a, second);
	end();
}

CASE("used after an asynchronous free") {
	int *a;
	begin();
	cudaMallocAsync(&a, 64 * sizeof(int), first);
	cudaFreeAsync(a, first);
	fill<<<1, 64, 0, first>>>(a, 1); // <~ used after an asynchronous free: memory: freed; .
	end();
}

CASE("freed while it is in use") {
	int *a;
	begin();
	cudaMallocAsync(&a, 64 * sizeof(int), first);
	fill<<<1, 64, 0, first>>>(a, 1);
	cudaFree(a); // <- freed while it is in use: race: cudaFree in host code; wait first
	end();
}

CASE("managed memory read too early") {
	int *m;
	cudaMallocManaged(&m, 64 * sizeof(int));
	fill<<<1, 64>>>(m, 1);
	const int seen = m[5]; // <- managed memory read too early: race: Host code reads; wait first
	cudaDeviceSynchronize();
	host[0] = seen;
	if (host[0] == 77) puts("77");
	cudaFree(m);
}

CASE("copy read too early") {
	int *pinned, *a = numbers(1024);
	begin();
	cudaMallocHost(&pinned, 1024 * sizeof(int));
	cudaMemcpyAsync(pinned, a, 1024 * sizeof(int), cudaMemcpyDeviceToHost, first);
	const int seen = pinned[1000]; // <- copy read too early: race: Host code reads; wait first
	end();
	if (seen == 77) puts("77");
	cudaFreeHost(pinned), cudaFree(a);
}

CASE("source changed too early") {
	int *pinned, *a = zeros(1024);
	begin();
	cudaMallocHost(&pinned, 1024 * sizeof(int));
	memset(pinned, 0, 1024 * sizeof(int));
	cudaMemcpyAsync(a, pinned, 1024 * sizeof(int), cudaMemcpyHostToDevice, first);
	pinned[7] = 1; // <- source changed too early: race: Host code writes; wait first
	end();
	cudaFreeHost(pinned), cudaFree(a);
}

__global__ void speak() {
	printf("spoken\n");
}

CASE("printed without waiting") {
	speak<<<1, 1>>>(); // <~ printed without waiting: note: print; wait|cudaDeviceSynchronize
	fflush(stdout);
}
