#ifndef CALLCHECK_CLIBFUZZER_SHIM_H
#define CALLCHECK_CLIBFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer comes without a header for this one: its own mutations, for use in a custom one.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t longest);

#endif
