// SPDX-License-Identifier: Apache-2.0
import Testing

/// Everything with the real programs, one test after the other: they start servers, and libpam makes failures wait.
@Suite(.serialized) struct EndToEnd {}
