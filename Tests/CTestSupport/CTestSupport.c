#define _GNU_SOURCE
#include "CTestSupport.h"

#include <sys/mman.h>

int CTestSupport_memoryFile(void) {
    return memfd_create("callcheck-test", MFD_CLOEXEC);
}
