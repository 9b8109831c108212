import { expect, test } from 'vitest'

import { makeNotifier } from './notifier.ts'

test('all who wait are notified, and those who come later wait for the next time', async () => {
  const { notify, wait } = makeNotifier()
  const { signal } = new AbortController()
  const before = Promise.all([wait(signal), wait(signal)])
  notify()
  await before
  let isNotified = false
  const after = wait(signal).then(() => (isNotified = true))
  await Promise.resolve()
  expect(isNotified).toBe(false)
  notify()
  await after
})

test('an aborted wait rejects with the reason of its signal, and others go on', async () => {
  const { notify, wait } = makeNotifier()
  const controller = new AbortController()
  const [aborted, other] = [wait(controller.signal), wait(new AbortController().signal)]
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  await expect(wait(controller.signal)).rejects.toThrow('enough')
  notify()
  await other
})
