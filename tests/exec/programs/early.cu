// Host code that uses memory while a kernel or a copy may still work on it: a case for each word. Nothing is wrong in those of the second half.
#include <cstdio>
#include <cstring>

struct Box {
	int *values;
};

__global__ void set(int *p, int n, int v) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) p[i] = v;
}
static int sum;
static void add_up(void *p) { sum = static_cast<int *>(p)[0] + static_cast<int *>(p)[1]; }
__global__ void set_in(Box b, int v) { b.values[threadIdx.x] = v; }
__global__ void read(const int *p, int *out) { *out = p[0] + p[1]; }

int main(int argc, char **argv) {
	const char *word = argc > 1 ? argv[1] : "";
	enum { N = 1000 };
	int *m, *other, *pinned, *d, seen = 0;
	cudaStream_t stream;
	cudaEvent_t event;
	cudaStreamCreate(&stream);
	cudaEventCreate(&event);
	cudaMallocManaged(&m, N * sizeof *m);
	cudaMallocManaged(&other, N * sizeof *other);
	cudaMallocHost(&pinned, N * sizeof *pinned);
	cudaMalloc(&d, N * sizeof *d);
	cudaMemset(d, 0, N * sizeof *d);
	memset(m, 0, N * sizeof *m);
	memset(other, 0, N * sizeof *other);
	memset(pinned, 0, N * sizeof *pinned);
	const bool managed = !strncmp(word, "managed", 7), copy = !strncmp(word, "copy", 4);
	if (managed) set<<<4, 256>>>(m, N, 7);
	if (!strcmp(word, "struct")) {
		set_in<<<1, 64>>>(Box{m}, 7);
		seen = m[3]; // struct
	}
	if (!strcmp(word, "input")) {
		read<<<1, 1>>>(m, d);
		m[1] = 5; // input
	}
	if (copy) cudaMemcpyAsync(pinned, d, N * sizeof *d, cudaMemcpyDeviceToHost, stream);
	if (!strcmp(word, "source")) {
		cudaMemcpyAsync(d, pinned, N * sizeof *d, cudaMemcpyHostToDevice, stream);
		pinned[10] = 1; // source
	}

	if (!strcmp(word, "managed device")) cudaDeviceSynchronize(), seen = m[3];
	if (!strcmp(word, "managed event")) cudaEventRecord(event), cudaEventSynchronize(event), seen = m[3];
	if (!strcmp(word, "managed other")) other[3] = 1, seen = other[4];
	if (!strcmp(word, "copy stream")) cudaStreamSynchronize(stream), seen = pinned[3];
	if (!strcmp(word, "copy query")) {
		while (cudaStreamQuery(stream) == cudaErrorNotReady) {
		}
		seen = pinned[3];
	}
	if (!strcmp(word, "managed function")) {
		cudaLaunchHostFunc(0, add_up, m);
		cudaDeviceSynchronize();
		seen = sum / 2;
	}
	if (!strcmp(word, "copy function")) {
		cudaLaunchHostFunc(stream, add_up, pinned);
		cudaStreamSynchronize(stream);
		seen = sum;
	}
	if (!strcmp(word, "reads")) {
		read<<<1, 1>>>(m, d);
		seen = m[1];
		cudaMemcpyAsync(d, pinned, N * sizeof *d, cudaMemcpyHostToDevice, stream);
		seen += pinned[5];
	}
	if (!strcmp(word, "managed")) seen = m[3]; // managed
	if (!strcmp(word, "copy")) seen = pinned[3]; // copy
	printf("%d, %s\n", seen, cudaGetErrorString(cudaDeviceSynchronize()));
}
