import { expect, test } from 'vitest'

import { addressesOf, bench, numbers } from '../fixtures/suite.ts'

/** Permits that are free and that a job is not given, as when nobody has told it of them. */
function permitsOf() {
  const kept = { isGiven: false, isFree: true, asked: 0 }
  const permits = {
    mayBegin: () => kept.isGiven,
    isFree: () => kept.isFree,
    ask: () => void (kept.asked += 1),
    ended: () => undefined,
  }
  return { kept, permits }
}

test('a job that does nothing though there are permits is given up, told of, and taken up anew', async () => {
  const { kept, permits } = permitsOf()
  const given: string[] = []
  const stoodStill = (id: string): void => {
    given.push(id)
    kept.isGiven = true
  }
  const { open } = bench({ permits, stoodStill, leaseTime: 60 })
  const job = await open(3)
  expect(await job.end()).toMatchObject({ status: 'completed', completed: 3 })
  expect(await addressesOf(job)).toEqual(numbers(3))
  expect(given).toEqual([job.id])
})

test('a job that waits for a permit that others have is not given up', async () => {
  const { kept, permits } = permitsOf()
  kept.isFree = false
  const given: string[] = []
  const { open } = bench({ permits, stoodStill: (id) => void given.push(id), leaseTime: 30 })
  const job = await open(3)
  // Many renewals later.
  await new Promise((resolve) => setTimeout(resolve, 300))
  kept.isGiven = true
  await job.cancel()
  expect(given).toEqual([])
})
