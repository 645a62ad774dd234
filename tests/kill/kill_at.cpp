// kill_at K [--plain-renames] COMMAND...: runs a command and kills it (SIGKILL) right before its
// K-th system call that changes files. With K = 0 it runs to its end, and standard error ends with
// one line "call N NAME" for each of these calls. --plain-renames: a file system without the flags
// of renameat2. Calls that change no file are not counted: a kill before one of them leaves the
// same files as a kill before the next call that is counted.
//
// Only the first thread is watched; mkc writes files in no other.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int exit_no_ptrace = 77;

using CallInfo = __ptrace_syscall_info;

struct Call {
  long number;
  const char* name;
};

constexpr Call changes[] = {
    {SYS_mkdirat, "mkdir"},       {SYS_unlinkat, "unlink"},    {SYS_renameat2, "rename"},
    {SYS_linkat, "link"},         {SYS_symlinkat, "symlink"},  {SYS_fsync, "fsync"},
    {SYS_fdatasync, "fsync"},     {SYS_ftruncate, "truncate"}, {SYS_truncate, "truncate"},
    {SYS_flock, "flock"},         {SYS_fchmod, "chmod"},       {SYS_fchmodat, "chmod"},
    {SYS_fallocate, "fallocate"}, {SYS_sendfile, "copy"},      {SYS_copy_file_range, "copy"},
#ifdef SYS_renameat
    {SYS_renameat, "rename"},
#endif
#ifdef SYS_rename  // older processors have these too
    {SYS_mkdir, "mkdir"},         {SYS_unlink, "unlink"},      {SYS_rmdir, "unlink"},
    {SYS_rename, "rename"},       {SYS_link, "link"},          {SYS_symlink, "symlink"},
    {SYS_chmod, "chmod"},
#endif
};

/// The name of a call that changes files, or nullptr.
const char* change(const CallInfo& info) {
  const auto number = static_cast<long>(info.entry.nr);
  const auto& arguments = info.entry.args;
  const auto creates = [](unsigned long long flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; };
  if (number == SYS_openat) return creates(arguments[2]) ? "open" : nullptr;
#ifdef SYS_open
  if (number == SYS_open) return creates(arguments[1]) ? "open" : nullptr;
#endif
  if (number == SYS_write || number == SYS_writev || number == SYS_pwrite64)
    return arguments[0] > 2 ? "write" : nullptr;  // not to the terminal
  for (const auto& call : changes)
    if (number == call.number) return call.name;
  return nullptr;
}

void forbid_rename_flags() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(exit_no_ptrace);
}

[[noreturn]] void become(char** command, bool plain_renames) {
  setpgid(0, 0);
  if (plain_renames) forbid_rename_flags();
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(exit_no_ptrace);
  raise(SIGSTOP);
  execvp(command[0], command);
  std::perror(command[0]);
  _exit(127);
}

/// Runs the child to its end, or kills it; returns its wait status.
int watch(pid_t child, long kill_at, std::vector<const char*>& calls) {
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return status;
  ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  int signal = 0;  // to be passed on
  for (;;) {
    ptrace(PTRACE_SYSCALL, child, nullptr, signal);
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return status;
    const bool is_call = WSTOPSIG(status) == (SIGTRAP | 0x80);
    signal = is_call || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    CallInfo info{};
    if (!is_call || ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) < 0 ||
        info.op != PTRACE_SYSCALL_INFO_ENTRY)
      continue;
    const char* name = change(info);
    if (name == nullptr) continue;
    calls.push_back(name);
    if (static_cast<long>(calls.size()) == kill_at) kill(-child, SIGKILL);
  }
}

}  // namespace

int main(int argc, char** argv) {
  char** command = argv + 2;
  const bool plain_renames = argc > 2 && std::strcmp(argv[2], "--plain-renames") == 0;
  if (plain_renames) ++command;
  if (argc < 3 || command[0] == nullptr) {
    std::fprintf(stderr, "kill_at K [--plain-renames] COMMAND...\n");
    return 2;
  }
  const pid_t child = fork();
  if (child == 0) become(command, plain_renames);
  std::vector<const char*> calls;
  const long kill_at = std::atol(argv[1]);
  const int status = watch(child, kill_at, calls);
  if (kill_at == 0)
    for (std::size_t i = 0; i < calls.size(); ++i)
      std::fprintf(stderr, "call %zu %s\n", i + 1, calls[i]);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
