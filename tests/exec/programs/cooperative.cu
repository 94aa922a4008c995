// Groups of threads, by the headers of CUDA: of a grid, of a warp, of a cluster. In one file, since nvcc reads those headers for
// three seconds; the argument says which.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// A grid as large as the GPU holds of the kernel by the registers that ptxas gave it; the PTX alone looks like more.
__global__ void __launch_bounds__(1024, 2) sums(const int *in, int *out) {
	int values[48], sum = 0;
#pragma unroll
	for (int k = 0; k < 48; k++) values[k] = in[(threadIdx.x + 7 * k) % 1024];
	cg::this_grid().sync();
#pragma unroll
	for (int k = 47; k >= 0; k--) sum = 3 * sum + values[k];
	if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

static int grid() {
	int *in, *out, blocks, sms;
	cudaMallocManaged(&in, 1024 * sizeof *in);
	for (int i = 0; i < 1024; i++) in[i] = i;
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, 1024, 0);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMallocManaged(&out, blocks * sms * sizeof *out);
	void *arguments[] = {&in, &out};
	cudaLaunchCooperativeKernel(sums, blocks * sms, 1024, arguments, 0, 0);
	printf("%d blocks of a multiprocessor: %s\n", blocks, cudaGetErrorName(cudaDeviceSynchronize()));
	return 0;
}

// Lanes of several groups vote and reduce in one instruction, each group by itself.
__global__ void groups(int *wrong) {
	const int lane = threadIdx.x, group = lane % 3;
	auto mine = cg::labeled_partition(cg::coalesced_threads(), group);
	const unsigned members = __match_any_sync(~0u, group);
	const bool largest = cg::reduce(mine, lane, cg::greater<int>()) == (group == 2 ? 29 : 30 + group);
	const bool ballot = __ballot_sync(members, lane >= 4) == (members & ~15u);
	const bool any = __any_sync(members, group == 1) == (group == 1);
	const bool all = __all_sync(members, group != 2) == (group != 2);
	int words; // as CUB spells a ballot
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; }"
				 : "=r"(words) : "r"(lane & 1));
	if (!largest || !ballot || !any || !all || words != 0xaaaaaaaa) atomicAdd(wrong, 1);
}

static int parts_of_a_warp() {
	int *wrong;
	cudaMallocManaged(&wrong, sizeof *wrong);
	groups<<<1, 32>>>(wrong);
	cudaDeviceSynchronize();
	printf("%d wrong\n", *wrong);
	return *wrong != 0;
}

// A cluster's size given at the launch: each block adds what the other blocks of its cluster have.
__global__ void cluster_sums(int *out) {
	__shared__ int mine;
	cg::cluster_group cluster = cg::this_cluster();
	if (threadIdx.x == 0) mine = blockIdx.x + 1;
	cluster.sync();
	int sum = 0;
	for (unsigned i = 0; i < cluster.num_blocks(); i++) sum += *cluster.map_shared_rank(&mine, i);
	cluster.sync();
	if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void __cluster_dims__(2) two(int *out) { out[blockIdx.x] = cg::this_cluster().num_blocks(); }

static const char *launch(void (*kernel)(int *), int *out, unsigned blocks, unsigned cluster) {
	cudaLaunchAttribute attribute = {};
	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = cluster;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	cudaLaunchConfig_t config = {};
	config.gridDim = blocks;
	config.blockDim = 32;
	config.attrs = &attribute;
	config.numAttrs = 1;
	cudaError_t error = cudaLaunchKernelEx(&config, kernel, out);
	if (error == cudaSuccess) error = cudaDeviceSynchronize();
	cudaGetLastError();
	return cudaGetErrorName(error);
}

static int clusters() {
	int *data, out[12];
	cudaMalloc(&data, sizeof out);
	for (unsigned cluster : {4, 1, 3}) {
		printf("%s:", launch(cluster_sums, data, 12, cluster));
		cudaMemcpy(out, data, sizeof out, cudaMemcpyDeviceToHost);
		for (int x : out) printf(" %d", x);
		printf("\n");
	}
	printf("%s\n", launch(two, data, 12, 2));
	printf("%s %s %s\n", launch(two, data, 12, 4), launch(cluster_sums, data, 12, 5), launch(cluster_sums, data, 90, 9));
	return 0;
}

int main(int argc, char **argv) {
	const char *which = argc > 1 ? argv[1] : "grid";
	return strcmp(which, "warp") == 0 ? parts_of_a_warp() : strcmp(which, "cluster") == 0 ? clusters() : grid();
}
