/* Programs of several processes, and such that close descriptors. What the GPU and its runtime do is that of CUDA 13.0
 * on an H200. */
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <memory>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

__global__ void add(int *a, int v) {
	a[threadIdx.x] = threadIdx.x + v;
}
__global__ void endless(volatile int *a) {
	while (!a[0]) {
	}
}

static int wrong_elements(int v) {
	int *d = NULL, h[32] = {0}, wrong = 0;
	for (int i = 0; i < 20; i++) {
		if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 32;
		add<<<1, 32>>>(d, v + i);
		cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
		for (int k = 0; k < 32; k++) wrong += h[k] != k + v + i;
		cudaFree(d);
	}
	return wrong;
}

static int tell(const char *who, int v) {
	printf("%s: %d wrong\n", who, wrong_elements(v));
	fflush(stdout);
	return 0;
}

static int waited(pid_t p) {
	int status;
	return waitpid(p, &status, 0) == p && WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* What a child of a process that has used the GPU gets. */
static int use_inherited(int *d) {
	int n = 0;
	cudaDeviceProp p;
	cudaStream_t s;
	const cudaError_t errors[] = {cudaSetDevice(0), cudaGetDevice(&n), cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0),
		cudaMalloc(&d, 4), cudaMemset(d, 0, 4), cudaDeviceSynchronize(), cudaStreamCreate(&s), cudaFree(d), cudaFree(0),
		cudaDeviceReset()};
	add<<<1, 32>>>(d, 1);
	int others = cudaGetLastError() != cudaErrorInitializationError;
	for (cudaError_t e : errors) others += e != cudaErrorInitializationError;
	printf("child: %d other errors, %s, %s\n", others, cudaGetErrorName(cudaGetDeviceCount(&n)),
		cudaGetErrorName(cudaGetDeviceProperties(&p, 0)));
	return 3;
}

static int spawn(const char *self, const char *how) {
	pid_t p;
	char *const words[] = {(char *)self, (char *)how, NULL};
	return posix_spawn(&p, self, NULL, NULL, words, environ) ? 255 : waited(p);
}

static void close_from(int first) {
	for (int fd = first; fd < 4096; fd++) close(fd);
}

