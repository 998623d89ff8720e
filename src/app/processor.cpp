// The one function that every processor of the architecture can run.
#include "app/processor.hpp"

#include <unistd.h>

namespace tayra {

#if defined(__x86_64__)

void require_processor() {
  __builtin_cpu_init();
#if defined(__AVX512F__)
  constexpr char needed[] = "AVX-512 (x86-64-v4)";
  const bool is_there = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#elif defined(__AVX2__)
  constexpr char needed[] = "AVX2, FMA and BMI2 (x86-64-v3)";
  const bool is_there =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
  constexpr char needed[] = "";
  const bool is_there = true;
#endif
  if (is_there) return;
  constexpr char before[] = "tayra: this processor lacks what this build needs, ";
  constexpr char after[] = ": build it from source with -DTAYRA_NATIVE=OFF\n";
  const bool told = write(STDERR_FILENO, before, sizeof before - 1) > 0 &&
                    write(STDERR_FILENO, needed, sizeof needed - 1) > 0 &&
                    write(STDERR_FILENO, after, sizeof after - 1) > 0;
  _exit(told ? 3 : 1);  // as for a device that is not there
}

#else

void require_processor() {}

#endif

}  // namespace tayra
