// Atomics of all kinds.
template <class T> __device__ void all(T *p, T v) {
	atomicAdd(p, v);
	atomicExch(p, v);
	atomicMin(p, v);
	atomicMax(p, v);
	atomicCAS(p, v, (T)(v + 1));
	atomicAnd(p, v);
	atomicOr(p, v);
	atomicXor(p, v);
}
extern "C" __global__ void k(int *a, unsigned *b, unsigned long long *c, float *f, double *d, long long *l,
							 unsigned short *us, float2 *f2, float4 *f4, int *o) {
	__shared__ int sa[32];
	__shared__ unsigned sb[32];
	__shared__ unsigned long long sc[32];
	__shared__ float sf[32];
	__shared__ double sd[32];
	int i = threadIdx.x;
	sa[i] = sb[i] = sc[i] = sf[i] = sd[i] = 0;
	__syncthreads();
	all(a + i, i);
	all(b + i, (unsigned)i);
	all(c + i, (unsigned long long)i);
	all(sa + i, i);
	all(sb + i, (unsigned)i);
	all(sc + i, (unsigned long long)i);
	atomicMin(l + i, (long long)i);
	atomicMax(l + i, (long long)i);
	o[i] = atomicSub(a, i) + atomicInc(b, i) + atomicDec(b, i) + atomicInc(sb, 3) + atomicDec(sb, 3) + atomicAdd(a, 3) +
		   atomicCAS(us, (unsigned short)1, (unsigned short)2);
	f[i] = atomicAdd(f + 32, 1.f) + atomicExch(f + 33, 2.f) + atomicAdd(sf, 1.f);
	d[i] = atomicAdd(d + 32, 1.) + atomicAdd(sd, 2.);
	atomicAdd(f, 1.f);
	atomicAdd(d, 1.);
	o[i + 32] = atomicAdd_block(a, 1) + atomicAdd_system(a, 1) + atomicCAS_block(a, 1, 2) + atomicOr_system(b, 2u);
#if __CUDA_ARCH__ >= 900
	atomicAdd(f2, make_float2(1, 2));
	f4[1] = atomicAdd(f4, make_float4(1, 2, 3, 4));
#endif
	o[i + 64] = sa[i] + sb[i] + sc[i] + sf[i] + sd[i];
	__threadfence();
	__threadfence_block();
	__threadfence_system();
}
