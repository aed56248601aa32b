// SPDX-License-Identifier: Apache-2.0

// mcl on its own curve of 254 bits (MCL_BN254), the fastest library known with one, to compare ours with.
#ifndef CMCL_H
#define CMCL_H

// Opens DIRECTORY/lib/libmclbn256.so, or libmclbn384_256.so. 0, or -1 when neither can be used.
int mpin_mcl_open(const char *directory);

// 0: G1 multiplication in constant time; 1: the same for G2; 2: hash to G1; 3: product of two pairings with prepared
// points; 4: final exponentiation.
void mpin_mcl_run(int operation);

#endif
