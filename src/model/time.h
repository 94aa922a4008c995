/* The one predicted time of a launch.
 *
 * From cc 7.0 two models predict a launch: the roofline of counted quantities and the replay of some of its blocks
 * (trace.h). Neither has a constant that was fitted to the other's errors, and where one is far off the other mostly
 * is not, or is off to the other side. Predicted is their geometric mean, which has nothing to fit either. Of the 205
 * steps of the labs at their default sizes on an H200 more come within 25 % by the mean than by either model, and its
 * RMS error is the smallest (docs/records/predictions.md has the table by kind of kernel and by lab).
 *
 *   time = max(sqrt(counted_ms × replayed_ms), limits[0], limits[1], ...)
 *
 * limits are what each resource alone takes for the launch at the rate that it attains: no prediction is faster, and so
 * none exceeds a peak. Where there is no replay (cc < 7.0, a launch whose blocks could not be replayed, or one that the
 * link to the host limits, which the replay leaves out) it is counted_ms. */
#ifndef GPULAB_MODEL_TIME_H
#define GPULAB_MODEL_TIME_H

#include "model/model.h"

double predicted_time(const Prediction *prediction); /* ms */

#endif
