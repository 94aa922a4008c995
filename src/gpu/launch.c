#include "gpu/launch.h"

const char *launch_status_name(LaunchStatus s) {
	switch (s) {
	case LAUNCH_OK: return "ok";
	case LAUNCH_FAULT: return "fault";
	case LAUNCH_LIMIT: return "limit";
	case LAUNCH_TIMEOUT: return "timeout";
	case LAUNCH_INTERRUPTED: return "interrupted";
	}
	return "unknown";
}

const char *fault_kind_name(FaultKind k) {
	switch (k) {
	case FAULT_NONE: return "none";
	case FAULT_OUT_OF_BOUNDS: return "out of bounds";
	case FAULT_FREED: return "use after free";
	case FAULT_MISALIGNED: return "misaligned address";
	case FAULT_WRONG_SPACE: return "wrong address space";
	case FAULT_STACK: return "stack overflow";
	case FAULT_TRAP: return "trap";
	case FAULT_ASSERT: return "assertion failed";
	case FAULT_BARRIER: return "barrier never completed";
	case FAULT_INSTRUCTION: return "instruction not executed";
	case FAULT_UNKNOWN: return "unknown fault";
	}
	return "unknown";
}
