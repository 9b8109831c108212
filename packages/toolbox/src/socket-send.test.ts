import { expect, test } from 'vitest'

import { makeSender, type SendSocket } from './socket-send.ts'

function socket(state = { readyState: 1 }) {
  const sent: { readonly message: string | Uint8Array; readonly binary: boolean; readonly fin: boolean }[] = []
  const made: SendSocket = {
    get readyState() {
      return state.readyState
    },
    bufferedAmount: 0,
    send: (message, { binary, fin }, done) => {
      sent.push({ message, binary, fin })
      done()
    },
  }
  return { made, sent, state }
}

test('a long text is sent in fragments without a cut in a pair, and later messages follow it', async () => {
  const { made, sent } = socket()
  const { send, left } = makeSender(made, () => undefined)
  const long = `x${'😀'.repeat(1_000_000)}`
  expect(await Promise.all([send(long), send('short')])).toEqual([true, true])
  const parts = sent.slice(0, -1)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.every(({ message }) => (message as string).isWellFormed())).toBe(true)
  expect(parts.map(({ message }) => message).join('')).toBe(long)
  expect(sent.map(({ fin }) => fin)).toEqual([...parts.slice(1).map(() => false), true, true])
  expect([sent.at(-1)?.message, left()]).toEqual(['short', 0])
})

test('bytes are one fragment', async () => {
  const { made, sent } = socket()
  expect(await makeSender(made, () => undefined).send(new Uint8Array(2_000_000))).toBe(true)
  expect(sent).toMatchObject([{ binary: true, fin: true }])
})

test('nothing is sent to a closed socket', async () => {
  const { made, sent } = socket({ readyState: 3 })
  const { send, left } = makeSender(made, () => undefined)
  expect(await Promise.all([send('short'), send('x'.repeat(2_000_000))])).toEqual([false, false])
  expect([sent, left()]).toEqual([[], 0])
})
