// Warps, votes, clocks, fences, cache operators, a switch.
extern "C" __global__ void k(unsigned *o, long long *l, double *d) {
	int i = threadIdx.x;
	unsigned x = o[i], m = __activemask();
	int p;
	o[i] = __shfl_sync(~0u, x, 3) + __shfl_up_sync(~0u, x, 1) + __shfl_down_sync(~0u, x, 2, 8) +
		   __shfl_xor_sync(~0u, x, i & 1);
	l[i] = __shfl_sync(~0u, l[i], 1);
	d[i] = __shfl_xor_sync(~0u, d[i], 1);
	o[i + 32] = __ballot_sync(~0u, x & 1) + __all_sync(~0u, x) + __any_sync(~0u, x) + __match_any_sync(~0u, x) +
				__match_all_sync(~0u, x, &p) + p + __match_any_sync(~0u, l[i]);
#if __CUDA_ARCH__ >= 800
	o[i + 64] = __reduce_add_sync(~0u, x) + __reduce_min_sync(~0u, (int)x) + __reduce_max_sync(~0u, x) +
				__reduce_and_sync(~0u, x) + __reduce_or_sync(~0u, x) + __reduce_xor_sync(~0u, x);
#endif
	__syncwarp();
	o[i + 96] = __syncthreads_count(x) + __syncthreads_and(x) + __syncthreads_or(x) + m;
	__nanosleep(100);
	o[i + 128] = clock() + clock64() + __isGlobal(o) + __isShared(o) + __isLocal(o) + __isConstant(o);
	switch (x) {
	case 0:
		o[1] = 3;
		break;
	case 1:
		o[2] = 5;
		break;
	case 2:
		o[3] = 9;
	case 3:
		o[4] = 7;
		break;
	case 4:
		o[5] = x * 3;
		break;
	case 5:
		o[6] = x / 3;
		break;
	case 7:
		o[7] = 2;
		break;
	default:
		o[8] = 1;
	}
	if (x == 77)
		__trap();
	__builtin_assume(x < 100);
	__prof_trigger(1);
	if (x == 3)
		__brkpt();
	o[200] = __ldg(o + 300) + __ldcg(o + 301) + __ldcs(o + 302) + __ldca(o + 303) + __ldlu(o + 304) + __ldcv(o + 305);
	__stwb(o, x);
	__stcg(o, x);
	__stcs(o, x);
	__stwt(o, x);
}
