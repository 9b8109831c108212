// How a page with a kept copy is visited: by what its host has proved, and by how often it changes.
import { validatorsOf, type KeptCopy, type RevisitChoice } from '@harvestman/core/plugin'

import type { PageLooks } from './looks.ts'
import { waitOf } from './pace.ts'
import { checkedShare, type HostTrust } from './trust.ts'

/** What the choice follows from. */
export interface WayContext {
  readonly memory: PageLooks
  readonly trust: HostTrust
  /** A number from 0 to 1 for this page and this job: pages with a low one are checked. */
  readonly lot: number
  readonly now: number
  /** The longest time between two loads of a page; the page is due at each visit when absent. */
  readonly revisitWithin?: number | undefined
}

/** Without a longest time, a page is loaded after so many looks that took the word of its site. */
const mostTrusted = 10

/** The reason of a choice to keep the copy, by which a page is told that was not due. */
export const notDue = 'The page is not due.'
const notListed = 'The site does not list it as changed.'

/** Takes the word of a host as far as it can be trusted. Pages that no one speaks for are loaded when they are due. */
export function wayOf(copy: KeptCopy, { memory, trust, lot, now, revisitWithin }: WayContext): RevisitChoice {
  const { looks, trusted, pace } = memory
  if (looks.length === 0) return { way: 'load' }
  const age = pace ? now - pace.loadedAt : Infinity
  const isOverdue = revisitWithin === undefined ? trusted >= mostTrusted : age >= revisitWithin
  if (isOverdue) return { way: 'load', reason: 'The copy was trusted for as long as it may be.' }
  const isDue = revisitWithin === undefined || !pace || age >= waitOf(pace, revisitWithin)
  const listed = listingOf(copy)
  const share = listed && checkedShare(trust[listed.by])
  const isTrusted = (checked: number): boolean => checked < 1 && (!isDue || lot >= checked)
  if (listed?.isOld && isTrusted(share ?? 1)) return { way: 'keep', reason: notListed }
  if (listed && !listed.isOld && (share ?? 1) < 1) return { way: 'load', reason: 'The site lists it as changed.' }
  if (validatorsOf(copy) && isTrusted(checkedShare(trust.validators))) return { way: 'ask' }
  return isDue ? { way: 'load' } : { way: 'keep', reason: notDue }
}

/** What a site lists of a page: in its sitemaps or in a feed. */
export function listingOf({
  listed,
  at,
}: KeptCopy): { readonly by: keyof HostTrust; readonly isOld: boolean } | undefined {
  return listed && { by: listed.by, isOld: listed.at < at }
}
