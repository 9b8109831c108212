import { handClock, settle } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeInbox } from './inbox.ts'

function bench(limits = { waiting: 1_000, perSecond: 10_000 }) {
  const clock = handClock()
  const held: boolean[] = []
  const faults: unknown[] = []
  const inbox = makeInbox({
    clock,
    limits,
    hold: (isHeld) => held.push(isHeld),
    onFault: (fault) => faults.push(fault),
  })
  return { clock, held, faults, inbox }
}

test('messages wait for who takes them, and are taken in their order', async () => {
  const { inbox } = bench()
  const taken: string[] = []
  inbox.add('one')
  inbox.add('two')
  await settle()
  inbox.open((message) => taken.push(message))
  inbox.add('three')
  await settle()
  expect(taken).toEqual(['one', 'two', 'three'])
})

test('a message is never taken in the step in which it comes', async () => {
  const { inbox } = bench()
  const taken: string[] = []
  inbox.open((message) => taken.push(message))
  inbox.add('one')
  expect(taken).toEqual([])
  await settle()
  expect(taken).toEqual(['one'])
})

test('a sender is held when much waits, and goes on when half of it is taken', async () => {
  const { inbox, held } = bench()
  inbox.add('x'.repeat(2_000))
  expect(held).toEqual([true])
  inbox.open(() => undefined)
  await settle()
  expect(held).toEqual([true, false])
})

test('messages without a letter take place too', () => {
  const { inbox, held } = bench()
  for (let count = 0; count < 20; count += 1) inbox.add('')
  expect(held).toEqual([true])
})

test('no more is taken in a second than is allowed, and what is over waits for its turn', async () => {
  const { clock, inbox } = bench({ waiting: 1e9, perSecond: 10_000 })
  const taken: string[] = []
  inbox.open((message) => taken.push(message))
  for (let count = 0; count < 10; count += 1) inbox.add('x'.repeat(5_000))
  await settle()
  expect(taken).toHaveLength(2)
  await clock.pass(1_000)
  expect(taken).toHaveLength(4)
  await clock.pass(10_000)
  expect(taken).toHaveLength(10)
})

test('what breaks while a message is taken is told once, and no further message is taken', async () => {
  for (const isLater of [false, true]) {
    const { inbox, faults } = bench()
    let taken = 0
    inbox.open(() => {
      taken += 1
      if (isLater) return Promise.reject(new Error('broken'))
      throw new Error('broken')
    })
    inbox.add('one')
    await settle()
    inbox.add('two')
    await settle()
    expect({ taken, faults: faults.length }).toEqual({ taken: 1, faults: 1 })
  }
})

test('nothing is taken while another reason holds the sender', async () => {
  const { inbox, held } = bench()
  const taken: string[] = []
  inbox.open((message) => taken.push(message))
  inbox.hold(true)
  inbox.add('one')
  await settle()
  expect({ taken, held }).toEqual({ taken: [], held: [true] })
  inbox.hold(false)
  await settle()
  expect({ taken, held }).toEqual({ taken: ['one'], held: [true, false] })
})

test('nothing is taken after it was closed', async () => {
  const { inbox } = bench()
  const taken: string[] = []
  inbox.open((message) => taken.push(message))
  inbox.add('one')
  inbox.close()
  await settle()
  expect(taken).toEqual([])
})
