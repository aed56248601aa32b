// SPDX-License-Identifier: Apache-2.0

// OpenSSL's multiplication on the same curve, to compare ours with. Here because its types are C's; the library is
// opened at run time, so that building needs none of its headers.
#ifndef CBENCHMARK_H
#define CBENCHMARK_H

// Multiplies the generator of BN254CX's G1 by a fixed scalar of full length, `count` times, with EC_POINT_mul on a
// group with order and cofactor set, which takes OpenSSL's constant-time ladder. 0, or -1 when there is no OpenSSL 3.
int mpin_openssl_multiply(unsigned count);

#endif
