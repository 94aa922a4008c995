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

/* Cases (golden.c)

case in shared memory
kernel histogram
grid 3
block 256
buffer bins i32 256 0
buffer data u8 10000 i * 7 % 256
arg bins
arg data
arg i32 10000
# 10000 = 39 * 256 + 16: 7 i mod 256 for i < 16 once more
expect bins 39 + ((i * 183) % 256 < 16)
# 313 rounds of 32 for 10000 elements, 24 at the end
count atomics 24 + 313

case every kind
kernel atomics
grid 5
block 64
buffer i i32 5 i == 2 ? 1000 : 0
buffer u u32 7 i == 2 ? 0xffffffff : i == 6 ? 55 : 0
buffer l i64 2 0
buffer f f32 1 0
buffer d f64 1 0
arg i
arg u
arg l
arg f
arg d
values i 51040 -51040 -319 319 640
values u 0 0 0 0xffff 0 55 77
values l 320<<33 319<<40
values f 160
values d 80
*/
