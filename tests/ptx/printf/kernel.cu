extern "C" __global__ void hello(int n)
{
	printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
	if (threadIdx.x == 1)
		printf("%s: %5d|%-5d|%05d %x %lld %llu %c %% %8.3f %e %g %p\n", "text", n, n, n, 255, -1ll << 40, 1ull << 40, 'z', 3.14159, 1.5e10, 0.25, (void *)0);
	if (threadIdx.x == 0)
		printf("%*d %.3s %hd %.*f end\n", 6, 42, "abcdef", (short)-7, 2, 2.0);
}

extern "C" __global__ void quiet(int *out) { out[threadIdx.x] = printf("%d %d", 1, 2); }
