// What is read, or copied to the host, although nothing wrote it: a case for each word. Nothing is wrong in those of the second half.
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Mixed {
	char tag;
	double value;
};
struct Body {
	float x, y, z, mass;
	int used;
};

__global__ void twice(const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = 2 * x[i];
}
__global__ void ones(float *y, int n, int step) {
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * step;
	if (i < n) y[i] = 1;
}
__global__ void interior(float *y, int width, int height) {
	int x = threadIdx.x, row = threadIdx.y;
	if (x > 0 && x < width - 1 && row > 0 && row < height - 1) y[row * width + x] = 1;
}
__global__ void rows(float *y, size_t stride, int width) {
	if (threadIdx.x < width) y[blockIdx.x * stride + threadIdx.x] = 1;
}
__global__ void mixed(Mixed *m) {
	m[threadIdx.x].tag = 'a';
	m[threadIdx.x].value = 1;
}
__global__ void bodies(Body *b, int n) {
	if (threadIdx.x < n) b[threadIdx.x].x = b[threadIdx.x].y = b[threadIdx.x].z = b[threadIdx.x].mass = 1;
}

static bool is(const char *word, const char *given) {
	return strcmp(word, given) == 0;
}

int main(int argc, char **argv) {
	const char *word = argc > 1 ? argv[1] : "";
	enum { N = 1000 };
	static float h[N], r[4 * N];
	float *x, *y;
	size_t pitch;
	cudaMalloc(&x, sizeof h);
	cudaMalloc(&y, sizeof h);

	if (is(word, "elements")) cudaMemcpy(x, h, N, cudaMemcpyHostToDevice), twice<<<4, 256>>>(x, y, N);
	if (is(word, "fill")) cudaMemset(x, 0, N), twice<<<4, 256>>>(x, y, N);
	if (is(word, "fill larger")) cudaMalloc(&x, 2 * sizeof h), cudaMemset(x, 0, N), twice<<<4, 256>>>(x, y, N); // filled
	if (is(word, "fill pointer")) cudaMemset(x, 0, sizeof x), twice<<<4, 256>>>(x, y, N);
	if (is(word, "fill in two")) cudaMemset(x, 0, N), cudaMemset(x + N / 4, 0, N), twice<<<4, 256>>>(x, y, N);
	if (is(word, "through")) {
		cudaMemcpy(y, h, 2000, cudaMemcpyHostToDevice);
		cudaMemcpy(x, y, sizeof h, cudaMemcpyDeviceToDevice);
		twice<<<4, 256>>>(x, y, N);
	}
	if (is(word, "managed")) {
		float *m;
		cudaMallocManaged(&m, sizeof h);
		for (int i = 0; i < N / 2; i++) m[i] = -1;
		twice<<<4, 256>>>(m, y, N);
	}
	if (is(word, "mapped")) {
		float *m;
		cudaMallocHost(&m, sizeof h);
		memset(m, 0xff, sizeof h / 4);
		twice<<<4, 256>>>(m, y, N);
	}
	if (is(word, "tail")) {
		ones<<<N / 256, 256>>>(y, N, 1);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // tail
	}
	for (int i = 0; is(word, "three times") && i < 3; i++) {
		cudaMalloc(&y, sizeof h);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // three times
		cudaFree(y);
	}
	if (is(word, "one block")) {
		ones<<<1, 256>>>(y, N, 1);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // one block
	}
	if (is(word, "refused")) {
		ones<<<N / 256, 256>>>(y, N, 1);
		ones<<<1, 4096>>>(y, N, 1);
		printf("%d\n", cudaGetLastError());
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // refused
	}
	if (is(word, "only refused")) {
		ones<<<1, 4096>>>(y, N, 1);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // only refused
	}
	if (is(word, "too much shared")) {
		ones<<<4, 256, 100000>>>(y, N, 1);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // too much shared
	}
	if (is(word, "reads of refused")) ones<<<0, 256>>>(x, N, 1), twice<<<4, 256>>>(x, y, N);
	if (is(word, "short")) {
		ones<<<4, 256>>>(y, N, 1);
		cudaMemcpy(r, y, N, cudaMemcpyDeviceToHost); // short
	}
	if (is(word, "quarters")) {
		ones<<<4, 256>>>(y, N, 1);
		for (int i = 0; i < 4; i++) cudaMemcpy(r + i * N / 4, y + i * N / 4, N, cudaMemcpyDeviceToHost);
	}
	if (is(word, "a quarter")) { // of what the kernel did not count
		ones<<<4, 256>>>(y, N / 4, 1);
		cudaMemcpy(r, y, N, cudaMemcpyDeviceToHost);
	}
	if (is(word, "border")) {
		interior<<<1, dim3(40, 25)>>>(y, 40, 25);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // border
	}
	if (is(word, "every second")) {
		ones<<<4, 256>>>(y, N, 2);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // every second
	}
	if (is(word, "pitch")) {
		cudaMallocPitch(&y, &pitch, 100 * sizeof(float), 30);
		rows<<<30, 128>>>(y, 100, 100);
		cudaMemcpy2D(r, 400, y, pitch, 400, 30, cudaMemcpyDeviceToHost); // pitch
	}
	if (is(word, "other")) {
		ones<<<4, 256>>>(x, N, 1);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // other
	}
	if (is(word, "bytes")) {
		cudaMemset(y, 0, N);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost); // bytes
	}
	if (is(word, "few")) {
		Body *b;
		cudaMalloc(&b, 64 * sizeof *b);
		bodies<<<1, 64>>>(b, 40);
		cudaMemcpy(r, b, 64 * sizeof *b, cudaMemcpyDeviceToHost); // few
	}

	if (is(word, "whole")) {
		cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice), twice<<<4, 256>>>(x, y, N);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost);
	}
	if (is(word, "pieces")) {
		for (int i = 0; i < 10; i++) cudaMemcpy(x + 100 * i, h + 100 * i, 400, cudaMemcpyHostToDevice);
		twice<<<4, 256>>>(x, y, 500);
		cudaMemcpy(r, y, 2000, cudaMemcpyDeviceToHost);
	}
	if (is(word, "padded rows")) {
		cudaMallocPitch(&y, &pitch, 100 * sizeof(float), 30);
		rows<<<30, 128>>>(y, pitch / sizeof(float), 100);
		cudaMemcpy2D(r, 400, y, pitch, 400, 30, cudaMemcpyDeviceToHost);
		static char all[30 * 1024];
		cudaMemcpy(all, y, 30 * pitch, cudaMemcpyDeviceToHost);
		cudaMemcpy2D(all, pitch, y, pitch, pitch, 30, cudaMemcpyDeviceToHost);
		cudaMemcpy2D(r, 400, y, pitch, 400, 30, cudaMemcpyDeviceToHost);
	}
	if (is(word, "own padding")) {
		rows<<<25, 128>>>(y, 40, 33);
		cudaMemcpy(r, y, sizeof h, cudaMemcpyDeviceToHost);
	}
	if (is(word, "structures")) {
		Mixed *m;
		Body *b;
		cudaMalloc(&m, 64 * sizeof *m);
		cudaMalloc(&b, 64 * sizeof *b);
		mixed<<<1, 64>>>(m);
		bodies<<<1, 64>>>(b, 64);
		cudaMemcpy(r, m, 64 * sizeof *m, cudaMemcpyDeviceToHost);
		cudaMemcpy(r, b, 64 * sizeof *b, cudaMemcpyDeviceToHost);
		cudaMemcpy(r, m, sizeof *m, cudaMemcpyDeviceToHost);
	}
	if (is(word, "managed whole")) {
		float *m, *p;
		cudaMallocManaged(&m, sizeof h);
		cudaMallocHost(&p, sizeof h);
		for (int i = 0; i < N; i++) m[i] = -1;
		memset(p, 0xff, sizeof h);
		twice<<<4, 256>>>(m, y, N);
		twice<<<4, 256>>>(p, m, N);
		cudaDeviceSynchronize();
		cudaMemcpy(r, m, sizeof h, cudaMemcpyDefault);
		static float own[N];
		float *on_device;
		cudaHostRegister(own, sizeof own, cudaHostRegisterMapped);
		cudaHostGetDevicePointer(&on_device, own, 0);
		twice<<<4, 256>>>(on_device, y, N);
		cudaDeviceSynchronize();
	}
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
