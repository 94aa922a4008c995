extern "C" __global__ void checked(const int *in, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n)
		assert(in[i] < 50);
}

extern "C" __global__ void trapped(int n)
{
	if (threadIdx.x == n)
		__trap();
}

extern "C" __global__ void null_pointer(int *p) { p[threadIdx.x] = 1; }

extern "C" __global__ void endless(volatile int *p)
{
	while (*p == 0) {
	}
}

extern "C" __global__ void forever() { while (1) asm volatile(""); }

extern "C" __global__ void wild_shared(int *out, int at)
{
	__shared__ int first[8], second[4];
	first[threadIdx.x & 7] = 1;
	second[threadIdx.x & 3] = 2;
	__syncthreads();
	out[threadIdx.x] = first[threadIdx.x + at] + second[0];
}

extern "C" __global__ void wrong_space(int **where, int *out)
{
	__shared__ int s;
	s = 4;
	*where = &s;
	__syncthreads();
	int *p = *where;
	if (__isShared(p))
		out[0] = *p;
	asm volatile("st.global.u32 [%0], 1;" ::"l"(p));
}

