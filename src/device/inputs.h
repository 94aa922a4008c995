/* What a list of launches is given, kept so that the list can be asked again after its buffers have changed.
 *
 * Contents are copied when they are about to change, not before: keeping them costs a launch what it writes over. Lists
 * that were given the same contents share one copy, and contents that a definition makes need none. Copies are bounded
 * (PAST_ONE_BYTES in contents/contents.h); the oldest go first. */
#pragma once

#include "device/device.h"

typedef struct Inputs Inputs;

/* Before the list runs. A list that cannot be run at all is an error, as it is to device_submit. */
bool inputs_keep(Device *device, const LaunchList *list, Inputs **out, Err *err);
/* Buffers and variables hold what they held then, until inputs_put_back. ERR_USAGE names a buffer that the launches
 * read and whose contents are gone; nothing has changed then. */
bool inputs_restore(Device *device, Inputs *inputs, Err *err);
/* They hold again what they held before inputs_restore; allowed without one. */
bool inputs_put_back(Device *device, Inputs *inputs, Err *err);
/* Puts back what is restored. device NULL: it was closed before; inputs NULL is allowed. */
void inputs_free(Device *device, Inputs *inputs);
