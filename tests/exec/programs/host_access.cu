// Host code that accesses memory it cannot, by the first argument. "handler": the program has a handler of its own;
// "sent": it is sent the signal; "own": the address is no device's.
#include <csignal>
#include <cstdlib>
#include <cstring>

int main(int argc, char **argv) {
	const auto is = [&](const char *what) { return argc > 1 && !strcmp(argv[1], what); };
	int *device, *managed;
	cudaMalloc(&device, 256);
	cudaMallocManaged(&managed, 256);
	managed[0] = 1;
	if (is("handler")) signal(SIGSEGV, [](int) { _Exit(9); });
	if (is("sent")) raise(SIGSEGV);
	if (is("own")) device = (int *)16;
	if (is("freed")) {
		cudaFree(managed);
		managed[0]++;
	}
	device[1]++;
	return 0;
}
