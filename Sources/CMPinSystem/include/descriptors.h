// The descriptors that every program takes for its input, its output and its complaints.
#ifndef CMPINSYSTEM_DESCRIPTORS_H
#define CMPINSYSTEM_DESCRIPTORS_H

// The first thing a program does: where 0, 1 or 2 is closed, it is opened so that reading from it, or writing to it, fails.
// The next file that is opened would have that number otherwise, and what is meant for standard output would go into it.
// Ends the process with 74 where that cannot be done.
void mpin_standard_descriptors(void);

#endif
