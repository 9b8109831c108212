// @module-tag bubblewrap
// @module-tag python3
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Jail } from '@harvestman/ports'
import { findPlaces } from '@harvestman/toolbox/control-groups/places'
import { beforeEach, describe, expect, test } from 'vitest'

import { localSandbox } from '../src/index.ts'
import { attacks } from './attacks.ts'
import { bound, noBrowser, run, soon } from './setup.ts'

beforeEach(({ skip }) => {
  if (bound !== 'kernel') skip('this process may not make control groups, which bound the memory of jails')
})

const memory = 500 * 1_048_576
const wanted = 3 * memory

const folders = [...new Set(['memory', 'pids', 'cpu'].flatMap((name) => findPlaces()(name)?.folder ?? []))]

/** Those that this process has made, wherever they are; in the second version beside the group that it has moved into. */
function groups(of = process.pid): string[] {
  return [...folders, ...folders.map((folder) => join(folder, '..'))].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('harvestman-') && name.includes(`-${of}-`))
      .map((name) => join(folder, name)),
  )
}

/** The most that the group of the jail has had, with the memory of the kernel and the buffers of TCP. */
function most(): number {
  const files = ['memory.max_usage_in_bytes', 'memory.kmem.tcp.max_usage_in_bytes', 'memory.peak']
  return groups()
    .flatMap((group) => files.map((file) => join(group, file)))
    .filter((file) => existsSync(file))
    .reduce((sum, file) => sum + Number(readFileSync(file, 'utf8')), 0)
}

async function inJail<Value>(work: (jail: Jail) => Promise<Value>): Promise<Value> {
  const sandbox = localSandbox({ limits: { memory } })
  try {
    return await work(await sandbox.open({ connect: noBrowser }, soon()))
  } finally {
    await sandbox.close()
  }
}

describe(
  'what all that code takes together stays below the bound of its jail, whatever kind of memory it is',
  { tags: ['long'] },
  () => {
    test.each(attacks)('$name', async ({ language, code, timeout = 20_000 }) => {
      await inJail(async (jail) => {
        // The group is gone with its jail, which the code may end.
        let peak = most()
        const sampler = setInterval(() => (peak = Math.max(peak, most())), 20)
        const { stdout, exitCode } = await run(jail, language, code(wanted), timeout)
        clearInterval(sampler)
        expect(stdout).not.toMatch(/TOOK/)
        expect(exitCode).not.toBe(0)
        expect(peak).toBeGreaterThan(0)
        expect(peak).toBeLessThanOrEqual(memory)
      })
      expect(groups()).toEqual([])
    })
  },
)

test(
  'code that the kernel has ended for its memory is told so, and the session goes on',
  { tags: ['long'] },
  async () => {
    await inJail(async (jail) => {
      const takes = 'import mmap\nheld = mmap.mmap(-1, 10**9)\nfor n in range(0, 10**9, 4096): held[n] = 1'
      expect(await run(jail, 'python', takes)).toMatchObject({
        error: 'The code used more than 524 MB of memory and was ended.',
        killed: false,
      })
      expect(await run(jail, 'python', '40 + 2')).toMatchObject({ result: '42', exitCode: 0 })
    })
  },
)

test('the group of a jail is there while the jail is, and is removed with it', async () => {
  expect(groups()).toEqual([])
  await inJail(async () => {
    expect(groups()).toHaveLength(folders.length)
  })
  expect(groups()).toEqual([])
})

test('the group of a process that was killed is removed by the next one', { tags: ['long'] }, async () => {
  const script = `
    import { localSandbox } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    await localSandbox().open({ connect: async () => { throw new Error('none') } }, AbortSignal.timeout(60000))
    process.kill(process.pid, 'SIGKILL')
  `
  const { pid, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 90_000 })
  expect(signal).toBe('SIGKILL')
  expect(groups(pid)).toHaveLength(folders.length)
  await inJail(async () => undefined)
  await expect.poll(() => groups(pid)).toEqual([])
})
