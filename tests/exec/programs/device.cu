// What the first exercise of many courses prints: the peak bandwidth by the device's properties and by its attributes; and an error by name.
#include <cstdio>

int main()
{
	int clock = 0, bus = 0;
	cudaDeviceProp prop;
	cudaGetDeviceProperties(&prop, 0);
	cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0);
	cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
	printf("%s %.1f GB/s, %s, %zu MB, %s, %s\n", prop.name, 2.0 * clock * (bus / 8) / 1e6, prop.memoryBusWidth == bus ? "alike" : "not alike",
		prop.totalGlobalMem >> 20, cudaGetErrorName((cudaError_t)718), cudaGetErrorString((cudaError_t)100));
	return 0;
}
