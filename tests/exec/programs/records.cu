// A program as a course has it: several kernels, an instance of a template, pointers in structures, in memory, and in variables, managed
// memory, a stream, and with an argument a kernel that fails. What each launch was given is changed or freed afterwards.
#include <cstdio>
#include <vector>

struct Node {
	int value;
	Node *next;
};
struct Matrix {
	int rows, cols;
	float *data;
};

__constant__ float weights[3];
__device__ Node *head;
__managed__ int found;

__global__ void saxpy(int n, float a, const float *x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stencil(const float *in, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1) return;
	out[i] = weights[0] * in[i - 1] + weights[1] * in[i] + weights[2] * in[i + 1];
}

template <int BLOCK> __global__ void reduce(const float *in, float *out) {
	__shared__ float part[BLOCK];
	part[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
	__syncthreads();
	for (int s = 1; s < BLOCK; s *= 2) {
		if (threadIdx.x % (2 * s) == 0) part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void build(Node *nodes, int n) {
	int i = threadIdx.x;
	nodes[i] = Node{i, i + 1 < n ? nodes + i + 1 : nullptr};
	if (i == 0) head = nodes;
}

__global__ void walk(int wanted) {
	int steps = 0;
	for (Node *at = head; at; at = at->next, steps++)
		if (at->value == wanted) found = steps;
}

__global__ void rows(float **row, float *out) {
	for (int k = 0; k < 64; k++) out[threadIdx.x] += row[threadIdx.x][k];
}

__global__ void scale(Matrix m, float by) {
	int c = threadIdx.x, r = blockIdx.x;
	if (c < m.cols) m.data[r * m.cols + c] *= by;
}

__global__ void outside(int *p) {
	p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static void vectors(int n) {
	std::vector<float> ones(n, 1);
	float *x, *y, *part;
	const float w[] = {0.25f, 0.5f, 0.25f};
	cudaMalloc(&x, n * sizeof(float));
	cudaMalloc(&y, n * sizeof(float));
	cudaMalloc(&part, n);
	cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(y, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpyToSymbol(weights, w, sizeof w);
	for (int i = 1; i <= 4; i++) saxpy<<<i, 256>>>(n, 2, x, y);
	stencil<<<n / 256, 256>>>(y, x, n);
	reduce<256><<<n / 256, 256>>>(x, part);
	reduce<64><<<1, 64>>>(part, part);
	cudaMemset(x, 0, n * sizeof(float));
	cudaFree(x);
	cudaFree(y);
	cudaFree(part);
}

static void pointers() {
	Node *nodes;
	float **row, *out;
	Matrix m{8, 100, nullptr};
	cudaStream_t stream;
	cudaMalloc(&nodes, 100 * sizeof(Node));
	build<<<1, 100>>>(nodes, 100);
	walk<<<1, 1>>>(42);
	cudaDeviceSynchronize();
	printf("found %d\n", found);
	cudaMallocManaged(&row, 32 * sizeof(float *));
	cudaMallocManaged(&out, 32 * sizeof(float));
	for (int i = 0; i < 32; i++) {
		cudaMallocManaged(&row[i], 64 * sizeof(float));
		for (int k = 0; k < 64; k++) row[i][k] = i;
		out[i] = 0;
	}
	cudaStreamCreate(&stream);
	rows<<<1, 32, 0, stream>>>(row, out);
	cudaMalloc(&m.data, m.rows * m.cols * sizeof(float));
	cudaMemset(m.data, 0, m.rows * m.cols * sizeof(float));
	scale<<<m.rows, 128>>>(m, 3);
	cudaDeviceSynchronize();
	printf("row %g\n", out[3]);
	for (int i = 0; i < 32; i++) cudaFree(row[i]);
	cudaFree(row);
}

int main(int argc, char **) {
	vectors(1 << 18);
	pointers();
	if (argc == 1) return 0;
	int *p;
	cudaMalloc(&p, 1000 * sizeof(int));
	outside<<<4, 256>>>(p);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
