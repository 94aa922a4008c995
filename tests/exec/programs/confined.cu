/* What host code may do that is judged: each of these, before main and after, is tried and told. */
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

static long reason(long result) { return result < 0 ? errno : 0; }

static const char *const target = getenv("CONFINED_TARGET");
static const long early = reason(open(target, O_CREAT | O_WRONLY, 0600));

static void tell(const char *what, long why) { printf("%s: %s\n", what, why ? strerror(why) : "allowed"); }

int main()
{
	tell("a file before main", early);
	tell("a file", reason(open(target, O_CREAT | O_WRONLY, 0600)));
	tell("a file of the user's", reason(open("/etc/passwd", O_RDONLY)));
	tell("a socket", reason(socket(AF_INET, SOCK_STREAM, 0)));
	tell("another process", reason(kill(getppid(), 0)));
	tell("a program", reason(execl("/bin/true", "true", (char *)0)));
	tell("a process", reason(fork()));
	int *x, *host, *managed;
	cudaMalloc(&x, 32 * sizeof *x);
	tell("managed memory", cudaMallocManaged(&managed, 4) == cudaErrorNotSupported ? EPERM : 0);
	printf("pinned memory: %s\n", cudaGetErrorString(cudaMallocHost(&host, 32 * sizeof *host)));
	host[0] = 21;
	cudaMemset(x, 0, 32 * sizeof *x);
	cudaMemcpy(x, host, sizeof *host, cudaMemcpyHostToDevice);
	char line[512];
	for (FILE *maps = fopen("/proc/self/maps", "r"); maps && fgets(line, sizeof line, maps);)
		if (strstr(line, "memfd:gpulab (")) printf("the device's memory is mapped: %s", line);
	twice<<<1, 32>>>(x);
	cudaMemcpy(host, x, 32 * sizeof *host, cudaMemcpyDeviceToHost);
	printf("computed: %d\n", host[0]);
	cudaFreeHost(host);
	cudaFree(x);
}
