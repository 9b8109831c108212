// Decides how to visit a page with a cached copy, from the reliability of its host and the change rate of the page.
import { validatorsOf, type KeptCopy, type RevisitChoice } from '@harvestman/core/plugin'

import type { PageLooks } from './looks.ts'
import { waitOf } from './pace.ts'
import { checkedShare, type HostTrust } from './trust.ts'

/** The input of the decision. */
export interface WayContext {
  readonly memory: PageLooks
  readonly trust: HostTrust
  /** Pseudo-random number from 0 to 1 for this page and job. Pages below the checked share are loaded for verification. */
  readonly lot: number
  readonly now: number
  /** Maximum time between two loads of a page, in milliseconds. Without it, the page is due at each visit. */
  readonly revisitWithin?: number | undefined
}

/** Without `revisitWithin`, a page is loaded after this many visits that trusted its site. */
const maxTrustedVisits = 10

/** Reason for using the copy of a page that is not due. Also identifies such visits later. */
export const notDue = 'The page is not due.'
const notListed = 'The site does not list it as changed.'

/**
 * Decides whether to load a page, to send a conditional request, or to use the copy. Without a trusted report, pages are loaded
 * when they are due.
 */
export function decideRevisit(copy: KeptCopy, { memory, trust, lot, now, revisitWithin }: WayContext): RevisitChoice {
  const { looks, trusted, pace } = memory
  if (looks.length === 0) return { way: 'load' }
  const age = pace ? now - pace.loadedAt : Infinity
  const isOverdue = revisitWithin === undefined ? trusted >= maxTrustedVisits : age >= revisitWithin
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

/**
 * Returns the entry for a page in the sitemap or feed of the site. `isOld` means that it was not changed since the
 * copy. Returns `undefined` if the page is not listed.
 */
export function listingOf({
  listed,
  at,
}: KeptCopy): { readonly by: keyof HostTrust; readonly isOld: boolean } | undefined {
  return listed && { by: listed.by, isOld: listed.at < at }
}
