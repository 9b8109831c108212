import { describe, expect, test } from 'vitest'

import { seccompFilter } from './seccomp.ts'

const audits: Readonly<Record<string, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const allowed = 'allowed'
const verdicts: Readonly<Record<number, string>> = {
  0x7fff0000: allowed,
  0x80000000: 'killed',
  0x00050001: 'EPERM',
  0x00050026: 'ENOSYS',
  0x00050061: 'EAFNOSUPPORT',
}

/** Reads the filter as the kernel does. */
function verdictOf(arch: string, number: number, args: readonly number[] = [], audit = audits[arch] ?? 0): string {
  const filter = Buffer.from(seccompFilter(arch) ?? [])
  const data = new Map([
    [0, number],
    [4, audit],
    ...args.map((value, index): [number, number] => [16 + 8 * index, value]),
  ])
  let held = 0
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8)
    const [yes, no] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return verdicts[value] ?? String(value)
    if (code === 0x20) held = data.get(value) ?? 0
    else if (code === 0x54) held &= value
    else at += { 0x15: held === value, 0x35: held >= value, 0x45: (held & value) !== 0 }[code] ? yes : no
  }
  return 'no end'
}

const numbers = {
  x64: {
    read: 0,
    execve: 59,
    kill: 62,
    tgkill: 234,
    fcntl: 72,
    prlimit64: 302,
    setpriority: 141,
    socket: 41,
    clone: 56,
    ioctl: 16,
  },
  arm64: {
    read: 63,
    execve: 221,
    kill: 129,
    tgkill: 131,
    fcntl: 25,
    prlimit64: 261,
    setpriority: 140,
    socket: 198,
    clone: 220,
    ioctl: 29,
  },
} as const

// semget, msgget, shmget, mq_open, vmsplice, personality, memfd_create, mount, unshare, keyctl, bpf, ptrace, clone3, io_uring_setup, modify_ldt
const refused = {
  x64: [64, 68, 29, 240, 278, 135, 319, 165, 272, 250, 321, 101, 435, 425, 154],
  arm64: [190, 186, 194, 180, 75, 92, 279, 40, 97, 219, 280, 117, 435, 425],
} as const

describe.each(['x64', 'arm64'] as const)('the filter of system calls on %s', (arch) => {
  const all = numbers[arch]

  test('lets programs be read and started', () => {
    for (const number of [all.read, all.execve]) expect(verdictOf(arch, number)).toBe(allowed)
  })

  test('has none of the calls that reach beyond a jail, or to memory that no process has', () => {
    expect(refused[arch].map((number) => verdictOf(arch, number))).toEqual(refused[arch].map(() => 'ENOSYS'))
  })

  test('has none that it does not know, and ends what speaks as another architecture', () => {
    expect(verdictOf(arch, 999)).toBe('ENOSYS')
    expect(verdictOf(arch, 0x40000000 + all.read)).toBe('ENOSYS')
    expect(verdictOf(arch, all.read, [], 0x40000003)).toBe('killed')
  })

  test('sends any signal but the one that stops, whoever sends it and by whatever call', () => {
    expect(verdictOf(arch, all.kill, [2, 9])).toBe(allowed)
    expect(verdictOf(arch, all.kill, [2, 19])).toBe('EPERM')
    expect(verdictOf(arch, all.tgkill, [2, 2, 19])).toBe('EPERM')
    expect(verdictOf(arch, all.tgkill, [2, 2, 6])).toBe(allowed)
    expect(verdictOf(arch, all.fcntl, [3, 10, 19])).toBe('EPERM')
    expect(verdictOf(arch, all.fcntl, [3, 2, 1])).toBe(allowed)
  })

  test('bounds and slows nobody but the caller', () => {
    expect(verdictOf(arch, all.prlimit64, [0, 7])).toBe(allowed)
    expect(verdictOf(arch, all.prlimit64, [2, 7])).toBe('EPERM')
    expect(verdictOf(arch, all.setpriority, [0, 0, 19])).toBe(allowed)
    expect(verdictOf(arch, all.setpriority, [0, 2, 19])).toBe('EPERM')
    expect(verdictOf(arch, all.setpriority, [2, 0, 19])).toBe('EPERM')
  })

  test('has sockets of streams and of the machine itself, and no others', () => {
    const socket = (family: number, kind: number): string => verdictOf(arch, all.socket, [family, kind])
    expect([socket(1, 2), socket(2, 0x80801), socket(10, 1)]).toEqual([allowed, allowed, allowed])
    expect([socket(2, 2), socket(10, 3), socket(16, 3), socket(17, 3)]).toEqual(
      Array.from({ length: 4 }, () => 'EAFNOSUPPORT'),
    )
  })

  test('makes processes and no name spaces, and types into no terminal', () => {
    expect(verdictOf(arch, all.clone, [0x11])).toBe(allowed)
    expect(verdictOf(arch, all.clone, [0x10000011])).toBe('EPERM')
    expect(verdictOf(arch, all.ioctl, [0, 0x5401])).toBe(allowed)
    expect([0x5412, 0x541c].map((request) => verdictOf(arch, all.ioctl, [0, request]))).toEqual(['EPERM', 'EPERM'])
  })
})

test('there is none for a machine whose numbers are not known', () => {
  expect(seccompFilter('riscv64')).toBeUndefined()
})
