extern "C" __global__ void reverse(int *out, const int *in)
{
	__shared__ int s[32];
	s[threadIdx.x] = in[threadIdx.x];
	out[threadIdx.x] = s[31 - threadIdx.x];
}
extern "C" __global__ void ordered(int *out, const int *in)
{
	__shared__ int s[32];
	s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = s[31 - threadIdx.x];
}
