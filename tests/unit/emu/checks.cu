// Kernels of test_check.c.
extern "C" __global__ void swap_sides(int *out)
{
	__shared__ int side[64];
	side[threadIdx.x] = threadIdx.x;
	out[threadIdx.x] = side[63 - threadIdx.x]; // line 6
}

extern "C" __global__ void in_step(int *out)
{
	__shared__ int s[32];
	s[threadIdx.x] = threadIdx.x;
	out[threadIdx.x] = s[31 - threadIdx.x]; // line 13
}

extern "C" __global__ void overrun(int *out, int n)
{
	__shared__ int first[8], second[8];
	second[threadIdx.x] = first[threadIdx.x] = 0;
	__syncthreads();
	if (threadIdx.x == 3)
		first[n] = 7; // line 22
	__syncthreads();
	out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}

extern "C" __global__ void fresh(int *out, const int *in)
{
	out[threadIdx.x] = in[threadIdx.x]; // line 29
}

extern "C" __global__ void leave_early(int *out, int n)
{
	if (threadIdx.x >= n)
		return;
	__syncthreads(); // line 36
	out[threadIdx.x] = 1;
}

extern "C" __global__ void one_cell(int *out)
{
	*out = blockIdx.x; // line 42
}
