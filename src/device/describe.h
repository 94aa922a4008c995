/* The outcome of a launch as text. */
#ifndef GPULAB_DEVICE_DESCRIBE_H
#define GPULAB_DEVICE_DESCRIBE_H

#include "base/str.h"
#include "gpu/launch.h"

/* The full report of a launch that did not end well, in lines of at most 80 columns: what happened, to which element of
 * which buffer, by which thread of which kernel, at which line of the source, and whether it is a fact or the finding
 * of a replay. Nothing for a launch that went well. */
void launch_describe(const LaunchOutcome *outcome, Str *out);

/* As an error: kind (a limit is a fault: exit code 2), the report's first sentence, and file:line. Returns false. */
bool launch_error(const LaunchOutcome *outcome, Err *err);

#endif
