/* A libcuda.so.1 of a driver that is older than any gpulab works with: it tells its version and knows nothing that is
 * asked of it. */
enum { CUDA_11_2 = 11020, NOT_FOUND = 500 };

int cuDriverGetVersion(int *version);
int cuInit(unsigned flags);
int cuGetProcAddress(const char *symbol, void **function, int version, unsigned long long flags);

int cuDriverGetVersion(int *version) {
	*version = CUDA_11_2;
	return 0;
}

int cuInit(unsigned flags) {
	return (int)flags;
}

int cuGetProcAddress(const char *symbol, void **function, int version, unsigned long long flags) {
	*function = 0;
	return NOT_FOUND;
}
