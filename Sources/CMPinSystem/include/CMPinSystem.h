// SPDX-License-Identifier: Apache-2.0

// The system calls that Swift cannot make safely or at all: memory for secrets, files opened through checked
// directories, locks, clocks, shared libraries and the state of the host process. Each part has its own header.
#ifndef CMPINSYSTEM_H
#define CMPINSYSTEM_H

#include "account.h"
#include "agent.h"
#include "attempts.h"
#include "clock.h"
#include "files.h"
#include "guard.h"
#include "library.h"
#include "mutex.h"
#include "process.h"
#include "secret.h"
#include "session.h"
#include "stop.h"

#endif
