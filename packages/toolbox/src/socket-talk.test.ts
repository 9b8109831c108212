import { settle } from '@harvestman/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { talkOver, unread, type TalkSocket } from './socket-talk.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

/** A socket whose other side does what it is told. */
function fakeSocket() {
  const seen: string[] = []
  const parts: { binary: boolean; fin: boolean; text: string }[] = []
  const hears: Record<string, (data: Uint8Array) => void> = {}
  let drained: (() => void)[] = []
  const socket = {
    readyState: 1,
    bufferedAmount: 0,
    on: (event: string, listener: (data: Uint8Array) => void) => (hears[event] = listener),
    send: (message: string | Uint8Array, options: { binary: boolean; fin: boolean }, sent: () => void) => {
      socket.bufferedAmount += message.length
      // As it arrives: half a letter does not.
      parts.push({ ...options, text: Buffer.from(message).toString() })
      drained.push(sent)
    },
    pause: () => void seen.push('pause'),
    resume: () => void seen.push('resume'),
    close: (code: number) => {
      socket.readyState = 2
      seen.push(`close ${code}`)
    },
    terminate: () => void seen.push('terminate'),
  } satisfies TalkSocket
  return {
    socket,
    seen,
    parts,
    say: (text: string) => hears['message']?.(Buffer.from(text)),
    leave: () => hears['close']?.(Buffer.alloc(0)),
    read: () => {
      socket.bufferedAmount = 0
      for (const sent of drained.splice(0)) sent()
    },
  }
}

test('what breaks while a message is taken ends this connection with a code, is told, and goes no further', async () => {
  const { socket, seen, say } = fakeSocket()
  const faults: unknown[] = []
  const talk = talkOver(socket, { onClose: () => undefined, onFault: (fault) => faults.push(fault) })
  talk.open(() => Promise.reject(new Error('broken')))
  say('{}')
  await settle()
  expect({ seen, faults: faults.map(String) }).toEqual({ seen: ['close 1011'], faults: ['Error: broken'] })
})

test('who does not read is listened to no more, then hung up on, and cannot keep the connection open', async () => {
  const { socket, seen, say } = fakeSocket()
  const taken: string[] = []
  const talk = talkOver(socket, { onClose: () => undefined, onFault: () => undefined })
  talk.open((message) => taken.push(message))
  const piece = 'x'.repeat(unread.hold + 1)
  const first = talk.send(piece)
  expect(seen).toEqual(['pause'])
  say('more')
  await settle()
  expect(taken).toEqual([])
  const enough = Math.ceil((2 * unread.most) / piece.length)
  const sent = Array.from({ length: enough }, () => talk.send(piece))
  expect(seen).toEqual(['pause', 'close 1008'])
  expect(await sent.at(-1)).toBe(false)
  await settle(20)
  expect(socket.bufferedAmount).toBeLessThan(unread.most + 2 * piece.length)
  expect(seen).toEqual(['pause', 'close 1008'])
  expect(await talk.send('x')).toBe(false)
  vi.advanceTimersByTime(10_000)
  expect(seen).toEqual(['pause', 'close 1008', 'terminate'])
  expect(await Promise.race([first, Promise.resolve('not sent')])).toBe('not sent')
})

test('who reads again is listened to again', async () => {
  const { socket, seen, say, read } = fakeSocket()
  const taken: string[] = []
  const talk = talkOver(socket, { onClose: () => undefined, onFault: () => undefined })
  talk.open((message) => taken.push(message))
  const sending = talk.send('x'.repeat(unread.hold + 1))
  say('one')
  for (let turn = 0; turn < 20; turn += 1) {
    await settle()
    read()
  }
  await sending
  expect({ seen, taken }).toEqual({ seen: ['pause', 'resume'], taken: ['one'] })
})

test('a large message goes out in parts, whole letters in each, and what is said after it comes after it', async () => {
  const { socket, parts, read } = fakeSocket()
  const talk = talkOver(socket, { onClose: () => undefined, onFault: () => undefined })
  const large = `x${'😀'.repeat(1_200_000)}`
  const sending = [talk.send('before'), talk.send(large), talk.send(new Uint8Array([1])), talk.send('after')]
  for (let turn = 0; turn < 20; turn += 1) {
    await settle()
    read()
  }
  expect(await Promise.all(sending)).toEqual([true, true, true, true])
  const texts = parts.filter(({ binary }) => !binary).map(({ text }) => text)
  expect(texts.slice(1, -1).join('')).toBe(Buffer.from(large).toString())
  expect(parts.map(({ binary, fin }) => `${binary} ${fin}`)).toEqual([
    'false true',
    'false false',
    'false false',
    'false true',
    'true true',
    'false true',
  ])
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(1_048_576)
})

test('that the other side has left is told once', () => {
  const { socket, leave } = fakeSocket()
  const onClose = vi.fn()
  talkOver(socket, { onClose, onFault: () => undefined })
  leave()
  expect(onClose).toHaveBeenCalledOnce()
})
