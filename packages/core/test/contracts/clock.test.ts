import { setTimeout } from 'node:timers/promises'

import { clockContract, handClock } from '@harvestman/testing'
import { describe, test } from 'vitest'

import { systemClock } from '@harvestman/ports'

describe('systemClock keeps the contract', () => {
  for (const { name, run } of clockContract)
    test(name, () => run(() => ({ clock: systemClock, pass: (ms) => setTimeout(ms + 5) })))
})

describe('handClock keeps the contract', () => {
  for (const { name, run } of clockContract)
    test(name, () =>
      run(() => {
        const clock = handClock()
        return { clock, pass: clock.pass }
      }),
    )
})
