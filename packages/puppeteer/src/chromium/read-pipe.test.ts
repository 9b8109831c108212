import { expect, test } from 'vitest'

import { readPipe } from './read-pipe.ts'

const read = (bytes: Buffer, pieceSize: number, most?: number): string[] => {
  const heard: string[] = []
  const take = readPipe((message) => heard.push(message), most)
  for (let from = 0; from < bytes.length; from += pieceSize) take(bytes.subarray(from, from + pieceSize))
  return heard
}

test('messages are the same however they are cut, and whatever their letters take', () => {
  const messages = ['{"a":1}', `{"b":"${'é語😀'.repeat(50)}"}`, '{}', '']
  const bytes = Buffer.from(messages.map((message) => `${message}\0`).join(''))
  for (const size of [1, 2, 3, 5, 7, 64, 1_000]) expect(read(bytes, size)).toEqual(messages)
})

const answer = (id: number, size: number): string =>
  JSON.stringify({ id, result: { value: 'x'.repeat(size) }, sessionId: 'S' })

test.each([1, 50, 1_000, 10_000])(
  'an answer above the bound is an error for who asked, in pieces of %s bytes, and the next message is heard',
  (size) => {
    const heard = read(Buffer.from(`${answer(1, 100)}\0${answer(2, 5_000)}\0{"id":3}\0`), size, 1_000)
    const message = 'The answer of the browser has more than 1000 characters.'
    expect(heard.map((text) => JSON.parse(text) as unknown)).toEqual([
      JSON.parse(answer(1, 100)),
      { id: 2, error: { code: -32_000, message }, sessionId: 'S' },
      { id: 3 },
    ])
  },
)

test('an event above the bound is left out', () => {
  const event = JSON.stringify({ method: 'A.b', params: { text: 'x'.repeat(5_000) }, sessionId: 'S' })
  expect(read(Buffer.from(`${event}\0{"id":3}\0`), 100, 1_000)).toEqual(['{"id":3}'])
})

test('what never ends fills no memory', { tags: ['long'] }, () => {
  const take = readPipe(() => undefined, 1_000_000)
  const piece = Buffer.alloc(1_000_000, 'x')
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let sent = 0; sent < 300; sent += 1) take(piece)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
})
