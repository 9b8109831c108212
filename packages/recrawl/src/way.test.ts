import { describe, expect, test } from 'vitest'

import { nothingKnown, type PageLooks } from './looks.ts'
import { updatePace, waitOf, type Pace } from './pace.ts'
import { strangerHost, type Evidence, type HostTrust } from './trust.ts'
import { notDue, decideRevisit } from './decide-revisit.ts'

const day = 86_400_000
const proven: Evidence = { agreed: 200, honest: 5, alarms: 0, lies: 0, liedAt: 0 }

/** A page that was loaded on day 10 for the last time, and is due after 20 days. */
const pace: Pace = { since: 0, at: 10 * day, loadedAt: 10 * day, looks: 4, changes: 0 }
const memory: PageLooks = { ...nothingKnown, looks: [{ version: 1, scrapeId: '1', at: 10 * day, job: '1' }], pace }

/** How the page is visited on a day. */
function wayOn(on: number, given: { trust?: Partial<HostTrust>; lot?: number; listedOn?: number } = {}) {
  const { trust = {}, lot = 0.9, listedOn } = given
  const listed = listedOn === undefined ? {} : { listed: { at: listedOn * day, by: 'sitemap' as const } }
  const copy = { url: 'https://a.example/', at: 10 * day, headers: { etag: '"1"' }, ...listed }
  const context = { memory, lot, now: on * day, revisitWithin: 30 * day, trust: { ...strangerHost, ...trust } }
  return decideRevisit(copy, context)
}

describe('with a longest time between two loads', () => {
  test('a page that no one speaks for is kept until it is due', () => {
    expect(wayOn(29)).toEqual({ way: 'keep', reason: notDue })
    expect(wayOn(30).way).toBe('load')
  })

  test('an honest host is asked each time, and of the pages that are due some are loaded', () => {
    const trust = { validators: proven }
    expect(wayOn(11, { trust, lot: 0.01 }).way).toBe('ask')
    expect(wayOn(31, { trust, lot: 0.9 }).way).toBe('ask')
    expect(wayOn(31, { trust, lot: 0.01 }).way).toBe('load')
  })

  test('a page is loaded when its time has come, whatever its host says', () => {
    expect(wayOn(39, { trust: { validators: proven } }).way).toBe('ask')
    expect(wayOn(40, { trust: { validators: proven } }).way).toBe('load')
  })

  test('a page that an honest sitemap lists as changed is loaded at once, and one that it does not is kept', () => {
    const trust = { sitemap: proven }
    expect(wayOn(12, { trust, listedOn: 11 }).way).toBe('load')
    expect(wayOn(31, { trust, listedOn: 9 }).way).toBe('keep')
    expect(wayOn(12, { listedOn: 11 }).way).toBe('keep')
  })

  test.each([
    ['has lied', { ...proven, lies: 1, liedAt: 0 }],
    ['says of all pages that they have changed', { ...proven, agreed: 0, alarms: 30 }],
  ])('a host that %s is not asked', (_, validators) => {
    expect(wayOn(29, { trust: { validators } })).toEqual({ way: 'keep', reason: notDue })
    expect(wayOn(31, { trust: { validators } }).way).toBe('load')
  })
})

test('looks that were not taken at the page move the next load on, and not its time', () => {
  const first = updatePace(undefined, { at: 0, isLoaded: true, hasChanged: false })
  const asked = updatePace(first, { at: 5 * day, isLoaded: false, hasChanged: false })
  expect([asked.at, asked.loadedAt, waitOf(asked, 30 * day)]).toEqual([5 * day, 0, 10 * day])
})
