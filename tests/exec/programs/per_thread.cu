// For -default-stream per-thread: what the runtime's functions are called then. Each thread uses its default stream for
// copies, fills, launches, events, and a captured graph.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

static int failures;
#define CHECK(...)                                                                                                     \
	do {                                                                                                               \
		if (!(__VA_ARGS__)) failures++, printf("line %d: %s\n", __LINE__, #__VA_ARGS__);                               \
	} while (0)
#define OK(...) CHECK((__VA_ARGS__) == cudaSuccess)

__device__ int shift;

__global__ void scale(int *a, int factor) {
	a[threadIdx.x] = a[threadIdx.x] * factor + shift;
}

static void called(cudaStream_t stream, cudaError_t status, void *times) {
	++*(int *)times;
}

static void called_alone(void *times) {
	++*(int *)times;
}

static void copies() {
	int host[32], back[32], value = 3, got = 0;
	int *flat, *rows;
	size_t pitch;
	for (int i = 0; i < 32; i++) host[i] = i;
	OK(cudaMemcpyToSymbol(shift, &value, sizeof value));
	OK(cudaMemcpyFromSymbol(&got, shift, sizeof got));
	CHECK(got == 3);
	OK(cudaMalloc(&flat, sizeof host));
	OK(cudaMemset(flat, 0, sizeof host));
	OK(cudaMemcpy(flat, host, sizeof host, cudaMemcpyHostToDevice));
	OK(cudaMallocPitch(&rows, &pitch, 16, 8));
	OK(cudaMemset2D(rows, pitch, 0, 16, 8));
	OK(cudaMemcpy2D(rows, pitch, host, 16, 16, 8, cudaMemcpyHostToDevice));
	cudaMemcpy3DParms p = {};
	p.srcPtr = make_cudaPitchedPtr(rows, pitch, 4, 8);
	p.dstPtr = make_cudaPitchedPtr(back, 16, 4, 8);
	p.extent = make_cudaExtent(16, 8, 1);
	p.kind = cudaMemcpyDeviceToHost;
	OK(cudaMemcpy3D(&p));
	CHECK(memcmp(host, back, sizeof host) == 0);
	cudaArray_t array;
	const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	OK(cudaMallocArray(&array, &format, 4, 8));
	OK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, 16, 16, 8, cudaMemcpyHostToDevice));
	memset(back, 0, sizeof back);
	OK(cudaMemcpy2DFromArray(back, 16, array, 0, 0, 16, 8, cudaMemcpyDeviceToHost));
	CHECK(memcmp(host, back, sizeof host) == 0);
	OK(cudaFreeArray(array));
	OK(cudaFree(rows));
	OK(cudaFree(flat));
}

static void work(int number, unsigned long long *id) {
	int *a, *got, times = 0;
	cudaEvent_t done;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	OK(cudaStreamGetId(0, id));
	cudaStreamAttrValue window = {}, kept = {};
	window.accessPolicyWindow.num_bytes = 100 * number;
	OK(cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &window));
	OK(cudaStreamGetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &kept));
	CHECK(kept.accessPolicyWindow.num_bytes == 100 * number);
	OK(cudaMallocHost(&got, 128));
	OK(cudaMallocAsync((void **)&a, 128, 0));
	OK(cudaMemsetAsync(a, 0, 128, 0));
	scale<<<1, 32>>>(a, number);
	OK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
	cudaStreamCaptureStatus status;
	OK(cudaStreamIsCapturing(0, &status));
	CHECK(status == cudaStreamCaptureStatusActive);
	OK(cudaStreamGetCaptureInfo(0, &status, id));
	CHECK(status == cudaStreamCaptureStatusActive && *id);
	scale<<<1, 32>>>(a, number);
	OK(cudaStreamEndCapture(0, &graph));
	OK(cudaStreamGetId(0, id));
	OK(cudaGraphInstantiate(&exec, graph, 0));
	OK(cudaGraphLaunch(exec, 0));
	void *args[] = {&a, &number};
	OK(cudaLaunchCooperativeKernel((void *)scale, dim3(1), dim3(32), args, 0, 0));
	OK(cudaMemcpyAsync(got, a, 128, cudaMemcpyDeviceToHost, 0));
	OK(cudaStreamAddCallback(0, called, &times, 0));
	OK(cudaLaunchHostFunc(0, called_alone, &times));
	OK(cudaEventCreate(&done));
	OK(cudaEventRecord(done, 0));
	OK(cudaStreamWaitEvent(0, done, 0));
	OK(cudaEventSynchronize(done));
	OK(cudaStreamSynchronize(0));
	CHECK(cudaStreamQuery(0) == cudaSuccess && times == 2);
	CHECK(got[0] == 3 * number * number + 3 * number + 3 && got[31] == got[0]);
	OK(cudaEventDestroy(done));
	OK(cudaGraphExecDestroy(exec));
	OK(cudaGraphDestroy(graph));
	OK(cudaFreeAsync(a, 0));
	OK(cudaFreeHost(got));
	CHECK(cudaStreamDestroy(cudaStreamPerThread) == cudaErrorInvalidResourceHandle);
	cudaGetLastError();
}

int main() {
	unsigned long long ids[4], legacy = 0;
	std::vector<std::thread> threads;
	copies();
	for (int i = 0; i < 3; i++) threads.emplace_back(work, i + 2, &ids[i]);
	for (std::thread &t : threads) t.join();
	work(5, &ids[3]);
	OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
	for (int i = 0; i < 4; i++) {
		CHECK(ids[i] != legacy);
		for (int k = 0; k < i; k++) CHECK(ids[i] != ids[k]);
	}
	OK(cudaDeviceSynchronize());
	printf("%d failures\n", failures);
}
