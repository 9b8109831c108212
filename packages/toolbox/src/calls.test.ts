import { expect, test } from 'vitest'

import { openCalls } from './calls.ts'

test('closing waits for the calls that are under way, whether they fail or not, and further calls are refused', async () => {
  const calls = openCalls(() => new Error('It is closed.'))
  const [one, other] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  const given = calls.run(() => one.promise)
  const failing = calls.run(() => other.promise)
  const order: string[] = []
  const closed = calls.close().then(() => order.push('closed'))
  expect(calls.isOpen).toBe(false)
  await expect(calls.run(async () => 1)).rejects.toThrow('It is closed.')
  other.reject(new Error('It failed.'))
  await expect(failing).rejects.toThrow('It failed.')
  order.push('failed')
  one.resolve(2)
  expect(await given).toBe(2)
  await closed
  expect(order).toEqual(['failed', 'closed'])
})
