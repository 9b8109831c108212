import { expect, test } from 'vitest'

import { addressesOf, bench, numbers } from '../fixtures/suite.ts'

/** Places that are free and that a job is not given, as when nobody has told it of them. */
function places() {
  const kept = { isGiven: false, isFree: true, asked: 0 }
  const shares = {
    mayBegin: () => kept.isGiven,
    isFree: () => kept.isFree,
    want: () => void (kept.asked += 1),
    ended: () => undefined,
  }
  return { kept, shares }
}

test('a job that does nothing though there are places is given up, told of, and taken up anew', async () => {
  const { kept, shares } = places()
  const given: string[] = []
  const stoodStill = (id: string): void => {
    given.push(id)
    kept.isGiven = true
  }
  const { open } = bench({ shares, stoodStill, leaseTime: 60 })
  const job = await open(3)
  expect(await job.end()).toMatchObject({ status: 'completed', completed: 3 })
  expect(await addressesOf(job)).toEqual(numbers(3))
  expect(given).toEqual([job.id])
})

test('a job that waits for a place that others have is not given up', async () => {
  const { kept, shares } = places()
  kept.isFree = false
  const given: string[] = []
  const { open } = bench({ shares, stoodStill: (id) => void given.push(id), leaseTime: 30 })
  const job = await open(3)
  // Many renewals later.
  await new Promise((resolve) => setTimeout(resolve, 300))
  kept.isGiven = true
  await job.cancel()
  expect(given).toEqual([])
})
