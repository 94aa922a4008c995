/* 16 bytes as one, on sm_90 alone. */
struct __align__(16) Pair {
	unsigned long long low, high;
};
__global__ void by_function(Pair *p, Pair *q, Pair e)
{
	__shared__ Pair s;
	s = e;
	__syncthreads();
	q[0] = atomicCAS(p, e, q[1]);
	q[2] = atomicExch(p, q[1]);
	q[3] = atomicCAS(&s, e, q[1]);
	q[4] = atomicExch_block(&s, e);
	q[5] = atomicCAS_system(p, e, q[1]);
}
__global__ void by_builtin(__int128 *p, __int128 *q, __int128 e)
{
	__int128 r;
	__nv_atomic_store(p, q, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
	__nv_atomic_load(q, &r, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
	q[1] = r;
	__nv_atomic_exchange(p, q, &r, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
	q[2] = r;
	q[3] = __nv_atomic_compare_exchange(p, &e, &r, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED,
										__NV_THREAD_SCOPE_BLOCK);
	q[4] = e * q[3] / 7;
}
