#ifndef CALLCHECK_CZLIB_SHIM_H
#define CALLCHECK_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 is a macro that passes zlib's version and the size of z_stream along; Swift cannot call macros.
static inline int CZlib_inflateInit2(z_streamp stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

#endif
