/* A kernel used an address that is memory of the program: what it is there, and which argument it came from. */
#ifndef GPULAB_EXEC_HOST_POINTER_H
#define GPULAB_EXEC_HOST_POINTER_H

#include <sys/types.h>

#include "device/backend/backend.h"

typedef struct {
	pid_t process;
	const BackendLaunch *launch;
	/* The bytes of the allocation at an address, from there on; NULL: none is there. */
	const uint8_t *(*bytes_at)(void *user, uint64_t addr, size_t *bytes);
	void *user;
} HostPointer;

/* In a message about the address, FAULT_NOWHERE becomes "host memory (a variable on the stack); it came with parameter
 * 1, member p of Vec", unless the program has nothing there. file: the kernel's source, for the names of members; it
 * need not exist. */
void host_pointer_say(const HostPointer *context, const char *file, uint64_t addr, char *message, size_t size);

#endif
