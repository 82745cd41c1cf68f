/**
 * Attempts to get out of the sandbox, as commands. `ESCAPED` in the output means that one succeeded; what they must not
 * reach is in `Outside`, and is checked after each.
 */
import type { SandboxEnd, SandboxLimits } from "@parlor/core"

export type Attempt = {
  readonly name: string
  readonly command: (outside: Outside) => string
  readonly limits?: Partial<SandboxLimits>
  /** How it has to end, if not by itself. */
  readonly ends?: SandboxEnd
}

/** What is on the machine: a secret file, a folder, and servers that count their visitors. */
export type Outside = {
  readonly secretFile: string
  readonly folder: string
  readonly port: number
  readonly socket: string
  readonly pid: number
}

const MIB = 1024 * 1024
const perl = (code: string) => `perl -e '${code}'`
/** A system call, by its number on x86-64; succeeds if it is not refused. */
const call = (number: number, ...args: readonly (string | number)[]) =>
  perl(`$r = syscall(${[number, ...args].join(", ")}); print $r < 0 ? "refused\\n" : "ESCAPED\\n"`)
const node = (code: string) => `node -e '${code}'`

export const attempts: readonly Attempt[] = [
  // Reading what is not theirs.
  ...reads([
    ["the secret file", ({ secretFile }) => `cat ${secretFile}`],
    ["the secret file through its folder", ({ folder }) => `ls ${folder}`],
    ["the secret file through ..", ({ secretFile }) => `cat ../../../../../../..${secretFile}`],
    ["the secret file through /proc/self/root", ({ secretFile }) => `cat /proc/self/root${secretFile}`],
    ["the secret file through /proc/1/root", ({ secretFile }) => `cat /proc/1/root${secretFile}`],
    ["the secret file through /proc/1/cwd", ({ secretFile }) => `cat /proc/1/cwd${secretFile}`],
    ["a process outside", ({ pid }) => `cat /proc/${pid}/environ`],
    ["password hashes", () => "cat /etc/shadow"],
    ["the users of the machine", () => "grep root /etc/passwd"],
    ["the home of root", () => "ls /root"],
    ["homes", () => "ls /home"],
    ["logs", () => "ls /var/log"],
    ["the disk", () => "head -c 16 /dev/vda /dev/sda /dev/nvme0n1"],
    ["memory", () => "head -c 16 /dev/mem /dev/kmem /dev/port"],
    ["kernel memory", () => "test -s /proc/kcore && head -c 64 /proc/kcore | grep -q ELF"],
    ["kernel messages", () => "dmesg"],
    ["kernel messages through /dev", () => "head -c 1 /dev/kmsg"],
    ["/sys", () => "ls /sys/kernel"],
    ["control groups", () => "ls /sys/fs/cgroup"],
    ["/boot", () => "ls /boot"],
    ["runtime sockets", () => "ls /run/docker.sock /var/run/docker.sock /run/dbus"],
    ["keys", () => "ls /root/.ssh /home/*/.ssh"],
    [
      "file descriptors of others",
      () => "readlink /proc/1/fd/* | grep -vE '^/dev/null|^pipe:|^socket:|^anon_inode' | grep .",
    ],
    ["kernel addresses", () => "grep -qv ^0000000000000000 /proc/kallsyms"],
    ["mounts of the machine", ({ folder }) => `grep -F ${folder}/data /proc/self/mountinfo`],
  ]),
  {
    name: "the server's environment, in its own and in the first process",
    command: () => "env; cat /proc/*/environ | tr '\\0' '\\n'",
  },
  { name: "the command line of the first process", command: () => "cat /proc/*/cmdline | tr '\\0' ' '" },
  // Writing where it may not.
  ...writes([
    "/x",
    "/usr/bin/x",
    "/usr/local/bin/sh",
    "/bin/x",
    "/lib/x",
    "/etc/x",
    "/etc/ld.so.preload",
    "/dev/x",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/drop_caches",
    "/proc/sys/kernel/hostname",
    "/proc/sysrq-trigger",
    "/proc/1/mem",
    "/proc/self/uid_map",
    "/root/x",
    "/var/x",
  ]),
  {
    name: "writing to a folder outside",
    command: ({ folder }) => `mkdir -p ${folder} && echo x > ${folder}/written && ls ${folder}`,
  },
  // Links and special files.
  { name: "a link to a file outside", command: ({ secretFile }) => `ln -s ${secretFile} stolen` },
  { name: "a link in place of a file", command: ({ secretFile }) => `rm notes.txt; ln -s ${secretFile} notes.txt` },
  { name: "a link in place of a folder", command: ({ folder }) => `rm -r sub; ln -s ${folder} sub; ls` },
  {
    name: "writing through a link to a folder outside",
    command: ({ folder }) => `ln -s ${folder} out; echo x > out/written; true`,
  },
  { name: "a hard link to a program", command: () => "ln /usr/bin/env env && echo ESCAPED" },
  { name: "a pipe", command: () => "mkfifo pipe; rm notes.txt; mkfifo notes.txt" },
  { name: "a device", command: () => "mknod disk b 254 0 && echo ESCAPED" },
  {
    name: "a socket file",
    command: () => node('require("net").createServer().listen("/work/s.sock", () => process.exit())'),
  },
  { name: "a file that would run as the server's user", command: () => "cp /bin/sh ./shell; chmod 6777 shell" },
  {
    name: "hooks of the repository",
    command: () => "mkdir -p .git/hooks; echo 'echo ESCAPED' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
  },
  {
    name: "hooks of the repository in other letters",
    command: () => "mkdir -p .GIT/hooks; echo x > .GIT/hooks/pre-commit",
  },
  { name: "Parlor's own files", command: () => "mkdir -p .parlor; echo x > .parlor/written; echo x > .parlor-part-1" },
  { name: "folders nobody may open", command: () => "mkdir closed; echo x > closed/x; chmod 000 closed" },
  {
    name: "very deep folders",
    command: () =>
      node('const fs = require("fs"); for (let i = 0; i < 200; i++) { fs.mkdirSync("d"); process.chdir("d") }'),
  },
  {
    name: "names with line breaks and dots",
    command: () => "printf x > \"$(printf 'a\\n..')\"; printf x > '...'; printf x > '..a'",
  },
  // Processes.
  {
    name: "a process that outlives the call",
    command: ({ port }) =>
      `(sleep 1; echo late > late.txt) & setsid sh -c 'sleep 1; curl -s http://127.0.0.1:${port}' &`,
  },
  {
    name: "a daemon",
    command: () =>
      perl("use POSIX; exit if fork; POSIX::setsid(); exit if fork; close STDOUT; close STDERR; sleep 300"),
  },
  {
    name: "a process that ignores signals",
    command: () => "trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep 300) & true",
  },
  { name: "killing everything", command: () => "kill -9 -1" },
  { name: "killing the first process", command: () => "kill -9 1; echo still here" },
  { name: "killing a process outside", command: ({ pid }) => `kill -9 ${pid} && echo ESCAPED` },
  { name: "a fork bomb", command: () => ":() { : | : & }; : ; sleep 5", limits: { processes: 40 } },
  { name: "a fork bomb of a program", command: () => perl("fork while 1"), limits: { processes: 40, timeMs: 3_000 } },
  {
    name: "many sleeping processes",
    command: () =>
      "i=0; while [ $i -lt 500 ]; do sleep 30 & i=$((i+1)); done; [ $(ls -d /proc/[0-9]* | wc -l) -gt 200 ] && echo ESCAPED",
    limits: { processes: 40, timeMs: 5_000 },
  },
  { name: "more processes than its limit, after raising it", command: () => "ulimit -p 100000 && echo ESCAPED" },
  { name: "a higher priority", command: () => "nice -n -20 sh -c '[ $(nice) -lt 0 ] && echo ESCAPED'" },
  { name: "real-time scheduling", command: () => "chrt -f 50 echo ESCAPED" },
  { name: "never ending", command: () => "sleep 600", limits: { timeMs: 300 }, ends: "time" },
  {
    name: "burning time in many processes",
    command: () => "for i in 1 2 3 4; do (while :; do :; done) & done; wait",
    limits: { timeMs: 500 },
    ends: "time",
  },
  {
    name: "never ending, ignoring signals",
    command: () => "trap '' TERM INT HUP; while :; do sleep 1; done",
    limits: { timeMs: 300 },
    ends: "time",
  },
  { name: "stopping itself", command: () => "kill -STOP $$; sleep 600", limits: { timeMs: 300 }, ends: "time" },
  // Rights and namespaces.
  { name: "a namespace of its own", command: () => "unshare -r true && echo ESCAPED" },
  { name: "a mount namespace", command: () => "unshare -rm mount -t tmpfs none /tmp && echo ESCAPED" },
  { name: "the namespaces of the first process", command: () => "nsenter -t 1 -a true && echo ESCAPED" },
  { name: "mounting", command: () => "mount -t tmpfs none /tmp && echo ESCAPED" },
  { name: "mounting /proc again", command: () => "mount -t proc proc /work && echo ESCAPED" },
  { name: "making / writable", command: () => "mount -o remount,rw / && echo ESCAPED" },
  { name: "unmounting /proc", command: () => "umount /proc && echo ESCAPED" },
  { name: "chroot", command: () => "chroot /work /bin/true && echo ESCAPED" },
  { name: "sudo", command: () => "sudo -n true && echo ESCAPED" },
  { name: "su", command: () => "su -c 'echo ESCAPED' </dev/null" },
  { name: "becoming root", command: () => perl("$> = 0; $< = 0; print $> == 0 ? qq(ESCAPED) : qq(no)") },
  { name: "capabilities", command: () => "grep -E 'Cap(Eff|Prm|Bnd).*[1-9a-f]' /proc/self/status && echo ESCAPED" },
  { name: "gaining rights by a program", command: () => "grep 'NoNewPrivs:.*0' /proc/self/status && echo ESCAPED" },
  { name: "another host name", command: () => "hostname evil && echo ESCAPED" },
  { name: "another time", command: () => "date -s '2000-01-01' && echo ESCAPED" },
  { name: "typing into the terminal", command: () => perl('open(T, "+</dev/tty") && print "ESCAPED"') },
  { name: "rebooting", command: () => "reboot -f && echo ESCAPED" },
  // System calls, for x86-64: on other machines they are others, and refused for other reasons.
  { name: "system call: ptrace", command: () => call(101, 16, 1, 0, 0) },
  { name: "system call: memfd_create", command: () => call(319, '"x"', 0) },
  { name: "system call: memfd_create of the x32 interface", command: () => call(0x40000000 + 319, '"x"', 0) },
  { name: "system call: shmget", command: () => call(29, 0, 268435456, 0o1600) },
  { name: "system call: bpf", command: () => call(321, 5, '"x" x 128', 128) },
  { name: "system call: userfaultfd", command: () => call(323, 0) },
  { name: "system call: io_uring_setup", command: () => call(425, 8, '"\\0" x 120') },
  { name: "system call: keyctl", command: () => call(250, 0, 0xfffffffd, 1) },
  { name: "system call: perf_event_open", command: () => call(298, '"\\0" x 128', 0, -1, -1, 0) },
  { name: "system call: open_by_handle_at", command: () => call(304, -100, '"\\0" x 16', 0) },
  { name: "system call: kexec_load", command: () => call(246, 0, 0, 0, 0) },
  // The network.
  ...connections([
    ["a server on this machine", ({ port }) => `curl -s -m 2 http://127.0.0.1:${port}/`],
    ["a server on this machine, by name", ({ port }) => `curl -s -m 2 http://localhost:${port}/`],
    ["a server on this machine, over IPv6", ({ port }) => `curl -s -m 2 "http://[::1]:${port}/"`],
    [
      "a server on this machine, from a program",
      ({ port }) =>
        node(
          `require("http").get("http://127.0.0.1:${port}", () => console.log("ESC" + "APED")).on("error", () => {})`,
        ),
    ],
    ["the metadata of a cloud", () => "curl -s -m 2 http://169.254.169.254/"],
    ["the internet", () => "curl -s -m 2 http://1.1.1.1/"],
    [
      "a name server",
      () => node('require("dns").lookup("example.com", (e) => { if (!e) console.log("ESC" + "APED") })'),
    ],
    [
      "a socket file outside",
      ({ socket }) =>
        node(`require("net").connect("${socket}", () => console.log("ESC" + "APED")).on("error", () => {})`),
    ],
    [
      "a socket without a file",
      ({ socket }) =>
        perl(
          `use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack("S a*", AF_UNIX, "\\0${socket}")) && print "ESCAPED"`,
        ),
    ],
    ["raw packets", () => perl('use Socket; socket(S, PF_INET, SOCK_RAW, 1) && print "ESCAPED"')],
    ["network cards", () => "grep -E 'eth|ens|enp|wlan' /proc/net/dev && echo ESCAPED"],
  ]),
  // Using everything up.
  { name: "much output", command: () => "yes", limits: { outputBytes: MIB }, ends: "output" },
  { name: "much output of errors", command: () => "yes >&2", limits: { outputBytes: MIB }, ends: "output" },
  {
    name: "much output from the background",
    command: () => "(yes) & sleep 60",
    limits: { outputBytes: MIB },
    ends: "output",
  },
  {
    name: "one large file",
    command: () => "head -c 200M /dev/zero > large && echo ESCAPED",
    limits: { diskBytes: 20 * MIB },
  },
  {
    name: "many files of a size",
    command: () => "i=0; while :; do head -c 4M /dev/zero > f$i; i=$((i+1)); done",
    limits: { diskBytes: 20 * MIB, timeMs: 10_000 },
    ends: "disk",
  },
  { name: "a sparse file", command: () => "truncate -s 900G sparse && echo ESCAPED", limits: { diskBytes: 20 * MIB } },
  { name: "filling /tmp", command: () => "head -c 300M /dev/zero > /tmp/large && echo ESCAPED" },
  { name: "filling shared memory", command: () => "head -c 100M /dev/zero > /dev/shm/large && echo ESCAPED" },
  {
    name: "much memory in one process",
    command: () => perl('$x = "a" x (900 * 1024 * 1024); print "ESCAPED"'),
    limits: { memoryBytes: 200 * MIB },
  },
  {
    name: "much memory in several processes",
    command: () => `for i in 1 2 3 4 5 6; do ${perl('$x = "a" x (60 * 1024 * 1024); sleep 20')} & done; wait`,
    limits: { memoryBytes: 150 * MIB, timeMs: 15_000 },
    ends: "memory",
  },
  {
    name: "many open files",
    command: () => perl('my @f; for (1..5000) { open(my $h, "<", "/dev/null") or exit; push @f, $h } print "ESCAPED"'),
  },
  { name: "dumping memory to disk", command: () => "ulimit -c unlimited && echo ESCAPED" },
]

function reads(table: readonly (readonly [string, Attempt["command"]])[]): readonly Attempt[] {
  return table.map(([name, command]) => ({
    name: `reading ${name}`,
    command: (outside) => `(${command(outside)}) && echo ESCAPED`,
  }))
}

function writes(places: readonly string[]): readonly Attempt[] {
  return places.map((place) => ({ name: `writing ${place}`, command: () => `(echo x > ${place}) && echo ESCAPED` }))
}

function connections(table: readonly (readonly [string, Attempt["command"]])[]): readonly Attempt[] {
  return table.map(([name, command]) => ({ name: `connecting to ${name}`, command }))
}
