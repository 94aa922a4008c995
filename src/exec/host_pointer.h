/* A kernel used an address that is memory of the program: what it is there, and which argument it came from. */
#pragma once

#include <sys/types.h>

#include "device/backend/backend.h"
#include "exec/held.h"

typedef struct {
	pid_t process;
	const BackendLaunch *launch;
	const HeldMap *held;
	Backend *backend;
} HostPointer;

/* In what a launch's outcome and findings say of such an address, FAULT_NOWHERE becomes "host memory (a variable on the
 * stack); it came with parameter 1, member p of Vec". The names of members are in the kernel's source, if it exists. */
void host_pointers_say(const HostPointer *context, Report *report);
