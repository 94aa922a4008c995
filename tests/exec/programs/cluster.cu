// A cluster's size given at the launch: each block adds what the other blocks of its cluster have.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void sums(int *out) {
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

int main() {
	int *data, out[12];
	cudaMalloc(&data, sizeof out);
	for (unsigned cluster : {4, 1, 3}) {
		printf("%s:", launch(sums, data, 12, cluster));
		cudaMemcpy(out, data, sizeof out, cudaMemcpyDeviceToHost);
		for (int x : out) printf(" %d", x);
		printf("\n");
	}
	printf("%s\n", launch(two, data, 12, 2));
	printf("%s %s %s\n", launch(two, data, 12, 4), launch(sums, data, 12, 5), launch(sums, data, 90, 9));
}
