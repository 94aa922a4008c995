// The labs' fastest kernels beside the libraries that do the same: the reduction of lab 5 beside CUB's
// DeviceReduce::Sum, the scan of lab 14 beside its DeviceScan::InclusiveSum, the product of lab 7 beside cuBLAS in
// FP32. Both in one run, taken in turn, results compared.
//
//     nvcc -O3 -std=c++17 -arch=native -o peers tests/bench/peers.cu -lcublas && ./peers
//
// Built by hand, because CUB comes with nvcc and is no library that could be called. Ends with 1 if a result differs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda_runtime.h>

namespace reduction {
#include "../../kernels/reduction_current.cu"
}
namespace scan {
#include "../../kernels/scan_single.cu"
}
namespace matmul {
#include "../../kernels/matmul_registers.cu"
}

#define MUST(call) must((call), #call, __LINE__)

static void must(cudaError_t status, const char *call, int line)
{
	if (status == cudaSuccess)
		return;
	fprintf(stderr, "peers.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
	exit(1);
}

static void must(cublasStatus_t status, const char *call, int line)
{
	if (status == CUBLAS_STATUS_SUCCESS)
		return;
	fprintf(stderr, "peers.cu:%d: %s: cuBLAS status %d\n", line, call, (int)status);
	exit(1);
}

template <typename T> static T *allocate(size_t count)
{
	void *memory;
	MUST(cudaMalloc(&memory, count * sizeof(T)));
	return (T *)memory;
}

static const int SAMPLES = 31;
static const size_t FLUSHED = 256 << 20; // bytes: several times any L2

// One run of `work` in ms, with the L2 full of something else.
template <typename Work> static float sample(Work work, void *flush)
{
	static cudaEvent_t from, to;
	if (!from) {
		MUST(cudaEventCreate(&from));
		MUST(cudaEventCreate(&to));
	}
	MUST(cudaMemsetAsync(flush, 0, FLUSHED));
	MUST(cudaEventRecord(from));
	work();
	MUST(cudaEventRecord(to));
	MUST(cudaEventSynchronize(to));
	float ms;
	MUST(cudaEventElapsedTime(&ms, from, to));
	return ms;
}

struct Medians {
	float ours, theirs;
};

static float median(std::vector<float> &samples)
{
	std::sort(samples.begin(), samples.end());
	return samples[samples.size() / 2];
}

// Medians of both, taken in turn after one run each that does not count.
template <typename Ours, typename Theirs> static Medians take(Ours ours, Theirs theirs)
{
	static void *flush = allocate<char>(FLUSHED);
	std::vector<float> a, b;
	ours();
	theirs();
	for (int i = 0; i < SAMPLES; i++) {
		a.push_back(sample(ours, flush));
		b.push_back(sample(theirs, flush));
	}
	MUST(cudaGetLastError());
	return {median(a), median(b)};
}

static void row(const char *what, size_t n, const char *peer, double useful, const char *unit, Medians ms)
{
	printf("%-14s %10zu  %8.4f ms %8.1f %s   %-18s %8.4f ms %8.1f %s   ours is %.3f x\n", what, n, ms.ours,
		useful / ms.ours / 1e6, unit, peer, ms.theirs, useful / ms.theirs / 1e6, unit, ms.theirs / ms.ours);
}

static unsigned next_number()
{
	static unsigned state = 1;
	return state = state * 1664525 + 1013904223;
}

// --- reduction ---------------------------------------------------------------------------------------------------

static bool compare_reductions(size_t n, int sms)
{
	std::vector<int> host(n);
	for (int &x : host)
		x = (int)next_number();
	int *v = allocate<int>(n), *sums = allocate<int>(4 * sms), *ours = allocate<int>(1), *theirs = allocate<int>(1);
	MUST(cudaMemcpy(v, host.data(), 4 * n, cudaMemcpyHostToDevice));
	size_t bytes = 0;
	MUST(cub::DeviceReduce::Sum(nullptr, bytes, v, theirs, (long long)n));
	char *room = allocate<char>(bytes);

	Medians ms = take([&] { reduction::last_block<<<4 * sms, reduction::THREADS>>>(ours, sums, v, (unsigned)n); },
		[&] { MUST(cub::DeviceReduce::Sum(room, bytes, v, theirs, (long long)n)); });
	int a, b;
	MUST(cudaMemcpy(&a, ours, 4, cudaMemcpyDeviceToHost));
	MUST(cudaMemcpy(&b, theirs, 4, cudaMemcpyDeviceToHost));
	row("reduction", n, "DeviceReduce::Sum", 4.0 * n, "GB/s", ms);
	if (a != b)
		printf("  WRONG: %d, CUB says %d\n", a, b);
	for (void *memory : {(void *)v, (void *)sums, (void *)ours, (void *)theirs, (void *)room})
		MUST(cudaFree(memory));
	return a == b;
}

// --- scan ---------------------------------------------------------------------------------------------------------

static bool compare_scans(size_t n)
{
	unsigned tiles = (unsigned)((n + scan::TILE - 1) / scan::TILE);
	std::vector<int> host(n), a(n), b(n);
	for (int &x : host)
		x = (int)next_number();
	int *v = allocate<int>(n), *ours = allocate<int>(n), *theirs = allocate<int>(n);
	scan::Word *words = allocate<scan::Word>(tiles);
	unsigned *ticket = allocate<unsigned>(1);
	MUST(cudaMemcpy(v, host.data(), 4 * n, cudaMemcpyHostToDevice));
	size_t bytes = 0;
	MUST(cub::DeviceScan::InclusiveSum(nullptr, bytes, v, theirs, (long long)n));
	char *room = allocate<char>(bytes);

	auto scan_ours = [&] {
		scan::clear_words<<<(tiles + scan::THREADS - 1) / scan::THREADS, scan::THREADS>>>(words, ticket, tiles);
		scan::single_pass_packed<<<tiles, scan::THREADS>>>(ours, words, ticket, v, (unsigned)n);
	};
	Medians ms = take(scan_ours, [&] { MUST(cub::DeviceScan::InclusiveSum(room, bytes, v, theirs, (long long)n)); });
	MUST(cudaMemcpy(a.data(), ours, 4 * n, cudaMemcpyDeviceToHost));
	MUST(cudaMemcpy(b.data(), theirs, 4 * n, cudaMemcpyDeviceToHost));
	row("scan", n, "DeviceScan", 8.0 * n, "GB/s", ms);
	bool same = a == b;
	if (!same)
		printf("  WRONG: not what CUB says\n");
	for (void *memory : {(void *)v, (void *)ours, (void *)theirs, (void *)words, (void *)ticket, (void *)room})
		MUST(cudaFree(memory));
	return same;
}

// --- product -----------------------------------------------------------------------------------------------------

// Whole numbers from -8 to 8, whose sums of products a float holds exactly: the results have to be the same.
static float *whole_numbers(size_t count)
{
	std::vector<float> host(count);
	for (float &x : host)
		x = (float)((int)(next_number() >> 16) % 17 - 8);
	float *memory = allocate<float>(count);
	MUST(cudaMemcpy(memory, host.data(), 4 * count, cudaMemcpyHostToDevice));
	return memory;
}

static bool compare_products(int n, cublasHandle_t cublas)
{
	size_t count = (size_t)n * n;
	float *A = whole_numbers(count), *B = whole_numbers(count);
	float *ours = allocate<float>(count), *theirs = allocate<float>(count);
	const float one = 1, zero = 0;
	dim3 grid(n / matmul::TILE, n / matmul::TILE);

	// By columns, as cuBLAS has its matrices, B · A is what A · B is by rows.
	Medians ms = take([&] { matmul::prefetched<<<grid, matmul::THREADS>>>(ours, A, B, n); },
		[&] { MUST(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, n, A, n, &zero, theirs, n)); });
	std::vector<float> a(count), b(count);
	MUST(cudaMemcpy(a.data(), ours, 4 * count, cudaMemcpyDeviceToHost));
	MUST(cudaMemcpy(b.data(), theirs, 4 * count, cudaMemcpyDeviceToHost));
	row("product", n, "cublasSgemm", 2.0 * n * n * n, "GFLOPS", ms);
	bool same = memcmp(a.data(), b.data(), 4 * count) == 0;
	if (!same)
		printf("  WRONG: not what cuBLAS says\n");
	for (float *memory : {A, B, ours, theirs})
		MUST(cudaFree(memory));
	return same;
}

int main()
{
	int sms;
	cublasHandle_t cublas;
	cudaDeviceProp properties;
	MUST(cudaGetDeviceProperties(&properties, 0));
	MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	MUST(cublasCreate(&cublas));
	MUST(cublasSetMathMode(cublas, CUBLAS_PEDANTIC_MATH));
	printf("%s, medians of %d, L2 flushed before each\n", properties.name, SAMPLES);
	bool same = true;
	for (int log = 20; log <= 28; log += 2)
		same &= compare_reductions((size_t)1 << log, sms);
	for (int log = 20; log <= 28; log += 2)
		same &= compare_scans((size_t)1 << log);
	for (int n : {1024, 2048, 4096, 8192})
		same &= compare_products(n, cublas);
	return same ? 0 : 1;
}
