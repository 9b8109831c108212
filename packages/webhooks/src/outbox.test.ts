import { describe, expect, test } from 'vitest'

import {
  addTo,
  dueIn,
  emptyOutbox,
  isDown,
  isSettled,
  nextTime,
  retryFailed,
  countReadable,
  recordDelivery,
  type Outbox,
  type Notice,
} from './outbox.ts'
import type { Delivery } from './send.ts'

const minute = 60_000
const refused: Delivery = { why: 'no' }

const notice = (id: string): Notice => ({
  id,
  order: id === 'first' ? 'first' : id.startsWith('last') ? 'last' : 'any',
})
const bookOf = (...ids: string[]): Outbox => addTo(emptyOutbox, ids.map(notice), 0)
const ids = (messages: readonly Notice[]): string[] => messages.map(({ id }) => id)
const all = (outbox: Outbox, list: readonly string[], outcome: Delivery, now: number): Outbox =>
  list.reduce((changed, id) => recordDelivery(changed, id, outcome, now), outbox)

/** Tries whatever is due, until this time, and tells when what was tried. */
function run(start: Outbox, from: number, until: number, answer: (id: string, now: number) => Delivery) {
  const tries: string[] = []
  let outbox = start
  for (let now = from; now <= until; now = Math.max(nextTime(outbox, now), now + 1)) {
    for (let due = dueIn(outbox, now); due[0]; due = dueIn(outbox, now)) {
      tries.push(`${due[0].id} ${now / minute}`)
      outbox = recordDelivery(outbox, due[0].id, answer(due[0].id, now), now)
    }
  }
  return { outbox, tries }
}

describe('the order', () => {
  test('is: the first one alone until it is taken, then the others, and the last one when no other is left', () => {
    let outbox = bookOf('first', 'a', 'b', 'last')
    expect(ids(dueIn(outbox, 0))).toEqual(['first'])
    outbox = recordDelivery(outbox, 'first', 'taken', 0)
    expect(ids(dueIn(outbox, 0))).toEqual(['a', 'b'])
    outbox = recordDelivery(recordDelivery(outbox, 'b', 'taken', 0), 'a', refused, 0)
    expect(ids(dueIn(outbox, 0))).toEqual([])
    expect(nextTime(outbox, 0)).toBe(minute)
    outbox = recordDelivery(outbox, 'a', 'taken', minute)
    expect(ids(dueIn(outbox, minute))).toEqual(['last'])
  })

  test('waits for a first message that is refused, until it is given up', () => {
    const { tries } = run(bookOf('first', 'a'), 0, 36 * minute, (id) => (id === 'first' ? refused : 'taken'))
    expect(tries.slice(0, 4)).toEqual(['first 0', 'first 1', 'first 6', 'first 21'])
  })

  test('lets go the last message of a job that has begun again since, and then what came later', () => {
    let outbox = bookOf('last', 'a', 'last 2')
    expect(ids(dueIn(outbox, 0))).toEqual(['last', 'a'])
    outbox = all(outbox, ['last', 'a'], 'taken', 0)
    expect(ids(dueIn(outbox, 0))).toEqual(['last 2'])
  })
})

