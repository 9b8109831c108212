// The filter of system calls, as the kernel reads it: an array of instructions of eight bytes.

interface Arch {
  /** As the kernel names it in what a filter is given. */
  readonly audit: number
  readonly numbers: Readonly<Record<string, number>>
}

// What code has no use for and what has been a way out before: other processes, kernel objects, mounts and name spaces; memory
// that belongs to no process and is counted for none.
const x64 = {
  shmget: 29,
  memfd_create: 319,
  memfd_secret: 447,
  ptrace: 101,
  syslog: 103,
  adjtimex: 159,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  init_module: 175,
  delete_module: 176,
  quotactl: 179,
  pivot_root: 155,
  clock_settime: 227,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  migrate_pages: 256,
  unshare: 272,
  move_pages: 279,
  perf_event_open: 298,
  open_by_handle_at: 304,
  name_to_handle_at: 303,
  clock_adjtime: 305,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
}

const arm64 = {
  ...Object.fromEntries(Object.entries(x64).filter(([, number]) => number >= 425)),
  shmget: 194,
  memfd_create: 279,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  chroot: 51,
  quotactl: 60,
  acct: 89,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  clock_settime: 112,
  syslog: 116,
  ptrace: 117,
  reboot: 142,
  sethostname: 161,
  setdomainname: 162,
  settimeofday: 170,
  adjtimex: 171,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  swapon: 224,
  swapoff: 225,
  migrate_pages: 238,
  move_pages: 239,
  perf_event_open: 241,
  name_to_handle_at: 264,
  open_by_handle_at: 265,
  clock_adjtime: 266,
  setns: 268,
  process_vm_readv: 270,
  process_vm_writev: 271,
  kcmp: 272,
  finit_module: 273,
  bpf: 280,
  userfaultfd: 282,
  kexec_file_load: 294,
}

const arches: Readonly<Record<string, Arch & { readonly calls: Calls }>> = {
  x64: { audit: 0xc000003e, numbers: x64, calls: { clone: 56, clone3: 435, ioctl: 16, socket: 41 } },
  arm64: { audit: 0xc00000b7, numbers: arm64, calls: { clone: 220, clone3: 435, ioctl: 29, socket: 198 } },
}

interface Calls {
  readonly clone: number
  readonly clone3: number
  readonly ioctl: number
  readonly socket: number
}

const load = 0x20
const jumpEqual = 0x15
const jumpAtLeast = 0x35
const jumpAny = 0x45
const give = 0x06

const allow = 0x7fff0000
const kill = 0x80000000
const refuse = (errno: number): number => 0x00050000 | errno
const notPermitted = 1
const noSuchCall = 38
const noSuchFamily = 97

// Name spaces of every kind.
const newSpaces = 0x7e020000 | 0x80
const pushesInput = [0x5412, 0x541c]
// Unix, IPv4, IPv6 and the one that lists interfaces; none of them leads anywhere without a network.
const families = [1, 2, 10, 16]

type Instruction = readonly [code: number, yes: number, no: number, value: number]

/** Gives nothing for a machine that it has no numbers for. */
export function seccompFilter(arch: string = process.arch): Uint8Array | undefined {
  const known = arches[arch]
  if (!known) return undefined
  const { audit, numbers, calls } = known
  const first = 16
  const program: Instruction[] = [
    [load, 0, 0, 4],
    [jumpEqual, 1, 0, audit],
    [give, 0, 0, kill],
    [load, 0, 0, 0],
    // The calls of the x32 kind, which have other numbers.
    ...(arch === 'x64'
      ? ([
          [jumpAtLeast, 0, 1, 0x40000000],
          [give, 0, 0, refuse(noSuchCall)],
        ] as const)
      : []),
    ...Object.values(numbers).flatMap((number): Instruction[] => [
      [jumpEqual, 0, 1, number],
      [give, 0, 0, refuse(notPermitted)],
    ]),
    // Its flags lie in memory, where a filter cannot look: libraries fall back on the older call.
    [jumpEqual, 0, 1, calls.clone3],
    [give, 0, 0, refuse(noSuchCall)],
    [jumpEqual, 0, 4, calls.clone],
    [load, 0, 0, first],
    [jumpAny, 0, 1, newSpaces],
    [give, 0, 0, refuse(notPermitted)],
    [give, 0, 0, allow],
    [jumpEqual, 0, pushesInput.length + 3, calls.ioctl],
    [load, 0, 0, first + 8],
    ...pushesInput.map((value, index): Instruction => [jumpEqual, pushesInput.length - index, 0, value]),
    [give, 0, 0, allow],
    [give, 0, 0, refuse(notPermitted)],
    [jumpEqual, 0, families.length + 2, calls.socket],
    [load, 0, 0, first],
    ...families.map((value, index): Instruction => [jumpEqual, families.length - index, 0, value]),
    [give, 0, 0, refuse(noSuchFamily)],
    [give, 0, 0, allow],
  ]
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
