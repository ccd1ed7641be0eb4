#ifndef CALLCHECK_CTESTSUPPORT_H
#define CALLCHECK_CTESTSUPPORT_H

// What tests need of the system and Swift cannot reach.

// A descriptor of a new, empty file in memory; -1 when there is none.
int CTestSupport_memoryFile(void);

#endif
