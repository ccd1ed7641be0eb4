#ifndef CALLCHECK_CTESTSUPPORT_H
#define CALLCHECK_CTESTSUPPORT_H

// What tests need of the system and Swift cannot reach.

// A descriptor of a new, empty file in memory; -1 when there is none.
int CTestSupport_memoryFile(void);

// How often the calling thread has asked for memory since it started: `malloc` and its kin count their calls in every
// program that links this. -1 under a sanitizer, which has its own allocator.
long CTestSupport_allocations(void);

#endif
