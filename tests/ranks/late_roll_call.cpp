// Rank 1 calls the roll and gives up before rank 0 comes, which must hear what it had to say, however long:
// started under mpirun by tests/app/ranks_test.cpp.
#include <chrono>
#include <cstdio>
#include <thread>

#include "grid/ranks.hpp"

int main() {
  constexpr double patience_of_rank_1 = 0.2;
  const std::string said(100'000, 'a' + static_cast<char>(tayra::ranks().rank()));
  if (tayra::ranks().rank() == 1) {
    tayra::ranks().call_roll(said, patience_of_rank_1);
    tayra::ranks().be_heard(3);
    return 0;
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(5 * patience_of_rank_1));
  const auto answer = tayra::ranks().call_roll(said, 2).at(1);
  std::printf("%s\n",
              answer.came && answer.said == std::string(said.size(), 'b') ? "heard all" : "not heard");
}
