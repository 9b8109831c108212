// The largest answers there are, of each kind: none keeps the server from its other callers. A step is the processor time of
// its main thread in one turn of the event loop. What is made of an answer on that thread takes a second and more; the bench
// beside it prints the steps as they are, which a busy machine makes longer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { largeAnswers, type LargeAnswer } from '../bench/hostile/large-answers.ts'
import { openLargeBench, type LargeBench } from '../bench/hostile/large-bench.ts'

const longestStep = 250
const patience = 120_000
const mostBytes = 21_000_000

let bench: LargeBench
beforeAll(async () => {
  bench = await openLargeBench()
}, patience)
afterAll(() => bench.close())

async function expectShortSteps(page: LargeAnswer): Promise<void> {
  const { status, code, bytes, step, readAgain } = await bench.ask(page)
  expect({ status, code }).toEqual(page.isRefused ? { status: 500, code: 'SCRAPE_PAGE_TOO_COMPLEX' } : { status: 200 })
  expect(bytes).toBeLessThan(mostBytes)
  expect(step).toBeLessThan(longestStep)
  expect(readAgain).toBeLessThan(longestStep)
}

describe('An answer is bounded, and made without holding up others:', () => {
  const [drawn, loaded] = [
    largeAnswers.filter(({ isDrawn }) => isDrawn),
    largeAnswers.filter(({ isDrawn }) => !isDrawn),
  ]
  test.each(loaded)('$name', { timeout: patience }, expectShortSteps)
  test.each(drawn)('$name', { timeout: patience, tags: ['browser'] }, expectShortSteps)
})

test.each(['v1', 'v2'])(
  'a status with 10 MB of documents is told in %s in short steps',
  { timeout: patience },
  async (version) => {
    const { bytes, step } = await bench.askStatus(version)
    expect(bytes).toBeGreaterThan(8_000_000)
    expect(step).toBeLessThan(longestStep)
  },
)
