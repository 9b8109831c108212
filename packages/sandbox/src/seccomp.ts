// Builds the seccomp filter in the kernel's format: an array of eight-byte instructions.
import { callNumbers, oldCallNumbers } from './calls.ts'

type CallName = keyof typeof callNumbers

interface Arch {
  /** The kernel's constant for the architecture (`AUDIT_ARCH_*`). */
  readonly audit: number
  readonly calls: Readonly<Record<CallName, number>>
  readonly others: readonly number[]
}

const numbersOf = (index: 0 | 1): Record<CallName, number> =>
  // Cast: Object.fromEntries loses the key type.
  Object.fromEntries(Object.entries(callNumbers).map(([name, both]) => [name, both[index]])) as Record<CallName, number>

const arches: Readonly<Record<string, Arch>> = {
  x64: { audit: 0xc000003e, calls: numbersOf(0), others: Object.values(oldCallNumbers) },
  arm64: { audit: 0xc00000b7, calls: numbersOf(1), others: [] },
}

const load = 0x20
const and = 0x54
const jumpEqual = 0x15
const jumpAtLeast = 0x35
const jumpAny = 0x45
const give = 0x06

const allow = 0x7fff0000
const kill = 0x80000000
const refuse = (errno: number): number => 0x00050000 | errno
const notPermitted = 1
// ENOSYS: libraries then fall back to older calls.
const noSuchCall = 38
const noSuchFamily = 97

// The flags of `clone` for namespaces of any kind.
const newSpaces = 0x7e020000 | 0x80
const pushesInput = [0x5412, 0x541c]
const unixFamily = 1
const internetFamilies = [2, 10]
const socketKind = 0xf
const stream = 1
const stopSignal = 19
const setsSignal = 10

type Instruction = readonly [code: number, yes: number, no: number, value: number]

const loadArgument = (index: number): Instruction => [load, 0, 0, 16 + 8 * index]
const done: Instruction = [give, 0, 0, allow]
const denied = (errno = notPermitted): Instruction => [give, 0, 0, refuse(errno)]
const isNot = (index: number, value: number): Instruction[] => [
  loadArgument(index),
  [jumpEqual, 0, 1, value],
  denied(),
  done,
]
const isNothing = (index: number): Instruction[] => [loadArgument(index), [jumpEqual, 1, 0, 0], denied()]

/**
 * Restrictions on the arguments of calls. Code must not be able to stop or slow down its supervisor, so it cannot send
 * `SIGSTOP`, and can change limits and priorities only of the calling process itself.
 */
const conditions: Readonly<Partial<Record<CallName, readonly Instruction[]>>> = {
  clone: [loadArgument(0), [jumpAny, 0, 1, newSpaces], denied(), done],
  ioctl: [
    loadArgument(1),
    ...pushesInput.flatMap((value): Instruction[] => [[jumpEqual, 0, 1, value], denied()]),
    done,
  ],
  // The only network of a jail is its own loopback, so datagram and netlink sockets are not needed.
  socket: [
    loadArgument(0),
    [jumpEqual, 0, 1, unixFamily],
    done,
    ...internetFamilies.map((family, index): Instruction => [jumpEqual, internetFamilies.length - index, 0, family]),
    denied(noSuchFamily),
    loadArgument(1),
    [and, 0, 0, socketKind],
    [jumpEqual, 1, 0, stream],
    denied(noSuchFamily),
    done,
  ],
  kill: isNot(1, stopSignal),
  tgkill: isNot(2, stopSignal),
  // F_SETSIG can send any signal to any process when a file becomes readable.
  fcntl: isNot(1, setsSignal),
  prlimit64: [...isNothing(0), done],
  setpriority: [...isNothing(0), ...isNothing(1), done],
}

/** Returns the seccomp filter for a CPU architecture, or `undefined` if its system call numbers are not known. */
export function seccompFilter(arch: string = process.arch): Uint8Array | undefined {
  const known = arches[arch]
  return known && toBytes([...beginning(known), ...rules(known), denied(noSuchCall)])
}

function beginning({ audit }: Arch): Instruction[] {
  return [
    [load, 0, 0, 4],
    [jumpEqual, 1, 0, audit],
    [give, 0, 0, kill],
    [load, 0, 0, 0],
    // Rejects x32 calls, whose numbers are different. Other architectures have no numbers this large.
    [jumpAtLeast, 0, 1, 0x40000000],
    denied(noSuchCall),
  ]
}

function rules({ calls, others }: Arch): Instruction[] {
  const named = Object.entries(calls).flatMap(([name, number]): Instruction[] => {
    // Cast: Object.entries loses the key type.
    const steps = conditions[name as CallName] ?? [done]
    const test: Instruction = [jumpEqual, 0, steps.length, number]
    return [test].concat(steps)
  })
  return [...named, ...others.flatMap((number): Instruction[] => [[jumpEqual, 0, 1, number], done])]
}

function toBytes(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
