import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { gatherMessages, messageSocket, type LengthOf } from './whole-reads.ts'

// A message is its length in four bytes, and as many bytes as that.
const lengthOf: LengthOf = (bytes, start) => (start + 4 <= bytes.length ? 4 + bytes.readUInt32BE(start) : undefined)
const messageOf = (length: number, mark: number): Buffer => {
  const message = Buffer.alloc(4 + length, mark)
  message.writeUInt32BE(length)
  return message
}

/** What is handed on of bytes that are read in pieces of these sizes, in turns, through one buffer that is used again. */
function gather(sent: Buffer, sizes: readonly number[], length = lengthOf): readonly Buffer[] {
  const given: Buffer[] = []
  const take = gatherMessages(length, (bytes) => given.push(bytes))
  const shared = Buffer.alloc(Math.max(...sizes))
  for (let at = 0, turn = 0; at < sent.length; turn += 1) {
    const size = Math.min(sizes[turn % sizes.length] ?? 1, sent.length - at)
    take(shared.subarray(0, sent.copy(shared, 0, at, at + size)))
    shared.fill(0xee)
    at += size
  }
  return given
}

test('however messages are cut when they are read, each is handed on whole, and once', () => {
  const lengths = fc.array(fc.nat(40), { minLength: 1, maxLength: 20 })
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lengths, sizes, (all, cuts) => {
      const sent = Buffer.concat(all.map((length, index) => messageOf(length, index)))
      const given = gather(sent, cuts)
      expect(Buffer.concat(given).equals(sent)).toBe(true)
      for (const bytes of given) {
        let end = 0
        while (end < bytes.length) end += lengthOf(bytes, end) ?? Infinity
        expect(end).toBe(bytes.length)
      }
    }),
  )
})

test('a long message has a buffer to itself', () => {
  const given = gather(Buffer.concat([messageOf(10, 1), messageOf(300_000, 2), messageOf(10, 3)]), [65_536])
  expect(given.map(({ length }) => length)).toEqual([14, 300_004, 14])
  expect(given[1]?.buffer.byteLength).toBe(300_004)
})

test('a message that is too long to be held passes piece by piece, and the next one is whole again', () => {
  const huge = Buffer.alloc(4 + 64_000_001, 7)
  huge.writeUInt32BE(64_000_001)
  const sent = Buffer.concat([huge, messageOf(100_000, 8)])
  const given = gather(sent, [262_144])
  expect(given.length).toBeGreaterThan(200)
  expect(given.at(-1)?.length).toBe(100_004)
  expect(given.reduce((sum, { length }) => sum + length, 0)).toBe(sent.length)
})

test('what never tells its length is handed on as it comes', () => {
  const sent = Buffer.alloc(300_000, 5)
  const given = gather(sent, [50_000], () => undefined)
  expect(Buffer.concat(given).equals(sent)).toBe(true)
})

test('a socket hands on what a server sends, and its end', async () => {
  const sent = Buffer.concat([messageOf(3, 1), messageOf(2_000_000, 2), messageOf(5, 3)])
  const server = createServer((socket) => void socket.end(sent)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = messageSocket(lengthOf)
  const given: Buffer[] = []
  socket.on('data', (bytes) => given.push(bytes))
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'end')
  expect(Buffer.concat(given).equals(sent)).toBe(true)
  expect(given.some(({ length }) => length === 2_000_004)).toBe(true)
  socket.destroy()
  server.close()
})
