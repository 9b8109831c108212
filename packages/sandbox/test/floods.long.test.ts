// @module-tag long
// @module-tag bubblewrap
// @module-tag python3
// Code that takes all it can get: processes, memory, files, output, results.
import type { Jail, Sandbox } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { localSandbox } from '../src/index.ts'
import { bound, noBrowser, run, soon } from './setup.ts'

let sandbox: Sandbox
let jail: Jail

beforeAll(async () => {
  sandbox = localSandbox({ bound })
  jail = await sandbox.open({ connect: noBrowser }, soon())
})

afterAll(() => sandbox.close())

const works = async (): Promise<void> => {
  expect(await run(jail, 'bash', 'echo fine')).toMatchObject({ stdout: 'fine\n', exitCode: 0 })
}

describe('code that takes too much is contained, and the next call works', () => {
  test('a bomb of forks', async () => {
    await run(jail, 'bash', ':(){ :|:& };:; sleep 1', 2_000)
    await works()
  })

  test.each([
    ['node', 'const all = []; for (;;) all.push(Buffer.alloc(1e8, 1))'],
    ['node', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'],
    ['python', 'all = []\nwhile True: all.append(bytearray(10**8))'],
    [
      'python',
      'import os\nall = None\nfor _ in range(8):\n  if os.fork() == 0:\n    x = bytearray(b"1") * (300 * 10**6)\n    import time; time.sleep(600)\nimport time\ntime.sleep(600)',
    ],
    [
      'python',
      'import mmap, time\nall = mmap.mmap(-1, 3 * 10**9)\nfor n in range(0, len(all), 4096): all[n] = 1\nall.madvise(mmap.MADV_DONTNEED)\ntime.sleep(600)',
    ],
    [
      'python',
      'import mmap, os, time\nall = mmap.mmap(os.open("/dev/zero", os.O_RDWR), 3 * 10**9)\nfor n in range(0, len(all), 4096): all[n] = 1\ntime.sleep(600)',
    ],
  ] as const)('gigabytes of memory: %s', async (language, code) => {
    const { exitCode, killed } = await run(jail, language, code, 120_000)
    expect(exitCode).not.toBe(0)
    expect(killed).toBe(false)
    await works()
  })

  test('a full disk', async () => {
    const { stdout } = await run(jail, 'bash', 'head -c 200M /dev/zero > /tmp/big; stat -c %s /tmp/big; rm /tmp/big')
    expect(Number(stdout)).toBeLessThanOrEqual(64 * 1_048_576)
    await works()
  })

  test('a million files', async () => {
    const { error } = await run(jail, 'python', 'for i in range(10**6): open(f"/tmp/{i}", "w").close()', 20_000)
    expect(error).toMatch(/files/)
    await works()
  })

  test('a gigabyte of output', async () => {
    const { stdout, truncated } = await run(jail, 'bash', 'yes | head -c 1G', 25_000)
    expect(truncated).toBe(true)
    expect(stdout.length).toBeLessThan(1_100_000)
    expect(stdout).toMatch(/left out/)
    await works()
  })
})

test.each([
  ['node', `'x'.repeat(40e6)`, /^x+$/],
  ['node', 'Array.from({ length: 3e6 }, (_, n) => ({ n }))', /^\[\{"n":0\},\{"n":1\},/],
  ['node', '({ list: [Buffer.alloc(100e6)] })', /^\{"list":\[\{"type":"Buffer","data":\[0,0,/],
  ['python', '"x" * 40_000_000', /^x+$/],
  ['python', '[[n] for n in range(2_000_000)]', /^\[\[0\], \[1\], /],
  ['python', '[{n} for n in range(300_000)]', /^\[\{0\}, \{1\}, /],
] as const)('a result of any size is cut, and its interpreter goes on: %s %s', async (language, code, begins) => {
  await run(jail, language, 'kept = 7')
  const { result, exitCode } = await run(jail, language, code)
  expect(exitCode).toBe(0)
  expect(result?.length).toBeLessThanOrEqual(1_048_576)
  expect(result).toMatch(begins)
  expect(await run(jail, language, 'kept')).toMatchObject({ result: '7' })
})
