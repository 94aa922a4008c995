/* device.h: what an operation waits for. In a file of its own, below all that say something. */
#include "device/device.h"

void (*device_waiting)(const char *text);
