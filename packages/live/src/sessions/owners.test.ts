import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/core'
import { makeSessionOwners } from './owners.ts'

test('a process finds the owner of a live browser, until that has said nothing for long or has left', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  const ownersOf = (owner: string) => makeSessionOwners({ store, owner, isGone: (name) => name === 'killed' })
  const [one, other, killed] = [ownersOf('one'), ownersOf('other'), ownersOf('killed')]
  await one.note(['browser', 'scrape'], 3_600_000)
  await killed.note(['lost'], 3_600_000)
  // Where processes do not say where they are, nothing is known of others.
  expect(await other.find('browser')).toBeUndefined()
  const stops = await Promise.all([one, other, killed].map((owners, at) => owners.announce(`http://10.0.0.${at}:1/`)))
  expect(await Promise.all(['browser', 'scrape', 'unknown'].map((id) => other.find(id)))).toEqual([
    { url: 'http://10.0.0.0:1/' },
    { url: 'http://10.0.0.0:1/' },
    undefined,
  ])
  expect(await one.find('browser')).toBeUndefined()
  expect(await other.find('lost')).toEqual({ isGone: true })
  await clock.pass(30_000)
  expect(await other.find('browser')).toEqual({ isGone: true })
  await Promise.all(stops.map((stop) => stop()))
})
