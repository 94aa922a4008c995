/* bus.h */
#include "model/traffic/bus.h"

enum { REQUEST_BYTES = 128, HEADER_BYTES = 24 }; /* of a packet: framing, sequence, header, checksum */
static const double ROUND_TRIP_MS = 0.0012;      /* 1.0 to 1.6 µs on a V100: Min et al., EMOGI, VLDB 2021 */

/* Segments of one 128-byte line that touch go in one request. */
static void count(const Segment *segments, uint32_t n, uint64_t *requests, uint64_t *bytes) {
	for (uint32_t i = 0; i < n; i++) {
		const Segment *s = &segments[i], *before = i ? s - 1 : NULL;
		const bool joins = before && before->base + before->bytes == s->base &&
						   before->base / REQUEST_BYTES == s->base / REQUEST_BYTES;
		*requests += !joins;
		*bytes += s->bytes;
	}
}

void bus_count(BusTraffic *bus, AccessKind kind, const Segment *segments, uint32_t n) {
	if (kind != ACCESS_STORE) count(segments, n, &bus->reads, &bus->read_bytes);
	if (kind != ACCESS_LOAD) count(segments, n, &bus->writes, &bus->written_bytes);
}

void bus_add(BusTraffic *bus, const BusTraffic *other) {
	bus->reads += other->reads;
	bus->read_bytes += other->read_bytes;
	bus->writes += other->writes;
	bus->written_bytes += other->written_bytes;
}

/* attained holds for full requests, headers not counted. */
static double carry_ms(uint64_t requests, uint64_t bytes, double attained_gbps) {
	const double share = (double)REQUEST_BYTES / (REQUEST_BYTES + HEADER_BYTES);
	return ((double)bytes + (double)requests * HEADER_BYTES) * share / (attained_gbps * 1e6);
}

double bus_time(const BusTraffic *bus, const Gpu *gpu, const char **bound) {
	const char *reason = "";
	double longest = 0;
	if (bus->reads) {
		const double carry = carry_ms(bus->reads, bus->read_bytes, gpu->mapped_read_gbps),
					 ask = (double)bus->reads / (gpu->mapped_read_mhz * 1e3);
		longest = ROUND_TRIP_MS + (carry > ask ? carry : ask);
		reason = carry > ask ? "the link, reading host memory" : "requests for host memory";
	}
	if (bus->writes) {
		/* read requests use the same direction as written data */
		const double carry = carry_ms(bus->writes + bus->reads, bus->written_bytes, gpu->mapped_write_gbps);
		if (carry > longest) reason = "the link, writing host memory";
		longest = carry > longest ? carry : longest;
	}
	if (bound) *bound = reason;
	return longest;
}
