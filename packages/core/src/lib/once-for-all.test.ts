import { expect, test } from 'vitest'

import { scheduleOnce } from './schedule-once.ts'

test('work that is asked for many times in one step is done once after it, and again when it is asked for later', async () => {
  let done = 0
  const ask = scheduleOnce(() => (done += 1))
  for (let time = 0; time < 1_000; time += 1) ask()
  expect(done).toBe(0)
  await Promise.resolve()
  expect(done).toBe(1)
  ask()
  await Promise.resolve()
  expect(done).toBe(2)
})
