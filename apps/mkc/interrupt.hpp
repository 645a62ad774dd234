#pragma once

namespace mkc::app {

/// The first Ctrl-C (or SIGTERM) sets a flag that running work checks; the second one ends the
/// program at once.
void catch_interrupts();
bool interrupted();

}  // namespace mkc::app
