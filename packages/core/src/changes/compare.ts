import type { Look } from './history.ts'

export type ChangeStatus = 'new' | 'same' | 'changed' | 'removed'

const removedStatuses: ReadonlySet<number> = new Set([404, 410])

/** True when a page with this status says that it is no more. */
export function isRemoved(status: number): boolean {
  return removedStatuses.has(status)
}

/** A page that answers with another failure says nothing about its content. */
export function isComparable(status: number): boolean {
  return status < 400 || isRemoved(status)
}

/** A page that was gone and is there again is new. */
export function changeStatusOf(status: number, { before, isSame }: Pick<Look, 'before' | 'isSame'>): ChangeStatus {
  if (isRemoved(status)) return 'removed'
  if (!before || before.isRemoved) return 'new'
  return isSame ? 'same' : 'changed'
}
