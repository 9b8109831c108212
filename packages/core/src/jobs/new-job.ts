import { hash } from 'node:crypto'

import { EngineError } from '@harvestman/ports'
import { targetOf } from '../lib/target.ts'
import { uuidv7 } from '@harvestman/ports/adapters'
import { once, layout } from '@harvestman/coordination'
import { toSegment, type Entry, type JobData, type Opening } from './log/facts.ts'
import type { JobCaller } from './caller.ts'
import type { JobKit } from './kit.ts'
import { heldFor } from './run/job-account.ts'
import { markOpen } from './worker/open-jobs.ts'
import { listJob } from './listing.ts'
import { keepFamily } from './log/page-ids.ts'
import { noFailures } from './log/failure-places.ts'
import { checkpointValue, readCheckpoint, type Checkpoint } from './log/checkpoint.ts'
import { openJobStorage } from './log/storage.ts'
import { emptyTally } from './log/tally.ts'
import { storeKeys } from '../keys.ts'

export interface NewJob extends JobCaller {
  readonly kind: string
  /** Subject of the job, for lists: an address or words. */
  readonly about: string
  /** Checked, and every default filled in. */
  readonly request: JobData
  /** The first notes of the job. */
  readonly notes: readonly JobData[]
  /** Pages that are known already. */
  readonly left: number
  /** The least that it costs: so much must be there before it is opened. */
  readonly credits: number
}

interface Identity {
  readonly id: string
  readonly createdAt: number
  readonly salt?: string
}

const identityLayout = layout<Identity & { readonly body: string }>(1, {
  id: 'text',
  createdAt: 'number',
  body: 'text',
})

/** Opens a job: its row among the open ones, its log, its checkpoint. Every step can be repeated, by this caller or another, and changes nothing then. */
export async function createJob(job: NewJob, kit: JobKit): Promise<Opening> {
  kit.scrape.around.check(job.request)
  const { kind, team, request, notes, left, filesAt, credits, key } = job
  const { store, clock, life } = kit
  const { id, createdAt, salt } = await identify(job, kit)
  const about = targetOf(job.about)
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
  const storage = openJobStorage(store, opening, kit)
  const bits = { from: 0, until: opening.expiresAt }
  // Given back when it comes to no job.
  await kit.ledger.hold({ team, task: id, credits, until: clock.now() + heldFor, by: kit.owner, bits })
  await markOpen(store, opening)
  await listJob(store, opening)
  await keepFamily(store, id, storage.keep())
  const entries: Entry[] = [
    { fact: { is: 'opened', at: createdAt, opening } },
    ...notes.map((note): Entry => ({ fact: { is: 'noted', at: createdAt, note } })),
  ]
  await storage.log.append(0, toSegment('opened', entries))
  const index = { blocks: [], tail: [0] }
  const checkpoint: Checkpoint = { opening, tally: emptyTally, left, places: 1, index, failures: noFailures }
  await once(store, storage.name, () => checkpointValue(checkpoint), storage.keep())
  return opening
}

async function identify({ idempotencyKey, team, kind, request, notes }: NewJob, kit: JobKit): Promise<Identity> {
  const createdAt = kit.clock.now()
  const own = { id: uuidv7(createdAt, kit.scrape.newId()), createdAt, salt: kit.scrape.newId().replaceAll('-', '') }
  if (idempotencyKey === undefined) return own
  const body = hash('sha256', JSON.stringify([kind, request, notes]), 'base64url')
  const value = await once(
    kit.store,
    storeKeys.idempotency(`${team}/${idempotencyKey}`),
    () => identityLayout.seal({ ...own, body }),
    {
      ttl: kit.life,
    },
  )
  const known = identityLayout.open('The job under this idempotency key', value)
  if (known?.body === body) return known
  throw new EngineError(
    'conflict',
    'Idempotency key already used for a different request. Use a new key for a new request.',
  )
}
