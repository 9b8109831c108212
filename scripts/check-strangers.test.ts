import { expect, test } from 'vitest'

import { findListeners } from './check-strangers.ts'

const found = (file: string, text: string): number => findListeners([{ file, text }]).length

test('who listens for messages of a socket by hand is found, in whatever way', () => {
  const file = 'packages/http/src/more.ts'
  expect(found(file, "socket.on('message', take)")).toBe(1)
  expect(found(file, "socket.on(\n  'message',\n  take,\n)")).toBe(1)
  expect(found(file, "socket.once('message', take)")).toBe(1)
  expect(found(file, "socket.addEventListener('message', take)")).toBe(1)
  expect(found(file, 'socket.onmessage = take')).toBe(1)
})

test('the helper, threads, tests and pages may', () => {
  const text = "socket.on('message', take)"
  expect(found('packages/toolbox/src/socket-talk.ts', text)).toBe(0)
  expect(found('packages/threads/src/threads.ts', text)).toBe(0)
  expect(found('packages/http/src/more.test.ts', text)).toBe(0)
  expect(found('packages/http/test/more.ts', text)).toBe(0)
  expect(found('packages/http/src/more.ts', 'talkOver(socket, { onClose, onFault })')).toBe(0)
})
