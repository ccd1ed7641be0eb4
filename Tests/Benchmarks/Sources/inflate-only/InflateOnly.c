// Inflates gzipped files of one member and does nothing else with them, not even their checksums: what reading the
// same files can cost at best.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// As much as callcheck reads and inflates at once.
static unsigned char input[64 << 10];
static unsigned char output[256 << 10];

/// The length of a member's header, which may have a name; 0 if these bytes do not begin with a whole one.
static size_t headerLength(const unsigned char *bytes, size_t count) {
    size_t length = 10;
    if (count <= length || bytes[0] != 0x1F || bytes[1] != 0x8B || (bytes[3] & ~0x08) != 0) return 0;
    if (bytes[3] & 0x08) {
        while (length < count && bytes[length] != 0) length++;
        length++;
    }
    return length < count ? length : 0;
}

static int inflateFile(const char *path, unsigned long long *total) {
    int file = open(path, O_RDONLY);
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (file < 0 || inflateInit2(&stream, -15) != Z_OK) return 0;
    int status = Z_OK;
    ssize_t count;
    for (int isFirst = 1; status != Z_STREAM_END && (count = read(file, input, sizeof input)) > 0; isFirst = 0) {
        size_t start = isFirst ? headerLength(input, (size_t)count) : 0;
        if (isFirst && start == 0) break;
        stream.next_in = input + start;
        stream.avail_in = (uInt)((size_t)count - start);
        do {
            stream.next_out = output;
            stream.avail_out = sizeof output;
            status = inflate(&stream, Z_NO_FLUSH);
            *total += sizeof output - stream.avail_out;
        } while (status == Z_OK && stream.avail_out == 0);
        if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END) break;
    }
    inflateEnd(&stream);
    close(file);
    return status == Z_STREAM_END;
}

int main(int count, char **arguments) {
    unsigned long long total = 0;
    for (int place = 1; place < count; place++) {
        if (!inflateFile(arguments[place], &total)) {
            fprintf(stderr, "inflate-only: %s is not one whole member of gzip\n", arguments[place]);
            return 1;
        }
    }
    printf("%llu\n", total);
    return 0;
}
