import { flaky, handClock, settle, type HandClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { memoryStore } from '@harvestman/testing'
import type { Notice } from './outbox.ts'
import { makeBacklog } from './backlog.ts'
import { requestRedelivery, deliver, readOutbox } from './deliver.ts'
import type { Delivery } from './send.ts'

const minute = 60_000
const refused: Delivery = { why: 'no' }
const keep = () => ({})

interface TestLine {
  readonly clock?: HandClock
  readonly store?: Store
  readonly messages: readonly Notice[]
  answer(id: string): Delivery | Promise<Delivery>
}

/** Sends messages from a list that has ended. */
function start({ clock = handClock(), store = memoryStore(), messages, answer }: TestLine) {
  const sent: string[] = []
  const stop = new AbortController()
  const reads: number[] = []
  let isDone = false
  const backlog = makeBacklog()
  const done = deliver({
    backlog,
    source: {
      after: async (id, most) => {
        reads.push(most)
        const from = id === undefined ? 0 : messages.findIndex((message) => message.id === id) + 1
        const some = messages.slice(from, from + most)
        return { messages: some, upTo: some.at(-1)?.id ?? id, isEnd: from + most >= messages.length }
      },
      changed: (signal) => clock.sleep(500, signal),
    },
    send: async (id, signal) => {
      signal.throwIfAborted()
      sent.push(id)
      return answer(id)
    },
    store,
    name: 'job/x',
    keep,
    clock,
    signal: stop.signal,
    redeliveryRequested: (signal) => clock.sleep(1e9, signal),
  }).finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  return { backlog, clock, store, sent, reads, done, stop: () => stop.abort(new Error('stop')), isDone: () => isDone }
}

function pages(count: number): Notice[] {
  const middle = Array.from({ length: count }, (_, number): Notice => ({ id: String(number), order: 'any' }))
  return [{ id: 'first', order: 'first' }, ...middle, { id: 'last', order: 'last' }]
}

describe('sending', () => {
  test('ends when each message was taken once, the first one first and the last one last', async () => {
    const line = start({ messages: pages(100), answer: () => 'taken' })
    await line.done
    expect([line.sent[0], line.sent.at(-1)]).toEqual(['first', 'last'])
    expect(line.sent.toSorted()).toEqual(
      pages(100)
        .map(({ id }) => id)
        .toSorted(),
    )
    expect(await readOutbox(line.store, 'job/x')).toMatchObject({ pending: [], dead: [], count: 102 })
  })

  test('has a few messages under way at once, and a slow one holds up no other', async () => {
    const slow = Promise.withResolvers<Delivery>()
    let [running, most] = [0, 0]
    const line = start({
      messages: pages(100),
      answer: async (id) => {
        running += 1
        most = Math.max(most, running)
        await settle(1)
        const answer = id === '3' ? await slow.promise : 'taken'
        running -= 1
        return answer
      },
    })
    while (line.sent.length < 101) await settle(1)
    expect(line.sent).not.toContain('last')
    slow.resolve('taken')
    await line.done
    expect([most, line.sent.at(-1)]).toEqual([8, 'last'])
  })

  test('reads no more messages than may wait, however many there are', async () => {
    const gate = Promise.withResolvers<Delivery>()
    const line = start({ messages: pages(10_000), answer: () => gate.promise })
    await settle(20)
    expect(line.reads.every((most) => most <= 32)).toBe(true)
    expect((await readOutbox(line.store, 'job/x')).pending.length).toBeLessThanOrEqual(32)
    line.stop()
    gate.resolve('taken')
    await expect(line.done).rejects.toThrow('stop')
  })

  test('goes on in another engine with what was not taken, at the time it was to be tried', async () => {
    const first = start({ messages: pages(3), answer: (id) => (id === '1' ? refused : 'taken') })
    await settle(10)
    first.stop()
    await expect(first.done).rejects.toThrow('stop')
    const { clock, store } = first
    const next = start({ clock, store, messages: pages(3), answer: () => 'taken' })
    await clock.pass(minute - 1)
    expect(next.sent).toEqual([])
    await clock.pass(1)
    await next.done
    expect(next.sent).toEqual(['1', 'last'])
  })

  test('sends again, and loses nothing, when the engine ends between the receiver’s answer and the note of it', async () => {
    const store = memoryStore()
    for (let nth = 1; nth <= 6; nth += 1) {
      const own = memoryStore()
      const dying = flaky(own, [{ point: 'set', nth, kind: 'reject' }])
      const line = start({ store: dying, messages: pages(5), answer: () => 'taken' })
      await line.done.catch(() => undefined)
      const next = start({ store: own, messages: pages(5), answer: () => 'taken' })
      await next.done
      expect(new Set([...line.sent, ...next.sent]).size, `write ${nth}`).toBe(7)
    }
    await store.close()
  })

  test('gives up after four tries, and sends again when asked to', async () => {
    let isUp = false
    const line = start({
      messages: [
        { id: 'a', order: 'any' },
        { id: 'b', order: 'any' },
      ],
      answer: (id) => (isUp || id === 'a' ? 'taken' : refused),
    })
    await line.clock.pass(30 * minute)
    expect(line.sent.filter((id) => id === 'b')).toHaveLength(4)
    expect(await readOutbox(line.store, 'job/x')).toMatchObject({ dead: [{ id: 'b', why: 'no' }] })
    line.stop()
    await line.done.catch(() => undefined)
    isUp = true
    await requestRedelivery(line.store, 'job/x', keep())
    const again = start({
      clock: line.clock,
      store: line.store,
      messages: [
        { id: 'a', order: 'any' },
        { id: 'b', order: 'any' },
      ],
      answer: () => 'taken',
    })
    await again.done
    expect(again.sent).toEqual(['b'])
    expect((await readOutbox(line.store, 'job/x')).dead).toEqual([])
  })

  test('stops at once when the receiver is gone, and keeps what it did not want', async () => {
    const line = start({ messages: pages(3), answer: () => ({ why: 'Gone.', isFinal: true }) })
    await line.done
    expect(line.sent).toEqual(['first'])
    expect(await readOutbox(line.store, 'job/x')).toMatchObject({ isStopped: true, dead: [{ id: 'first' }] })
  })

  test('wakes seldom while a receiver is down, and delivers all of it when that is back after an hour', async () => {
    let isUp = false
    const line = start({ messages: pages(50), answer: () => (isUp ? 'taken' : refused) })
    await line.clock.pass(60 * minute)
    expect(line.sent).toEqual(Array.from({ length: 6 }, () => 'first'))
    isUp = true
    await line.clock.pass(15 * minute)
    expect(line.isDone()).toBe(true)
    expect(new Set(line.sent).size).toBe(52)
    expect([line.sent[6], line.sent.at(-1)]).toEqual(['first', 'last'])
    expect(await readOutbox(line.store, 'job/x')).toMatchObject({ dead: [], pending: [] })
  })
})

test('messages that wait for their receiver are counted, and no longer when the sender ends', async () => {
  const line = start({ messages: pages(3), answer: () => refused })
  await settle(50)
  // The first message goes before all others.
  expect(line.backlog.size).toBe(5)
  line.stop()
  await line.done.catch(() => undefined)
  expect(line.backlog.size).toBe(0)
})
