import type { Store } from '../../ports/store.ts'
import type { Value } from '../../ports/value.ts'
import { hash64 } from '../../lib/hash64.ts'
import { isNewerRecord, layout } from '../../records/layout.ts'

/** A job that a worker has to see to. */
export interface OpenJob {
  readonly id: string
  readonly team: string
  readonly kind: string
  readonly createdAt: number
}

// A store cannot be asked for the keys it has. So there are numbered rows, of which each holds one open job or nothing, and
// one value that says how many there are: it changes only when all rows that a job may have are taken.

const rowLayout = layout<OpenJob>(1)
const sizeKey = 'jobs/open/size'
const rowKey = (row: number): string => `jobs/open/${row}`
const firstSize = 16
/** So many rows are tried for a job before there are more of them. */
const tries = 4
/** Where earlier versions kept all open jobs in one value. */
const oldKey = 'jobs/open'

/** Must be called before a job is opened: a worker that looks for lost jobs finds it then, whatever happens in between. */
export async function markOpen(store: Store, { id, team, kind, createdAt }: OpenJob): Promise<void> {
  const row = rowLayout.seal({ id, team, kind, createdAt })
  for (;;) {
    const size = await sizeOf(store)
    const first = numberOf(id)
    for (let next = 0; next < tries; next += 1) {
      const kept = await store.update(rowKey((first + next) % size), (old) => old ?? row)
      if (idIn(kept) === id) return
    }
    await store.update(sizeKey, (old) => (((old as number | undefined) ?? firstSize) === size ? size * 2 : old))
  }
}

/** Nothing is left to do for the job. */
export async function markSettled(store: Store, id: string): Promise<void> {
  const rows = await readRows(store)
  const own = rows.flatMap((row, number) => (idIn(row) === id ? [number] : []))
  // Only while it is this job's: the row may have been given to another meanwhile.
  for (const number of own) {
    await store.update(rowKey(number), (old) => (idIn(old) === id ? undefined : old))
  }
}

export async function listOpen(store: Store): Promise<readonly OpenJob[]> {
  await moveOld(store)
  const open = new Map<string, OpenJob>()
  for (const row of await readRows(store)) {
    const job = openRow(row)
    if (job) open.set(job.id, job)
  }
  return [...open.values()]
}

async function readRows(store: Store): Promise<readonly (Value | undefined)[]> {
  const keys = Array.from({ length: await sizeOf(store) }, (_, row) => rowKey(row))
  return (await store.getMany?.(keys)) ?? Promise.all(keys.map((key) => store.get(key)))
}

/** Gives each job of the old value a row, and then empties it of those. */
async function moveOld(store: Store): Promise<void> {
  const old = (await store.get(oldKey)) as Readonly<Record<string, Omit<OpenJob, 'id'>>> | undefined
  if (!old) return
  for (const [id, job] of Object.entries(old)) await markOpen(store, { id, ...job })
  await store.update(oldKey, (now) => {
    const rest = Object.entries((now ?? {}) as Record<string, never>).filter(([id]) => !(id in old))
    return rest.length > 0 ? Object.fromEntries(rest) : undefined
  })
}

/** What a newer engine has written is for a newer engine to see to. */
function openRow(row: Value | undefined): OpenJob | undefined {
  try {
    return rowLayout.open('A row of the open jobs', row)
  } catch (error) {
    if (isNewerRecord(error)) return undefined
    throw error
  }
}

function idIn(row: Value | undefined): string | undefined {
  return (row as { readonly id?: string } | undefined)?.id
}

function numberOf(id: string): number {
  const hash = { high: 0, low: 0 }
  hash64(id, hash)
  return hash.low
}

async function sizeOf(store: Store): Promise<number> {
  return ((await store.get(sizeKey)) as number | undefined) ?? firstSize
}
