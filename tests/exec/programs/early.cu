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

__managed__ int counted;
__global__ void count(int n) { counted = n; }
__global__ void publish(int *p, int n) {
	p[1] = n;
	__threadfence_system();
	*(volatile int *)p = 1;
}
__global__ void odd(int *p) { p[2 * threadIdx.x + 1] = 7; }

int main(int argc, char **argv) {
	const char *word = argc > 1 ? argv[1] : "";
	enum { N = 1000 };
	int *m, *other, *pinned, *d, seen = 0;
	cudaStream_t stream, second;
	cudaEvent_t event;
	cudaStreamCreate(&stream);
	cudaStreamCreate(&second);
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
	if (copy && strcmp(word, "copy half")) cudaMemcpyAsync(pinned, d, N * sizeof *d, cudaMemcpyDeviceToHost, stream);
	if (!strcmp(word, "source")) {
		cudaMemcpyAsync(d, pinned, N * sizeof *d, cudaMemcpyHostToDevice, stream);
		pinned[10] = 1; // source
	}

	if (!strcmp(word, "copy other stream")) cudaStreamSynchronize(second), seen = pinned[3]; // copy other stream
	if (!strcmp(word, "mapped")) {
		set<<<4, 256>>>(pinned, N, 7);
		seen = pinned[3]; // mapped
	}
	if (!strcmp(word, "variable")) {
		count<<<1, 1>>>(7);
		seen = counted; // variable
	}
	if (!strcmp(word, "odd")) {
		odd<<<1, 32>>>(m);
		for (int i = 0; i < 4; i++) seen += m[i]; // odd
	}
	if (!strcmp(word, "alone")) {
		cudaSetDevice(0);
		set<<<4, 256>>>(d, N, 7);
		other[5] = 0; // alone
	}

	if (!strcmp(word, "copy half")) {
		cudaMemcpyAsync(other, pinned, 1000, cudaMemcpyHostToDevice, stream);
		cudaMemcpyAsync(pinned + 500, d, 2000, cudaMemcpyDeviceToHost, stream);
		pinned[499] = 5, other[250] = pinned[0];
	}
	if (!strcmp(word, "half")) {
		set<<<4, 256>>>(m, N / 2, 7);
		for (int i = N / 2; i < N; i++) m[i] = 5;
		cudaDeviceSynchronize();
		seen = m[0] + m[N / 2];
	}
	if (!strcmp(word, "odd right")) {
		odd<<<1, 32>>>(m);
		for (int i = 0; i < 64; i += 2) m[i] = 5;
		cudaDeviceSynchronize();
		seen = m[62] + m[63];
	}
	if (!strcmp(word, "poll")) {
		publish<<<1, 1>>>(pinned, 7);
		publish<<<1, 1>>>(m, 5);
		while (!*(volatile int *)pinned || !*(volatile int *)m) {
		}
		seen = pinned[1] + m[1];
	}
	if (!strcmp(word, "managed host")) { // only with the kernels of a stream
		int *own;
		cudaDeviceSynchronize();
		cudaMallocManaged(&own, N * sizeof *own, cudaMemAttachHost);
		set<<<4, 256>>>(d, N, 7);
		own[5] = seen = 0;
		cudaDeviceSynchronize();
		cudaStreamAttachMemAsync(second, m, 0, cudaMemAttachSingle);
		set<<<4, 256, 0, stream>>>(d, N, 7);
		seen = m[5];
		cudaDeviceSynchronize();
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
