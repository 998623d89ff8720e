// A simulation on several ranks: the first one leads, the others follow.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "solver/simulation.hpp"

namespace tayra {

/// For the first of several ranks, while the others are in follow(): every call on the simulation returned is
/// made on all ranks, and its destruction ends follow(). A rank alone gets its own simulation back.
std::unique_ptr<Simulation> lead(std::unique_ptr<Simulation> simulation);
/// `obey` gets the first rank's orders for work beside the flow.
void follow(Simulation& simulation, const std::function<void(const std::string& order)>& obey = {});
/// On the first rank: hands an order to all that follow.
void order(const std::string& what);

/// Where one rank of several has failed, its simulation is left to the end of the process: destroying it
/// might wait for ranks that have not.
void leave_to_the_end(std::unique_ptr<Simulation>& simulation);

}  // namespace tayra
