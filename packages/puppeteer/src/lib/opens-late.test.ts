import { expect, test } from 'vitest'

import { opensLate } from './opens-late.ts'

const { signal } = new AbortController()

function counted() {
  const count = { made: 0, closed: 0 }
  const late = opensLate(async () => {
    count.made += 1
    let isClosed = false
    return {
      open: async (wish: string) => (isClosed ? 'closed' : wish),
      close: async () => {
        count.closed += 1
        isClosed = true
      },
    }
  })
  return { count, late }
}

test('what opens late is made once, when something is first opened', async () => {
  const { count, late } = counted()
  expect(count.made).toBe(0)
  expect(await Promise.all([late.open('one', signal), late.open('two', signal)])).toEqual(['one', 'two'])
  expect(count.made).toBe(1)
  await late.close()
  expect(count.closed).toBe(1)
})

test('closed before anything was opened, it makes nothing, and opens nothing after', async () => {
  const { count, late } = counted()
  await late.close()
  expect(count).toEqual({ made: 0, closed: 0 })
  expect(await late.open('one', signal)).toBe('closed')
  expect(count).toEqual({ made: 1, closed: 1 })
})

test('if it could not be made, the next call tries again, and closing does not fail', async () => {
  let tries = 0
  const late = opensLate(async () => {
    tries += 1
    if (tries < 3) throw new Error('The module could not be read.')
    return { open: async (wish: string) => wish, close: async () => undefined }
  })
  await expect(late.open('one', signal)).rejects.toThrow('could not be read')
  const second = late.open('two', signal)
  await Promise.all([expect(second).rejects.toThrow('could not be read'), late.close()])
  expect(await late.open('three', signal)).toBe('three')
})
