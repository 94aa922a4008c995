// The matrix products for Hopper of pranjalssh/fast.cu (wgmma, tensor copies, multicast, setmaxnreg) with a main that
// runs one of them and prints a digest of the result, to be compared between a GPU and `gpulab exec`. By hand:
//
//     nvcc -DNDEBUG -O3 -std=c++17 -gencode arch=compute_90a,code=[sm_90a,compute_90a] -I FOLDER/pranjalssh+fast.cu \
//         tests/foreign/hopper.cu -lcuda -o hopper
//     ./hopper PRODUCT [ROWS [DEPTH [REPETITIONS]]]
//     gpulab --device emu:H100 exec [--check all | --model H100] ./hopper PRODUCT ROWS DEPTH
//
// Products from the sixth on need ROWS of 2048 or more. -DNDEBUG, since an assertion of products 11 and 12 does not
// compile. docs/records/foreign.md has a recorded run and the commit.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <cassert>
#include <cuda.h>
#include <cuda/barrier>
#include <cudaTypedefs.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

typedef __nv_bfloat16 bf16;
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))

static void checked(cudaError_t error, int line) {
	if (error == cudaSuccess) return;
	printf("line %d: %s\n", line, cudaGetErrorString(error));
	exit(1);
}
#define cudaCheck(error) checked(error, __LINE__)

#include "examples/matmul/matmul_1.cuh"
#include "examples/matmul/matmul_2.cuh"
#include "examples/matmul/matmul_3.cuh"
#include "examples/matmul/matmul_4.cuh"
#include "examples/matmul/matmul_5.cuh"
#include "examples/matmul/matmul_6.cuh"
#include "examples/matmul/matmul_7.cuh"
#include "examples/matmul/matmul_8.cuh"
#include "examples/matmul/matmul_9.cuh"
#include "examples/matmul/matmul_10.cuh"
#include "examples/matmul/matmul_11.cuh"
#include "examples/matmul/matmul_12.cuh"

static void run(int product, int n, int k, bf16 *a, bf16 *b, bf16 *c, int *room) {
	switch (product) {
	case 1: runKernel1(n, n, k, a, b, c); break;
	case 2: runKernel2(n, n, k, a, b, c); break;
#define CASE(i)                                                                                                        \
	case i: runKernel##i(n, n, k, a, b, c, room); break;
		CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
	default: printf("products are 1 to 12\n"); exit(1);
	}
}

static bf16 *upload(const std::vector<bf16> &from) {
	bf16 *to;
	cudaCheck(cudaMalloc(&to, from.size() * sizeof(bf16)));
	cudaCheck(cudaMemcpy(to, from.data(), from.size() * sizeof(bf16), cudaMemcpyHostToDevice));
	return to;
}

int main(int argc, char **argv) {
	const int product = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 2048,
			  k = argc > 3 ? atoi(argv[3]) : 128, times = argc > 4 ? atoi(argv[4]) : 1;
	std::default_random_engine engine(69);
	std::normal_distribution<float> normal(0, 1);
	std::vector<bf16> a((size_t)n * k), b((size_t)n * k), c((size_t)n * n);
	for (auto &x : a) x = normal(engine);
	for (auto &x : b) x = normal(engine);
	bf16 *da = upload(a), *db = upload(b), *dc = upload(c);
	int *room;
	float best = INFINITY;
	cudaCheck(cudaMalloc(&room, 1 << 20));
	for (int i = 0; i < times; i++) {
		cudaEvent_t from, to;
		float ms;
		cudaCheck(cudaEventCreate(&from));
		cudaCheck(cudaEventCreate(&to));
		cudaCheck(cudaEventRecord(from));
		run(product, n, k, da, db, dc, room);
		cudaCheck(cudaEventRecord(to));
		cudaCheck(cudaDeviceSynchronize());
		cudaCheck(cudaEventElapsedTime(&ms, from, to));
		best = fminf(best, ms);
	}
	cudaCheck(cudaMemcpy(c.data(), dc, c.size() * sizeof(bf16), cudaMemcpyDeviceToHost));
	uint64_t digest = 1469598103934665603u; // FNV-1a
	for (auto x : c) {
		uint16_t bits;
		memcpy(&bits, &x, sizeof bits);
		digest = (digest ^ bits) * 1099511628211u;
	}
	float worst = 0; // of every 61st element; the result is stored by columns
	for (size_t i = 0; i < c.size(); i += 61) {
		float sum = 0;
		for (int q = 0; q < k; q++)
			sum += __bfloat162float(a[i % n * k + q]) * __bfloat162float(b[i / n * k + q]);
		worst = fmaxf(worst, fabsf(sum - __bfloat162float(c[i])));
	}
	printf("product %d: largest error %.3f, digest %016llx\n", product, worst, (unsigned long long)digest);
	if (times > 1) fprintf(stderr, "%.4f ms\n", best);
}
