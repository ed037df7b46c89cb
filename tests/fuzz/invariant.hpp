#pragma once

#include <cstdio>
#include <cstdlib>

/// What must hold for every input, in every build: the fuzzer keeps the input that breaks it.
#define DSE_INVARIANT(condition)                                                         \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                \
        }                                                                                \
    } while (false)
