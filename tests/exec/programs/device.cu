// What the first exercise of many courses prints: the peak bandwidth by the device's properties and by its attributes, the L2 cache, the clock; and an error by name.
#include <cstdio>

int main()
{
	int clock = 0, bus = 0, cache = -1, cores = 0;
	cudaDeviceProp prop;
	cudaGetDeviceProperties(&prop, 0);
	cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0);
	cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
	cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0);
	cudaDeviceGetAttribute(&cores, cudaDevAttrClockRate, 0);
	printf("%s %.1f GB/s, %s, %zu MB, %d and %d, %s, %s\n", prop.name, 2.0 * clock * (bus / 8) / 1e6, prop.memoryBusWidth == bus && prop.l2CacheSize == cache ? "alike" : "not alike",
		prop.totalGlobalMem >> 20, cache, cores / 1000, cudaGetErrorName((cudaError_t)718), cudaGetErrorString((cudaError_t)100));
	return 0;
}