describe('a message that is not taken', () => {
  test('is tried again after 1, 5 and 15 minutes, and is given up then', () => {
    let outbox = bookOf('a')
    const times: number[] = []
    for (let now = 0; times.length < 4; now = nextTime(outbox, now)) {
      times.push(now / minute)
      outbox = recordDelivery(outbox, 'a', refused, now)
    }
    expect(times).toEqual([0, 1, 6, 21])
    expect(outbox.pending).toEqual([])
    expect(outbox.dead).toMatchObject([{ id: 'a', tries: 4, why: 'no' }])
  })

  test('is tried when the receiver asks for it, not sooner than planned, and not later than the longest rest', () => {
    const wait = (ms: number) => nextTime(recordDelivery(bookOf('a'), 'a', { why: 'busy', wait: ms }, 0), 0)
    expect([wait(1000), wait(3 * minute), wait(1e12)]).toEqual([minute, 3 * minute, 15 * minute])
  })

  test('does not wait for an hour because the clock was set back by one', () => {
    const outbox = recordDelivery(bookOf('a'), 'a', refused, 60 * minute)
    expect(ids(dueIn(outbox, 0))).toEqual(['a'])
  })

  test('stops everything at once when the receiver says that it is gone; nothing is forgotten', () => {
    const outbox = recordDelivery(bookOf('a', 'b'), 'a', { why: 'Gone.', isFinal: true }, 0)
    expect([outbox.isStopped, isSettled(outbox), countReadable(outbox)]).toEqual([true, true, 0])
    expect([ids(outbox.dead), ids(outbox.pending)]).toEqual([['a'], ['b']])
    const again = retryFailed(outbox, 1, 5)
    expect([ids(dueIn(again, 5)), again.isStopped]).toEqual([['a', 'b'], false])
    expect(retryFailed(again, 1, 5)).toBe(again)
  })

  test('does not hold up others: many may wait, and still new ones are read', () => {
    let outbox = bookOf()
    for (let number = 0; number < 200; number += 1) {
      outbox = addTo(outbox, [notice(`bad ${number}`), notice(`good ${number}`)], 0)
      outbox = recordDelivery(recordDelivery(outbox, `bad ${number}`, refused, 0), `good ${number}`, 'taken', 0)
    }
    expect(outbox.pending).toHaveLength(200)
    expect(countReadable(outbox)).toBe(32)
    const full = addTo(
      outbox,
      Array.from({ length: 312 }, (_, number) => notice(String(number))),
      0,
    )
    expect(countReadable(full)).toBe(0)
  })
})

describe('a receiver that takes nothing', () => {
  test('gets nothing new after four failures in a row', () => {
    const outbox = all(bookOf('a', 'b', 'c', 'd', 'e'), ['a', 'b', 'c', 'd'], refused, 0)
    expect([isDown(outbox), countReadable(outbox), ids(dueIn(outbox, 0))]).toEqual([true, 0, []])
    expect(nextTime(outbox, 0)).toBe(minute)
  })

  test('is tried with one message each quarter of an hour, and is sent all of them in order when it is back', () => {
    const backAt = 70 * minute
    const { outbox, tries } = run(bookOf('first', 'a', 'b', 'last'), 0, 80 * minute, (_, now) =>
      now < backAt ? refused : 'taken',
    )
    const times = [0, 1, 6, 21, 36, 51, 66, 81].filter((time) => time <= 66)
    expect(tries.slice(0, times.length)).toEqual(times.map((time) => `first ${time}`))
    expect(tries).toHaveLength(times.length)
    const rest = run(outbox, 81 * minute, 81 * minute, () => 'taken')
    expect(rest.tries).toEqual(['first 81', 'a 81', 'b 81', 'last 81'])
    expect(isSettled(rest.outbox) && rest.outbox.dead.length === 0).toBe(true)
  })

  test('gets at once what had to wait when it takes the first message again', () => {
    const outbox = recordDelivery(
      all(bookOf('a', 'b', 'c', 'd'), ['a', 'b', 'c', 'd'], refused, 0),
      'c',
      'taken',
      minute,
    )
    expect([isDown(outbox), ids(dueIn(outbox, minute))]).toEqual([false, ['a', 'b', 'd']])
  })
})

test('an outbox that was kept and read again is the same', () => {
  const outbox = all(bookOf('first', 'a', 'b'), ['first'], refused, 0)
  expect(JSON.parse(JSON.stringify(outbox))).toEqual(outbox)
})

test('a message whose content is lost is not sent again, and says nothing about the receiver', () => {
  const outbox = recordDelivery({ ...bookOf('a', 'b', 'last'), failures: 2 }, 'a', 'lost', 0)
  expect(outbox).toMatchObject({ lost: 1, failures: 2, dead: [] })
  expect(ids(outbox.pending)).toEqual(['b', 'last'])
})
