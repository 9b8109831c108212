import { execFileSync } from 'node:child_process'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { makeHeapGrowth } from './heap-growth.ts'

const megabyte = 1_048_576

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a limited heap, and the flags that are set. */
function heapOf(size: { young: number; old: number }) {
  const flags: string[] = []
  const growth = makeHeapGrowth({
    measure: () => ({ young: size.young * megabyte, old: size.old * megabyte }),
    setFlag: (flag) => void flags.push(flag),
  })
  return { size, limit: growth.limit, set: () => flags.splice(0) }
}

describe('the heap of the main thread', () => {
  test('has a young generation whose halves grow to 8 MB and no further', () => {
    const { size, limit, set } = heapOf({ young: 4, old: 1 })
    limit()
    expect(set()).toEqual(['--heap-growing-percent=20'])
    size.young = 8
    limit()
    limit()
    expect(set()).toEqual(['--semi-space-growth-factor=1', '--min-semi-space-size=4'])
  })

  test('is collected often while it has few objects, and less often above 128 MB', () => {
    const { size, limit, set } = heapOf({ young: 1, old: 128 })
    limit()
    expect(set()).toEqual(['--heap-growing-percent=20'])
    size.old = 129
    limit()
    expect(set()).toEqual(['--heap-growing-percent=50'])
  })

  test('has the defaults again five seconds after the last page', () => {
    const { limit, set } = heapOf({ young: 8, old: 1 })
    limit()
    vi.advanceTimersByTime(4_000)
    limit()
    set()
    vi.advanceTimersByTime(4_000)
    expect(set()).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(set()).toEqual(['--semi-space-growth-factor=2', '--min-semi-space-size=0', '--heap-growing-percent=0'])
    limit()
    expect(set()).toHaveLength(3)
  })
})

/** Runs a process whose objects live a little. Returns the megabytes of each half of its young generation at the end. */
function youngAfterWork(...flags: readonly string[]): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const { heapGrowth } = await import(${JSON.stringify(new URL('./heap-growth.ts', import.meta.url).href)})
    const recent = []
    for (let index = 0; index < 400_000; index += 1) {
      if (index % 1_000 === 0) heapGrowth.limit()
      recent[index % 50_000] = { index, list: [index, index, index, index] }
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)`
  const args = ['--disable-warning=ExperimentalWarning', ...flags, '--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' })) / megabyte
}

test('V8 observes the limit, and a flag of the command line turns it off', () => {
  expect(youngAfterWork()).toBeLessThanOrEqual(8)
  expect(youngAfterWork('--semi-space-growth-factor=2')).toBeGreaterThan(8)
})
