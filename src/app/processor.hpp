// Whether the processor can run what was compiled.
#pragma once

namespace tayra {

/// Ends the process with a message on a processor that can't. Runs before all else in the program: an illegal
/// instruction might come as soon as the first static is initialised.
#if defined(__x86_64__)
[[gnu::constructor(101), gnu::target("arch=x86-64")]]
#endif
void require_processor();

}  // namespace tayra
