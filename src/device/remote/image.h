/* The files that this program consists of as it runs now, so that it can run elsewhere (send.h). */
#pragma once

#include <stdbool.h>

/* Calls `add` for the program, then for the dynamic loader, then for each library: also for those of glibc that only
 * drivers are linked with. False: the program or its loader could not be found. */
bool image_files(void (*add)(void *user, const char *path), void *user);
