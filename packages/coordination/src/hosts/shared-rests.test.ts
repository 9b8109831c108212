import { handClock, memoryStore, settle } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { sharedRests } from './shared-rests.ts'

function bench() {
  const clock = handClock()
  const store = memoryStore({ clock })
  const open = () => {
    const heard: [string, number][] = []
    const rests = sharedRests({ store, clock, longest: 60_000, onRest: (...news) => void heard.push(news) })
    rests.begin()
    return { ...rests, heard }
  }
  return { clock, store, open }
}

test('what one engine is asked by a host the others hear once, and who comes later hears what is left', async () => {
  const { clock, open } = bench()
  const [one, other] = [open(), open()]
  await settle()
  one.tell('a', 5000)
  one.tell('b', 100)
  await settle()
  await clock.pass(2000)
  const late = open()
  await settle()
  other.tell('c', 1000)
  await settle()
  expect(other.heard).toEqual([['a', 5000]])
  expect(late.heard).toEqual([
    ['a', 3000],
    ['c', 1000],
  ])
  expect(one.heard).toEqual([['c', 1000]])
  await Promise.all([one.close(), other.close(), late.close()])
})

test('a longer rest replaces a shorter one, and a shorter one changes nothing', async () => {
  const { open } = bench()
  const [one, other] = [open(), open()]
  await settle()
  one.tell('a', 1000)
  await settle()
  one.tell('a', 4000)
  await settle()
  one.tell('a', 500)
  await settle()
  expect(other.heard).toEqual([
    ['a', 1000],
    ['a', 4000],
  ])
  await Promise.all([one.close(), other.close()])
})

test('a time that a wrong clock wrote is not believed, and rests that are over are not kept', async () => {
  const { clock, store, open } = bench()
  await store.set('rests', { wrong: clock.now() + 86_400_000, over: clock.now() - 1 })
  const [one, other] = [open(), open()]
  await settle()
  one.tell('a', 1000)
  await settle()
  expect(other.heard).toEqual([['a', 1000]])
  expect(Object.keys((await store.get('rests')) as object)).toEqual(['a'])
  await Promise.all([one.close(), other.close()])
})
