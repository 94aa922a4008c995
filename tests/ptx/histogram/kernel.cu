extern "C" __global__ void histogram(int *bins, const unsigned char *data, int n)
{
	__shared__ int local[256];
	local[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&local[data[i]], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
	int t = threadIdx.x + blockIdx.x * blockDim.x;
	atomicAdd(&i[0], t);
	atomicSub(&i[1], t);
	atomicMin(&i[2], -t);
	atomicMax(&i[3], t);
	atomicInc(&u[0], 9);
	atomicDec(&u[1], 9);
	atomicAnd(&u[2], ~(1u << (t & 31)));
	atomicOr(&u[3], 1u << (t & 15));
	atomicXor(&u[4], 1u << (t & 3));
	atomicAdd(&l[0], 1ull << 33);
	atomicMax(&l[1], (unsigned long long)t << 40);
	atomicAdd(f, 0.5f);
	atomicAdd(d, 0.25);
	int old = i[4];
	for (;;) { /* a multiplication no hardware has */
		int seen = atomicCAS(&i[4], old, old + 2);
		if (seen == old)
			break;
		old = seen;
	}
	if (t == 5)
		u[5] = atomicExch(&u[6], 77);
}
