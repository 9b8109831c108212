import { hash } from 'node:crypto'

import { EngineError } from '../errors/error.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { Json } from '../ports/value.ts'
import { once } from '../records/once.ts'
import { toSegment, type Entry, type Opening } from './log/facts.ts'
import type { JobKit } from './kit.ts'
import { markOpen } from './worker/open-jobs.ts'
import { keepFamily } from './log/page-ids.ts'
import { openJobStorage, readCheckpoint, type Checkpoint } from './log/checkpoint.ts'
import { emptyTally } from './log/tally.ts'

export interface NewJob {
  readonly kind: string
  readonly team: string
  /** Checked, and every default filled in. */
  readonly request: Json
  /** The first notes of the job. */
  readonly notes: readonly Json[]
  /** Pages that are known already. */
  readonly left: number
  /** Who repeats a request with its key gets the job that the first one opened. */
  readonly idempotencyKey?: string | undefined
  readonly filesAt?: string | undefined
}

interface Identity {
  readonly id: string
  readonly createdAt: number
}

/** Opens a job: its mark, its log, its record. Every step can be repeated, by this caller or another, and changes nothing then. */
export async function createJob(job: NewJob, kit: JobKit): Promise<Opening> {
  const { kind, team, request, notes, left, filesAt } = job
  const { store, clock, life } = kit
  const { id, createdAt } = await identify(job, kit)
  const opening: Opening = { id, kind, team, request, createdAt, expiresAt: createdAt + life, filesAt }
  if (await readCheckpoint(store, id)) return opening
  const storage = openJobStorage(store, opening, clock)
  await markOpen(store, opening)
  await keepFamily(store, id, storage.keep())
  const entries: Entry[] = [
    { fact: { is: 'opened', at: createdAt, opening } },
    ...notes.map((note): Entry => ({ fact: { is: 'noted', at: createdAt, note } })),
  ]
  await storage.log.append(0, toSegment('opened', entries))
  const contents = { blocks: [], tail: [0] }
  const record: Checkpoint = { opening, tally: emptyTally, left, places: 1, contents, failures: [] }
  await once(store, storage.name, () => record as unknown as Json, storage.keep())
  return opening
}

async function identify({ idempotencyKey, team, kind, request, notes }: NewJob, kit: JobKit): Promise<Identity> {
  const createdAt = kit.clock.now()
  const own = { id: uuidv7(createdAt), createdAt }
  if (idempotencyKey === undefined) return own
  const body = hash('sha256', JSON.stringify([kind, request, notes]), 'base64url')
  const { value } = await once(kit.store, `idempotency/${team}/${idempotencyKey}`, () => ({ ...own, body }), {
    ttl: kit.life,
  })
  if (value.body === body) return value
  throw new EngineError(
    'conflict',
    'Idempotency key already used: another request was made with this key. Use a new key for a new request.',
  )
}