static int run(const std::string &how, const char *self) {
	int *d = NULL, *m = NULL;
	if (how == "use") return tell("used", 7);
	if (how == "before") {
		pid_t p[4];
		for (int i = 0; i < 4; i++)
			if (!(p[i] = fork())) return wrong_elements(1000 * i);
		int sum = 0;
		for (pid_t child : p) sum += waited(child);
		printf("children: %d wrong\n", sum);
		return tell("parent", 5000);
	}
	if (how == "generations") {
		if (fork()) return wait(NULL), tell("grandparent", 1);
		if (fork()) return wait(NULL), tell("parent", 2);
		return tell("child", 3);
	}
	if (how == "after" || how == "after by syscall") {
		cudaMalloc(&d, 4);
		const pid_t p = how == "after" ? fork() : syscall(SYS_fork);
		if (!p) return use_inherited(d);
		printf("child ended with %d\n", waited(p));
		return tell("parent", 3);
	}
	if (how == "after queued") { /* what the parent gave its streams is not the child's to do */
		cudaStream_t s;
		cudaStreamCreate(&s);
		cudaMallocHost(&m, 128);
		add<<<1, 32, 0, s>>>(m, 1);
		if (!fork()) return 0;
		wait(NULL);
		printf("%d after the child\n", m[1]);
		cudaDeviceSynchronize();
		printf("%d in the end\n", m[1]);
		return 0;
	}
	if (how == "while a thread launches") {
		std::thread other([] { tell("thread", 9); });
		for (int i = 0; i < 8; i++)
			if (!fork()) _exit(0);
		for (int i = 0; i < 8; i++) wait(NULL);
		other.join();
		return tell("parent", 3);
	}
	if (how == "memory") {
		cudaMallocManaged(&d, 4);
		cudaMallocHost(&m, 4);
		*d = 5, *m = 6;
		if (!fork()) {
			printf("child: %d\n", *m);
			fflush(stdout);
			*m = 7;
			*d = 8;
			_exit(0);
		}
		int status;
		wait(&status);
		printf("signal %d, managed %d, pinned %d\n", WTERMSIG(status), *d, *m);
		return tell("parent", 3);
	}
	if (how == "commands") {
		tell("before", 1);
		int status = system("exit 4");
		FILE *f = popen("echo said; ls /proc/self/fd | grep -c ^9", "r");
		char line[64] = "";
		if (fgets(line, sizeof line, f)) printf("%s", line);
		if (fgets(line, sizeof line, f)) printf("%s", line);
		pclose(f);
		if (!vfork()) _exit(6);
		int other;
		wait(&other);
		printf("%d %d\n", WEXITSTATUS(status), WEXITSTATUS(other));
		return tell("after", 2);
	}
	if (how == "spawns itself") {
		const int first = spawn(self, "use");
		tell("between", 5);
		return first + spawn(self, "use");
	}
	if (how == "becomes itself") {
		tell("first", 5);
		char *const words[] = {(char *)self, (char *)"use", NULL};
		execv(self, words);
	}
	if (how == "no environment") {
		clearenv();
		if (!fork()) return tell("child", 1);
		wait(NULL);
		return tell("parent", 2);
	}
	if (how == "child is killed") {
		int ends[2];
		char byte;
		const pid_t p = pipe(ends) < 0 ? -1 : fork();
		if (!p) {
			cudaMallocManaged(&d, 4);
			*d = 0;
			if (write(ends[1], "x", 1) != 1) return 1;
			endless<<<1, 1>>>(d);
			return cudaDeviceSynchronize();
		}
		if (read(ends[0], &byte, 1) != 1) return 1;
		usleep(100000);
		kill(p, SIGKILL);
		waited(p);
		return tell("parent", 2);
	}
	if (how == "descriptor") return printf("%d\n", open("/dev/null", O_RDONLY)), tell("then", 1);
	if (how == "closes before") return close_from(3), tell("closed", 1);
	if (how == "closes after") return tell("first", 1), close_from(3), tell("closed", 1);
	if (how == "closes all after") return tell("first", 1), close_from(0), tell("closed", 1);
	if (how == "closes and opens after") {
		tell("first", 1);
		close_from(3);
		for (int i = 0; i < 1020; i++) open("/dev/null", O_RDWR);
		return tell("closed", 1);
	}
	if (how == "low descriptors") { /* those that a shell's redirections take */
		tell("first", 1);
		for (int fd = 3; fd < 64; fd++) dup2(1, fd);
		return tell("then", 1);
	}
	if (how == "few descriptors" || how == "no descriptors" || how == "many descriptors") {
		rlimit limit;
		getrlimit(RLIMIT_NOFILE, &limit);
		limit.rlim_cur = how == "few descriptors" ? 16 : how == "no descriptors" ? 3 : limit.rlim_max;
		if (how == "no descriptors") limit.rlim_max = 3;
		setrlimit(RLIMIT_NOFILE, &limit);
		return tell("limited", 1);
	}
	if (how == "daemon") { /* its results are in a file, long after the first process has ended */
		int ends[2];
		if (pipe(ends) < 0 || fork()) return 0;
		setsid();
		if (fork()) _exit(0);
		close_from(0);
		for (int fd = 0; fd < 3; fd++) open("/dev/null", O_RDWR);
		usleep(200000);
		FILE *f = fopen((std::string(self) + ".out").c_str(), "w");
		fprintf(f, "%d wrong\n", wrong_elements(4));
		fclose(f);
		return 0;
	}
	if (how == "nothing") return 0;
	if (how == "five") return 5;
	if (how == "frees what is not there") return cudaFree((void *)5) == cudaErrorInvalidValue ? 0 : 1;
	if (how == "asks for a name") return cudaGetErrorName(cudaErrorUnknown) == NULL;
	if (how == "asks for the version") return cudaRuntimeGetVersion(&*std::unique_ptr<int>(new int)) != cudaSuccess;
	if (how == "asks for the last error") return cudaGetLastError();
	return 99;
}

int main(int argc, char **argv) {
	return argc > 1 ? run(argv[1], argv[0]) : 99;
}
