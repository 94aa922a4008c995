/* driver.h: a function that is not here says its name and ends the program. */
#include "exec/driver/driver.h"
#include "exec/names.h"

/* The linker takes these where no other file has the function. */
#define X(name)                                                                                                        \
	__attribute__((weak, visibility("default"))) void no_##name(void) __asm__(#name);                                  \
	void no_##name(void) {                                                                                             \
		our_missing(#name);                                                                                            \
	}
DRIVER_NAMES(X)
