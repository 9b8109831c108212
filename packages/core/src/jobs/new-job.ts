import { hash } from 'node:crypto'

import { EngineError } from '@harvestman/ports'
import { describeTarget } from '../lib/target.ts'
import { uuidv7 } from '@harvestman/toolbox/uuid'
import { getOrCreate, layout } from '@harvestman/coordination'
import type { JobData, Opening } from './log/facts.ts'
import type { JobCaller } from './caller.ts'
import { isInternal } from './log/internal.ts'
import type { JobKit } from './kit.ts'
import { heldFor } from './run/job-account.ts'
import { readCheckpoint } from './log/checkpoint.ts'
import { startSegments, writeStart } from './start.ts'
import { storeKeys } from '../keys.ts'

export interface NewJob extends JobCaller {
  readonly kind: string
  /** Subject of the job for lists: a URL, query or prompt. */
  readonly about: string
  /** Validated, with all defaults filled in. */
  readonly request: JobData
  /** Initial notes of the job. */
  readonly notes: readonly JobData[]
  /** Further initial notes, which may differ in a repeated request with the same idempotency key. */
  readonly context?: readonly JobData[]
  /** Number of pages known from the start. */
  readonly left: number
  /** Minimum price in credits. They must be available before the job is opened. */
  readonly credits: number
}

interface Identity {
  readonly id: string
  readonly createdAt: number
  readonly salt: string
}

const identityLayout = layout<Identity & { readonly body: string }>(1, {
  id: 'text',
  createdAt: 'number',
  salt: 'text',
  body: 'text',
})

/**
 * Opens a job: adds it to the open jobs and to the list, and writes its log and checkpoint. Every step is idempotent, so that
 * this caller or another one can repeat it. A known idempotency key returns the job of its first request, and rejects with
 * `conflict` for a different one. Rejects with `insufficient_credits`, before its log is written, if the team has too few.
 */
export async function createJob(job: NewJob, kit: JobKit): Promise<Opening> {
  kit.scrape.around.check(job.request)
  const { kind, team, request, notes, context = [], left, filesAt, credits, key } = job
  const { store, clock } = kit
  const life = lifeOf(job, kit)
  const { id, createdAt, salt } = await identify(job, kit)
  const about = describeTarget(job.about, job.label)
  const opening: Opening = {
    id,
    kind,
    team,
    about,
    request,
    createdAt,
    expiresAt: createdAt + life,
    filesAt,
    key,
    salt,
    teamConcurrency: job.limits?.concurrency,
  }
  if (await readCheckpoint(store, id)) return opening
  const bits = { from: 0, until: opening.expiresAt }
  // The reservation expires if the job cannot be opened.
  if (!isInternal(kind))
    await kit.ledger.hold({ team, task: id, credits, until: clock.now() + heldFor, by: kit.owner, bits })
  await writeStart(opening, { segments: startSegments(opening, notes, context), left }, kit)
  return opening
}

/** Minimum life of the work of a feature in milliseconds, however short the results of jobs are stored. */
const minFeatureLife = 86_400_000

function lifeOf({ kind }: NewJob, kit: JobKit): number {
  return isInternal(kind) ? Math.max(kit.life, minFeatureLife) : kit.life
}

async function identify(job: NewJob, kit: JobKit): Promise<Identity> {
  const { idempotencyKey, team, kind, request, notes } = job
  const createdAt = kit.clock.now()
  const own = { id: uuidv7(createdAt, kit.scrape.newId()), createdAt, salt: kit.scrape.newId().replaceAll('-', '') }
  if (idempotencyKey === undefined) return own
  const body = hash('sha256', JSON.stringify([kind, request, notes]), 'base64url')
  const value = await getOrCreate(
    kit.store,
    storeKeys.idempotency(`${team}/${idempotencyKey}`),
    () => identityLayout.seal({ ...own, body }),
    {
      ttl: lifeOf(job, kit),
    },
  )
  const known = identityLayout.open('The job under this idempotency key', value)
  if (known?.body === body) return known
  throw new EngineError(
    'conflict',
    'Idempotency key already used for a different request. Use a new key for a new request.',
  )
}
