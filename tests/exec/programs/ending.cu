// How a program ends whose kernel prints: a word for each way to wait, and "at once".
#include <cstdio>
#include <cstring>

__global__ void hello() { printf("hello\n"); }
__global__ void silent() {}

int main(int argc, char **argv) {
	const char *word = argc > 1 ? argv[1] : "at once";
	cudaStream_t stream;
	cudaEvent_t event;
	int *p, h = 0;
	cudaMalloc(&p, 4);
	cudaMemset(p, 0, 4);
	cudaStreamCreate(&stream);
	cudaEventCreate(&event);
	hello<<<1, 1, 0, stream>>>();
	cudaGetLastError();
	if (!strcmp(word, "device")) cudaDeviceSynchronize();
	if (!strcmp(word, "stream")) cudaStreamSynchronize(stream);
	if (!strcmp(word, "event")) cudaEventRecord(event, stream), cudaEventSynchronize(event);
	if (!strcmp(word, "copy")) cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
	if (!strcmp(word, "launch")) silent<<<1, 1>>>();
	if (!strcmp(word, "free")) cudaFree(p);
	if (!strcmp(word, "reset")) cudaDeviceReset();
	if (!strcmp(word, "record")) cudaEventRecord(event, stream);
	return h;
}
