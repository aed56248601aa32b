// Memory that is there, or is not, before a library is used that takes a lack of it badly: one that keeps for good what it
// could not set up at its first use, or after which Swift would find nothing left, which ends the process then.
#ifndef CMPINSYSTEM_SPARE_H
#define CMPINSYSTEM_SPARE_H

// Whether more can be mapped than a transfer or a signature takes: 0, or an errno.
int mpin_memory_try(void);

// Memory reserved while such a library works and freed after it, for what runs next. NULL when it cannot be allocated.
void *mpin_reserve_take(void);
void mpin_reserve_give(void *reserve);

#endif
