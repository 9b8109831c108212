import { expect, test } from 'vitest'

import { watchStandstill } from './standstill.ts'

function bench() {
  const job = { made: 0, couldGoOn: true }
  const look = watchStandstill(() => job)
  const times = (count: number): boolean[] => Array.from({ length: count }, look)
  return { job, times }
}

test('a job stands still that could go on and has done nothing for two lease times', () => {
  const { times } = bench()
  expect(times(6)).not.toContain(true)
  expect(times(1)).toEqual([true])
})

test('a job that does something now and then does not stand still', () => {
  const { job, times } = bench()
  for (let page = 0; page < 5; page += 1) {
    job.made += 1
    expect(times(6)).not.toContain(true)
  }
})

test('a job that waits for its host, its team or a place does not stand still', () => {
  const { job, times } = bench()
  job.couldGoOn = false
  expect(times(100)).not.toContain(true)
  job.couldGoOn = true
  expect(times(5)).not.toContain(true)
})
