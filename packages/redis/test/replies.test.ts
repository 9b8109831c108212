import fc from 'fast-check'
import { expect, test } from 'vitest'

import { replyLength } from '../src/replies.ts'

test.each([
  ['+OK\r\n', 5],
  ['-ERR no\r\n:1\r\n', 9],
  [':12\r\n', 5],
  ['$-1\r\n+OK\r\n', 5],
  ['$5\r\n', 11],
  ['$0\r\n\r\n', 6],
  ['=8\r\ntxt:abcd', 14],
  ['!3\r\nERR\r\n', 9],
  ['*2\r\n$1\r\na\r\n', 4],
  ['_\r\n', 3],
])('%j begins with a part of %i bytes', (reply, length) => {
  expect(replyLength(Buffer.from(reply), 0)).toBe(length)
})

test.each(['', '$', '$12', '$12\r', '+OK'])('%j does not tell yet', (reply) => {
  expect(replyLength(Buffer.from(reply), 0)).toBeUndefined()
})

test('the parts of a reply are all of it, whatever its texts hold', () => {
  const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom('$3\r\n', '\r\n', '*1\r\n')), { maxLength: 8 })
  fc.assert(
    fc.property(texts, (all) => {
      const items = all.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`)
      const reply = Buffer.from(`*${all.length}\r\n${items.join('')}`)
      let [at, parts] = [0, 0]
      for (; at < reply.length; parts += 1) at += replyLength(reply, at) ?? Infinity
      expect([at, parts]).toEqual([reply.length, all.length + 1])
    }),
  )
})
