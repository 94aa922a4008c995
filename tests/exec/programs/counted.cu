/* A histogram with atomics that collide, and an array in local memory. */
__global__ void hist(unsigned *bins, const unsigned *values, int n)
{
	__shared__ unsigned own[256];
	own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&own[values[i] & 255], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void local(unsigned *out, int k)
{
	unsigned a[64];
	for (int i = 0; i < 64; i++) a[i] = i * k;
	out[threadIdx.x] = a[(out[threadIdx.x] + k) & 63];
}

namespace a_library_with_a_long_name { namespace detail {
template <int N> __global__ void scaled(unsigned *out) { out[threadIdx.x] *= N; }
} }

int main()
{
	unsigned *bins, *values;
	cudaMalloc(&bins, 1024);
	cudaMalloc(&values, 4096);
	cudaMemset(bins, 0, 1024);
	cudaMemset(values, 3, 4096);
	hist<<<1, 256>>>(bins, values, 1024);
	local<<<1, 32>>>(bins, 3);
	a_library_with_a_long_name::detail::scaled<2><<<1, 32>>>(bins);
	a_library_with_a_long_name::detail::scaled<3><<<1, 32>>>(bins);
	return cudaDeviceSynchronize() != cudaSuccess;
}
