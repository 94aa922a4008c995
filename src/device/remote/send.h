/* This program for a machine that has none. What `start` runs there looked for one in vain and says so before the
 * greeting (lua/gpulab/base/sending.lua has its script):
 *
 *     there: gpulab-wanted system=Linux arch=x86_64 lacks=
 *     here:  DIGEST                        of all files
 *     there: gpulab-worker ...             they are there already: the greeting; or
 *     there: gpulab-send
 *     here:  BYTES, then that many bytes   the files, as a compressed tar archive
 *     there: gpulab-worker ...
 */
#pragma once

#include "device/types.h"
#include "wire/child.h"

#define SEND_MARK "gpulab-" /* of every line of this exchange */
#define SEND_WANTED "gpulab-wanted "

/* Answers the line SEND_WANTED; the next line is then in `line`. x: how to wait, also for place->pack. WIRE_BROKEN with
 * an error in err: this program cannot run there, or could not be packed. */
WireStatus send_program(Child *child, const Exchange *x, const DevicePlace *place, char *line, size_t size, Err *err);
