/**
 * System calls that no command needs and that would get around its limits or reach into the kernel. Pure.
 *
 * Memory without a file or a process (`memfd_create`, System V shared memory) would not be counted; the others are
 * large interfaces with a history of faults. They fail with EPERM, as on many hosts.
 */

/** Names with their numbers on x86-64 and on arm64; undefined where there is none. */
const REFUSED: Readonly<Record<string, readonly [number | undefined, number | undefined]>> = {
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kexec_load: [246, 104],
  init_module: [175, 105],
  finit_module: [313, 273],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  swapon: [167, 224],
  reboot: [169, 142],
  open_by_handle_at: [304, 265],
  move_mount: [429, 429],
  fsopen: [430, 430],
  open_tree: [428, 428],
  syslog: [103, 116],
}

const MACHINES = { x64: { audit: 0xc000003e, column: 0 }, arm64: { audit: 0xc00000b7, column: 1 } } as const

const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
const REFUSE = 0x00050001
/** System calls of the x32 interface have this bit: another way to the same calls. */
const X32 = 0x40000000
const NUMBER_AT = 0
const MACHINE_AT = 4

/** A program for `--seccomp`; undefined on other machines, where everything else still isolates the command. */
export function seccompProgram(machine: string): Buffer | undefined {
  if (!(machine === "x64" || machine === "arm64")) return undefined
  const { audit, column } = MACHINES[machine]
  const numbers = Object.values(REFUSED).flatMap((pair) => pair[column] ?? [])
  const checks = numbers.map((number, index) => [JUMP_IF_EQUAL, numbers.length - index, 0, number] as const)
  const lines: readonly (readonly [number, number, number, number])[] = [
    [LOAD_WORD, 0, 0, MACHINE_AT],
    // Calls in the form of another machine, such as 32-bit ones, have other numbers.
    [JUMP_IF_EQUAL, 0, numbers.length + 3, audit],
    [LOAD_WORD, 0, 0, NUMBER_AT],
    [JUMP_IF_AT_LEAST, numbers.length + 1, 0, X32],
    ...checks,
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE],
  ]
  const program = Buffer.alloc(lines.length * 8)
  for (const [index, [code, yes, no, value]] of lines.entries()) {
    program.writeUInt16LE(code, index * 8)
    program.writeUInt8(yes, index * 8 + 2)
    program.writeUInt8(no, index * 8 + 3)
    program.writeUInt32LE(value, index * 8 + 4)
  }
  return program
}
