import { expect, test } from 'vitest'

import { nextTurn } from './next-turn.ts'

test('other callbacks of the event loop run first', async () => {
  const order: string[] = []
  setImmediate(() => order.push('callback'))
  await nextTurn()
  order.push('next turn')
  expect(order).toEqual(['callback', 'next turn'])
})
