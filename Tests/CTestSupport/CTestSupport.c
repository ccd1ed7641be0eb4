#define _GNU_SOURCE
#include "CTestSupport.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

int CTestSupport_memoryFile(void) {
    return memfd_create("callcheck-test", MFD_CLOEXEC);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_ALLOCATOR 1
#endif
#endif

#if defined(HAS_OWN_ALLOCATOR) || !defined(__GLIBC__)

long CTestSupport_allocations(void) {
    return -1;
}

#else

// Symbols of the program come before those of the C library, which keeps its own under these names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local long allocations = 0;

long CTestSupport_allocations(void) {
    return allocations;
}

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations++;
    void *const result = __libc_memalign(alignment, size);
    if (result == NULL) return ENOMEM;
    *memory = result;
    return 0;
}

#endif
