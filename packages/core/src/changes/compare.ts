import type { Look } from './history.ts'

/** How a page has changed since its last version. */
export type ChangeStatus = 'new' | 'same' | 'changed' | 'removed'

const removedStatuses: ReadonlySet<number> = new Set([404, 410])

/** Returns whether a status means that the page no longer exists (404 or 410). */
export function isRemoved(status: number): boolean {
  return removedStatuses.has(status)
}

/**
 * Returns whether a page with this status can be compared: one without an error, or one that was removed. Other error responses
 * reveal nothing about its content.
 */
export function isComparable(status: number): boolean {
  return status < 400 || isRemoved(status)
}

/** Returns the change status of a page. A page that reappears after it was removed is new. */
export function changeStatusOf(status: number, { before, isSame }: Pick<Look, 'before' | 'isSame'>): ChangeStatus {
  if (isRemoved(status)) return 'removed'
  if (!before || before.isRemoved) return 'new'
  return isSame ? 'same' : 'changed'
}
