/* race.h: loops over the cells of an access without branches, compiled for several instruction sets. */
#include "emu/check/lanes.h"
#include "emu/check/race.h"

MANY_ISAS bool race_all_in_order(const Cell *cells, const Cell *mine, unsigned n, uint64_t own, uint64_t floor) {
	uint64_t fine = yes(true);
	for (unsigned i = 0; i < n; i++) fine &= cell_in_order(cells[i], mine[i], own, floor);
	return fine;
}

MANY_ISAS bool race_read_all(const Cell *mine, Cell *read, Cell *other, unsigned n, uint64_t own, uint64_t floor,
							 bool *ask) {
	uint64_t asked = 0, moved = 0;
	for (unsigned i = 0; i < n; i++) {
		Cell r = read[i], o = other[i];
		asked |= cell_read(mine[i], &r, &o, own, floor);
		moved |= o ^ other[i];
		read[i] = r;
		other[i] = o;
	}
	*ask = asked;
	return moved;
}
