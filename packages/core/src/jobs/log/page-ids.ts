import { randomBytes } from 'node:crypto'

import type { KeepOptions, Store } from '../../ports/store.ts'
import { readCheckpoint } from './checkpoint.ts'

// The pages of a job have ids of one family: they begin with the random end of the id of the job. So one value for each
// job leads from the id of any of its pages to the job, and nothing is kept for each page.

/** An id for a page of a job that nobody can guess: a UUID of version 8 (RFC 9562). */
export function pageId(job: string): string {
  const random = randomBytes(10).toString('hex')
  const family = familyOf(job)
  const variant = 'cdef'.includes(random[3] ?? '') ? 'b' : 'a'
  return `${family.slice(0, 8)}-${family.slice(8)}-8${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

/** Lets the job be found by the ids of its pages. */
export async function keepFamily(store: Store, job: string, keep: KeepOptions): Promise<void> {
  await store.set(keyOf(familyOf(job)), job, keep)
}

/** The job that may have a page of this id. */
export async function jobOfPage(store: Store, id: string): Promise<string | undefined> {
  const job = (await store.get(keyOf(id.slice(0, 8) + id.slice(9, 13)))) as string | undefined
  return job && (await readCheckpoint(store, job)) ? job : undefined
}

function familyOf(job: string): string {
  return job.slice(-12)
}

function keyOf(family: string): string {
  return `family/${family}`
}
