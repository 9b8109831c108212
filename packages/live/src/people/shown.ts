import { linkOf, type PersonRecord } from './records.ts'
import type { PersonRequest } from './requests.ts'

/** Formats a request to a person. `at` is the public URL of the server, if it is known. */
export function showPerson(record: PersonRecord, at: string | undefined): PersonRequest {
  const { id, reason, message, url, profile, job, createdAt, expiresAt, end } = record
  const link = at === undefined || end ? null : `${at.replace(/\/+$/, '')}/v2/people/link/open/${linkOf(record)}`
  return {
    ...{ id, status: end?.result ?? 'waiting', reason, message, url, profile, jobId: job ?? null, link },
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    endedAt: end ? new Date(end.at).toISOString() : null,
  }
}
