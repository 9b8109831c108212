import { hash } from 'node:crypto'

import type { KeepOptions, Store } from '@harvestman/ports'
import { readCheckpoint } from './checkpoint.ts'
import type { Opening } from './facts.ts'
import { storeKeys } from '../../keys.ts'

// All page ids of a job share a part with the random end of the job's id, so a single record per job leads from any page id to
// its job.

/**
 * Returns the id of a task's page and scrape. It is derived from the job and the task number, so it is the same in every
 * attempt and after every restart; the salt makes it unguessable. A UUID of version 8 (RFC 9562).
 */
export function pageId({ id, salt }: Pick<Opening, 'id' | 'salt'>, task: number): string {
  const digest = hash('sha256', `${salt}/${id}/${task}`, 'hex')
  const family = familyOf(id)
  const variant = 'cdef'.includes(digest[3] ?? '') ? 'b' : 'a'
  return `${family.slice(0, 8)}-${family.slice(8)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}

/**
 * Returns the seed for the ids of a task's files. Page ids appear in documents and must not reveal the file ids, so it is
 * derived from the salt.
 */
export function fileKey({ salt }: Pick<Opening, 'salt'>, task: string): string {
  return hash('sha256', `files/${salt}/${task}`, 'hex')
}

/** Makes the job findable by the ids of its pages, until the ttl in `keep` expires. Rejects if the store fails. */
export async function keepFamily(store: Store, job: string, keep: KeepOptions): Promise<void> {
  await store.set(storeKeys.family(familyOf(job)), job, keep)
}

/**
 * Returns the id of the job that may have a page with this id; `undefined` if there is none, or it has expired. Rejects if the
 * store fails or the record of the job cannot be read.
 */
export async function jobOfPage(store: Store, id: string): Promise<string | undefined> {
  const job = (await store.get(storeKeys.family(id.slice(0, 8) + id.slice(9, 13)))) as string | undefined
  return job && (await readCheckpoint(store, job)) ? job : undefined
}

function familyOf(job: string): string {
  return job.slice(-12)
}
