extern "C" __global__ void hello(int n)
{
	printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
	if (threadIdx.x == 1)
		printf("%s: %5d|%-5d|%05d %x %lld %llu %c %% %8.3f %e %g %p\n", "text", n, n, n, 255, -1ll << 40, 1ull << 40, 'z', 3.14159, 1.5e10, 0.25, (void *)0);
	if (threadIdx.x == 0)
		printf("%*d %.3s %hd %.*f end\n", 6, 42, "abcdef", (short)-7, 2, 2.0);
}

extern "C" __global__ void quiet(int *out) { out[threadIdx.x] = printf("%d %d", 1, 2); }

/* Cases (golden.c)

case every conversion, in block order
kernel hello
grid 2
block 2
arg i32 42
print block 0 thread 0\nblock 0 thread 1\n
print text:    42|42   |00042 ff -1099511627776 1099511627776 z %    3.142 1.500000e+10 0.25 0x0\n
print     42 abc -7 2.00 end\n
print block 1 thread 0\nblock 1 thread 1\n
print text:    42|42   |00042 ff -1099511627776 1099511627776 z %    3.142 1.500000e+10 0.25 0x0\n
print     42 abc -7 2.00 end\n

case the number of arguments comes back
kernel quiet
block 2
buffer out i32 2 0
arg out
values out 2 2
print 1 21 2
*/
