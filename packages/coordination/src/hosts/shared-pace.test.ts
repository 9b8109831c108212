import { flaky, handClock, memoryStore, settle } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { sharedPace } from './shared-pace.ts'

const open = new AbortController().signal

test('visits of several engines to one host start a pause apart, and those to another host at once', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  const [one, other] = [sharedPace(store, clock), sharedPace(store, clock)]
  const begin = clock.now()
  const starts: number[] = []
  const visit = async (pace: typeof one, host: string) => {
    await pace.await(host, 1000, open)
    if (host === 'a') starts.push(clock.now() - begin)
  }
  const visits = Promise.all([visit(one, 'a'), visit(other, 'a'), visit(one, 'a'), visit(other, 'a')])
  await visit(one, 'b')
  await clock.pass(3000)
  await visits
  expect(starts).toEqual([0, 1000, 2000, 3000])
})

test('a host that was left alone for long is visited at once, and a clock that was wrong holds up nobody', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  const pace = sharedPace(store, clock)
  await pace.await('a', 1000, open)
  await clock.pass(10_000)
  await pace.await('a', 1000, open)
  await store.set('pace/a', { next: clock.now() + 86_400_000 })
  await pace.await('a', 1000, open)
})

test('an engine that is closed waits no longer, and a store that is away keeps no visit from starting', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  const pace = sharedPace(store, clock)
  await pace.await('a', 1000, open)
  const stop = new AbortController()
  const waiting = pace.await('a', 1000, stop.signal)
  await settle()
  stop.abort(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  await sharedPace(flaky(store, [{ point: 'update', nth: 1, kind: 'reject' }]), clock).await('a', 1000, open)
})
