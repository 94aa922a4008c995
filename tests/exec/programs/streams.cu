// One stream produces what another consumes. The argument says what orders them: "event", "host" (the program waits in
// between), "usual" (the consumer is in the default stream, which waits for the producer's), "callback" (no stream
// consumes: a host function does), else nothing.
#include <cstdio>
#include <cstring>

__global__ void produce(int *a) {
	a[threadIdx.x] = threadIdx.x + 1;
}

__global__ void consume(const int *a, int *b) {
	b[threadIdx.x] = a[threadIdx.x] * 2;
}

static void sum_up(void *results) {
	int *h = (int *)results;
	for (int i = 1; i < 32; i++) h[0] += h[i];
}

int main(int argc, char **argv) {
	const char *order = argc > 1 ? argv[1] : "";
	const auto is = [&](const char *what) { return !strcmp(order, what); };
	int *a, *b, *h;
	cudaStream_t first, second;
	cudaEvent_t produced;
	cudaMalloc(&a, 128);
	cudaMalloc(&b, 128);
	cudaMallocHost(&h, 128);
	cudaMemset(a, 0, 128);
	cudaStreamCreate(&first);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
	cudaEventCreate(&produced);
	produce<<<1, 32, 0, first>>>(a);
	cudaEventRecord(produced, first);
	if (is("event")) cudaStreamWaitEvent(second, produced, 0);
	if (is("host"))
		while (cudaEventQuery(produced) == cudaErrorNotReady) {
		}
	if (is("usual")) second = cudaStreamLegacy;
	if (is("callback")) second = first;
	consume<<<1, 32, 0, second>>>(a, b);
	cudaMemcpyAsync(h, b, 128, cudaMemcpyDeviceToHost, second);
	cudaLaunchHostFunc(second, sum_up, h);
	cudaStreamSynchronize(second);
	printf("%d %s\n", h[0], cudaGetErrorString(cudaDeviceSynchronize()));
}
