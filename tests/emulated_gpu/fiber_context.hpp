// Where one of several functions that share a thread goes on: the end of its stack, with the registers on it
// that it must find again. The C library's contexts do the same, but make a system call for each switch.
#pragma once

#include <cstddef>

#if defined(__x86_64__) || defined(__aarch64__)
extern "C" void emulated_switch_stack(void** from, void* to);
#else
#include <ucontext.h>
#endif

namespace emulated {

#if defined(__x86_64__)
asm(R"(
.pushsection .text
emulated_switch_stack:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.popsection
)");
inline constexpr std::size_t saved_words = 8, word_to_return_to = 6;
#elif defined(__aarch64__)
asm(R"(
.pushsection .text
emulated_switch_stack:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  ret
.popsection
)");
inline constexpr std::size_t saved_words = 20, word_to_return_to = 1;
#endif

#if defined(__x86_64__) || defined(__aarch64__)
class FiberContext {
 public:
  void begin(char* stack, std::size_t bytes, void (*function)()) {
    void** words = reinterpret_cast<void**>(stack + bytes) - saved_words;
    words[word_to_return_to] = reinterpret_cast<void*>(function);
    end_of_stack_ = words;
  }
  void switch_to(const FiberContext& other) { emulated_switch_stack(&end_of_stack_, other.end_of_stack_); }

 private:
  void* end_of_stack_ = nullptr;
};
#else
class FiberContext {
 public:
  void begin(char* stack, std::size_t bytes, void (*function)()) {
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack;
    context_.uc_stack.ss_size = bytes;
    makecontext(&context_, function, 0);
  }
  void switch_to(const FiberContext& other) { swapcontext(&context_, &other.context_); }

 private:
  ucontext_t context_;
};
#endif

}  // namespace emulated
