// The filter of system calls, as the kernel reads it: an array of instructions of eight bytes.
import { callNumbers, oldCallNumbers } from './calls.ts'

type CallName = keyof typeof callNumbers

interface Arch {
  /** As the kernel names it in what a filter is given. */
  readonly audit: number
  readonly calls: Readonly<Record<CallName, number>>
  readonly others: readonly number[]
}

const numbersOf = (index: 0 | 1): Record<CallName, number> =>
  // Object.fromEntries forgets the names.
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
// Libraries take it for an older kernel, and fall back on other calls.
const noSuchCall = 38
const noSuchFamily = 97

// Name spaces of every kind.
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
 * What a call is allowed for. Nothing can stop the process that watches the code, or bound or slow it: `SIGSTOP` is sent to
 * no process, and limits and priorities are those of the caller alone.
 */
const conditions: Readonly<Partial<Record<CallName, readonly Instruction[]>>> = {
  clone: [loadArgument(0), [jumpAny, 0, 1, newSpaces], denied(), done],
  ioctl: [
    loadArgument(1),
    ...pushesInput.flatMap((value): Instruction[] => [[jumpEqual, 0, 1, value], denied()]),
    done,
  ],
  // A jail has no network but its own loopback; datagrams and lists of interfaces are of no use there.
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
  // The signal of a file that can be read may be any, and goes to any process.
  fcntl: isNot(1, setsSignal),
  prlimit64: [...isNothing(0), done],
  setpriority: [...isNothing(0), ...isNothing(1), done],
}

/** Gives nothing for a machine that it has no numbers for. */
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
    // The calls of the x32 kind, which have other numbers; the architectures without them have none that large.
    [jumpAtLeast, 0, 1, 0x40000000],
    denied(noSuchCall),
  ]
}

function rules({ calls, others }: Arch): Instruction[] {
  const named = Object.entries(calls).flatMap(([name, number]): Instruction[] => {
    // Object.entries forgets the names.
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
