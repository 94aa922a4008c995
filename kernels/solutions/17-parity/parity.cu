// Tile k is copied in phase k / STAGES of its mbarrier, and the parity of a phase
// is its lowest bit.
//
// A block has `tiles` tiles of 256 elements, one after the other. For each place
// in a tile it sums, over its tiles, the difference from the element to the right;
// element 0 follows element 255. Needs compute capability 9.0.
typedef unsigned long long mbarrier;

constexpr int THREADS = 256, STAGES = 2, BYTES = 4 * THREADS;

__device__ unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void initialize(mbarrier *bar, int arrivals)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;"
	             :: "r"(shared_address(bar)), "r"(arrivals) : "memory");
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Starts a bulk copy of a tile. Its mbarrier counts one arrival and the bytes.
__device__ void start(int *tile, const int *from, mbarrier *bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
	             :: "r"(shared_address(bar)), "r"(BYTES) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
	             " [%0], [%1], %2, [%3];"
	             :: "r"(shared_address(tile)), "l"(from), "r"(BYTES),
	                "r"(shared_address(bar)) : "memory");
}

// Returns when the phase of this parity, 0 or 1, is complete.
__device__ void wait(mbarrier *bar, int parity)
{
	unsigned done;
	do
		asm volatile("{\n\t.reg .pred p;\n\t"
		             "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n\t"
		             "selp.u32 %0, 1, 0, p;\n\t}"
		             : "=r"(done) : "r"(shared_address(bar)), "r"(parity) : "memory");
	while (!done);
}

__global__ void parity(int *out, const int *in, int tiles)
{
	__shared__ alignas(128) int tile[STAGES][THREADS];
	__shared__ mbarrier full[STAGES];
	int tid = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS;
	if (tid == 0) {
		for (int s = 0; s < STAGES; s++)
			initialize(&full[s], 1);
		for (int s = 0; s < STAGES && s < tiles; s++)
			start(tile[s], &in[s * THREADS], &full[s]);
	}
	__syncthreads();
	for (int k = 0; k < tiles; k++) {
		int now = k % STAGES;
		wait(&full[now], k / STAGES % 2);
		sum += abs(tile[now][(tid + 1) % THREADS] - tile[now][tid]);
		__syncthreads();
		if (tid == 0 && k + STAGES < tiles)
			start(tile[now], &in[(k + STAGES) * THREADS], &full[now]);
	}
	out[blockIdx.x * THREADS + tid] = sum;
}
