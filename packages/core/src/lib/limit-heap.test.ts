import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

/** Runs a process whose objects live for a while. Returns the megabytes of its young generation at the end. */
function youngAfterWork(first: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { limitHeap } from ${JSON.stringify(new URL('./limit-heap.ts', import.meta.url).href)}
    ${first}
    const recent = []
    for (let index = 0; index < 400_000; index += 1) recent[index % 50_000] = { index, list: [index, index, index, index] }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' })) / 1_048_576
}

test('the young generation of a process stops growing when its heap is limited', () => {
  expect(youngAfterWork('limitHeap()')).toBeLessThanOrEqual(8)
  expect(youngAfterWork('')).toBeGreaterThan(8)
})
