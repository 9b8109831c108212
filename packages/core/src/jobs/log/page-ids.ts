import { hash } from 'node:crypto'

import type { KeepOptions, Store } from '@harvestman/ports'
import { readCheckpoint } from './checkpoint.ts'
import type { Opening } from './facts.ts'
import { storeKeys } from '../../keys.ts'

// The pages of a job have ids of one family: they begin with the random end of the id of the job. So one value for each
// job leads from the id of any of its pages to the job, and nothing is kept for each page.

/**
 * The key of a task: the id of its page, of its scrape, and of all that the scrape leaves behind. It is made from the job
 * and the number of the task, so it is the same in every try and after every restart; and from the salt, so that it
 * cannot be guessed. A UUID of version 8 (RFC 9562).
 */
export function pageId({ id, salt }: Pick<Opening, 'id' | 'salt'>, task: number): string {
  const digest = hash('sha256', `${salt}/${id}/${task}`, 'hex')
  const family = familyOf(id)
  const variant = 'cdef'.includes(digest[3] ?? '') ? 'b' : 'a'
  return `${family.slice(0, 8)}-${family.slice(8)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

/**
 * Seed of the ids of the files of a task. Its page id is shown in documents and must not lead to them, so this is made
 * of the salt alone.
 */
export function fileKey({ salt }: Pick<Opening, 'salt'>, task: string): string {
  return hash('sha256', `files/${salt}/${task}`, 'hex')
}

/** Lets the job be found by the ids of its pages. */
export async function keepFamily(store: Store, job: string, keep: KeepOptions): Promise<void> {
  await store.set(storeKeys.family(familyOf(job)), job, keep)
}

/** The job that may have a page of this id. */
export async function jobOfPage(store: Store, id: string): Promise<string | undefined> {
  const job = (await store.get(storeKeys.family(id.slice(0, 8) + id.slice(9, 13)))) as string | undefined
  return job && (await readCheckpoint(store, job)) ? job : undefined
}

function familyOf(job: string): string {
  return job.slice(-12)
}
