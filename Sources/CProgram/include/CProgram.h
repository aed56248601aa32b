// SPDX-License-Identifier: Apache-2.0

// A C target needs a header; no file includes this one.
