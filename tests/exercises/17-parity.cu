// === honest-variable
// The parity is a variable that changes when the index of the tile returns to 0.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	int parity = 0;
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, parity))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
		parity ^= now;
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-bits
// A word with a bit per mbarrier, which flips after each wait.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	unsigned parities = 0;
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, parities >> now & 1))
			;
		parities ^= 1u << now;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-one-waits
// One thread per warp waits, and the others wait for it.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		if (t % 32 == 0)
			while (!complete(bar + 8 * now, k >> 1 & 1))
				;
		__syncwarp();
		while (!complete(bar + 8 * now, k >> 1 & 1))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-one-barrier
// A new copy starts after the barrier of the next tile, into the tile that all have left.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k / 2 % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 32 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-loads
// The threads load the elements themselves.
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < tiles; k++) {
		tile[k % 2][t] = in[256 * k];
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-cp-async
// cp.async instead of bulk copies.
#include <cuda_pipeline.h>
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	__pipeline_memcpy_async(&tile[0][t], in, 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles)
			__pipeline_memcpy_async(&tile[(k + 1) % 2][t], in + 256 * (k + 1), 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-an-mbarrier-per-tile
// An mbarrier and a tile for each copy, so that parity 0 is right.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[24][256];
	__shared__ unsigned long long full[24];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0)
		for (int s = 0; s < tiles; s++) {
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
			asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
			start(tile[s], in + 256 * s, bar + 8 * s);
		}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		while (!complete(bar + 8 * k, 0))
			;
		sum += abs(tile[k][(t + 1) % 256] - tile[k][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-sleeps
// Waits for a while instead of for the phase.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		__nanosleep(2000);
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-no-wait
// The barrier takes the place of the wait.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		__syncthreads();
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-one-thread-waits
// Only thread 0 waits; the others read what may not have arrived.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		if (t == 0)
			while (!complete(bar + 8 * now, k / 2 % 2))
				;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-loads-too
// Bulk copies that nothing uses: each thread loads both elements.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k / 2 % 2))
			;
		sum += abs(in[256 * k + (t + 1) % 256] - in[256 * k + t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-parity-of-the-tile
// The parity of k instead of that of its phase.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-always-one
// Parity 1 for all waits.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, 1))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-other-way-round
// The parities are exchanged.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, 1 - k / 2 % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-fewer-bytes
// The phase expects fewer bytes than arrive.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1008;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k / 2 % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-more-bytes
// The phase expects more bytes than arrive.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1040;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k / 2 % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-two-arrivals
// The mbarrier waits for an arrival that never comes.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 2;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k / 2 % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		__syncthreads();
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-no-barrier
// A copy starts into a tile that other warps still use.
__device__ void start(int *tile, const int *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" :: "r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
		:: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(from), "r"(bar) : "memory");
}
__device__ bool complete(unsigned bar, int parity)
{
	unsigned done;
	asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
		: "=r"(done) : "r"(bar), "r"(parity) : "memory");
	return done;
}
__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[2][256];
	__shared__ unsigned long long full[2];
	unsigned bar = (unsigned)__cvta_generic_to_shared(full);
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	if (t == 0) {
		for (int s = 0; s < 2; s++)
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar + 8 * s) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		for (int s = 0; s < 2 && s < tiles; s++)
			start(tile[s], in + 256 * s, bar + 8 * s);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2;
		while (!complete(bar + 8 * now, k / 2 % 2))
			;
		sum += abs(tile[now][(t + 1) % 256] - tile[now][t]);
		if (t == 0 && k + 2 < tiles)
			start(tile[now], in + 256 * (k + 2), bar + 8 * now);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-new-mbarriers
// Every tile has a new mbarrier at the same place, so that parity 0 is right.
// - k / STAGES % 2
// + 0
// - if (tid == 0 && k + STAGES < tiles)
// + if (tid == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(shared_address(&full[now])) : "memory");
// - start(tile[now]
// + if (tid == 0) initialize(&full[now], 1); if (tid == 0 && k + STAGES < tiles) start(tile[now]

// === cheat-one-tile
// Copies one tile after the other to the same place.
// - STAGES = 2
// + STAGES = 1
