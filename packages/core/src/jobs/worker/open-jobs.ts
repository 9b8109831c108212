import type { Store, Value } from '@harvestman/ports'
import { hash64 } from '../../lib/hash64.ts'
import { isNewerRecord, layout } from '../../records/layout.ts'
import { getMany } from '../../records/get-many.ts'

/** A job that a worker has to see to. */
export interface OpenJob {
  readonly id: string
  readonly team: string
  readonly kind: string
  readonly createdAt: number
}

// A store cannot be asked for the keys it has. So there are numbered rows, of which each holds one open job or nothing, and
// one value that says how many there are: it follows the number of open jobs, because every engine reads all rows every few
// seconds. Of the rows, a job may have those that its id says.

const rowLayout = layout<OpenJob>(1)
const sizeKey = 'jobs/open/size'
const rowKey = (row: number): string => `jobs/open/${row}`
const firstSize = 16
/** So many rows are tried for a job before there are more of them: with sixteen, about half of the rows are taken by then. */
const tries = 16
/** There are fewer rows again when more than so many stand there for each open job. */
const mostForJob = 8
/** Up to so many rows are read at once sooner than those that a job may have are looked for. */
const fewRows = 256
/** Where earlier versions kept all open jobs in one value. */
const oldKey = 'jobs/open'

/** Must be called before a job is opened: a worker that looks for lost jobs finds it then, whatever happens in between. */
export async function markOpen(store: Store, job: OpenJob): Promise<void> {
  for (;;) {
    const size = await sizeOf(store)
    const row = await takeRow(store, job, size)
    // Another engine may have left fewer rows meanwhile, after it had looked into this one.
    if (row !== undefined && row < (await sizeOf(store))) return
    if (row === undefined) await resize(store, size, size * 2)
  }
}

/** Gives the row that is the job's now; nothing when others have all that it may have. */
async function takeRow(
  store: Store,
  { id, team, kind, createdAt }: OpenJob,
  size: number,
): Promise<number | undefined> {
  const row = rowLayout.seal({ id, team, kind, createdAt })
  for (const number of rowsFor(id, size)) {
    const kept = await store.update(rowKey(number), (old) => old ?? row)
    if (idIn(kept) === id) return number
  }
  return undefined
}

async function resize(store: Store, from: number, to: number): Promise<void> {
  await store.update(sizeKey, (old) => (((old as number | undefined) ?? firstSize) === from ? to : old))
}

/** Nothing is left to do for the job. */
export async function markSettled(store: Store, id: string): Promise<void> {
  const size = await sizeOf(store)
  // It may stand where it was put when there were fewer rows, and where an earlier version put it.
  const sizes = Array.from({ length: Math.log2(size) + 1 }, (_, power) => 2 ** power).filter((one) => one >= firstSize)
  const likely = size > fewRows ? [...new Set(sizes.flatMap((one) => rowsFor(id, one)))] : allRows(size)
  if ((await clearRows(store, id, likely)) === 0 && size > fewRows) await clearRows(store, id, allRows(size))
}

/** Tells in how many of these rows the job was. */
async function clearRows(store: Store, id: string, numbers: readonly number[]): Promise<number> {
  const rows = await readRows(store, numbers)
  const own = numbers.filter((_, index) => idIn(rows[index]) === id)
  // Only while it is this job's: the row may have been given to another meanwhile.
  for (const number of own) {
    await store.update(rowKey(number), (old) => (idIn(old) === id ? undefined : old))
  }
  return own.length
}

export async function listOpen(store: Store): Promise<readonly OpenJob[]> {
  await moveOld(store)
  const size = await sizeOf(store)
  const rows = await readRows(store, allRows(size))
  const open = new Map<string, OpenJob>()
  for (const row of rows) {
    const job = openRow(row)
    if (job) open.set(job.id, job)
  }
  if (size > firstSize && open.size * mostForJob < size) await halve(store, size, rows.slice(size / 2))
  return [...open.values()]
}

/** Leaves half of the rows. Before a row is given up its job has another one, so at every moment each job is listed. */
async function halve(store: Store, size: number, upper: readonly (Value | undefined)[]): Promise<void> {
  const half = size / 2
  const move = async (rows: readonly (Value | undefined)[]): Promise<boolean> => {
    for (const row of rows) {
      const job = openRow(row)
      if (row !== undefined && (!job || (await takeRow(store, job, half)) === undefined)) return false
    }
    return true
  }
  if (!(await move(upper))) return
  await resize(store, size, half)
  const numbers = allRows(half).map((number) => number + half)
  const rows = await readRows(store, numbers)
  // Those that came while it was done.
  if (!(await move(rows))) return resize(store, half, size)
  for (const [index, number] of numbers.entries()) {
    const id = idIn(rows[index])
    if (id !== undefined) await store.update(rowKey(number), (old) => (idIn(old) === id ? undefined : old))
  }
}

function allRows(size: number): number[] {
  return Array.from({ length: size }, (_, row) => row)
}

async function readRows(store: Store, numbers: readonly number[]): Promise<readonly (Value | undefined)[]> {
  const keys = numbers.map(rowKey)
  return getMany(store, keys)
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

/** The rows that a job may have, in the order in which they are tried: anywhere, because the first rows are the fullest. */
function rowsFor(id: string, size: number): number[] {
  const hash = { high: 0, low: 0 }
  return Array.from({ length: tries }, (_, next) => {
    hash64(`${id} ${next}`, hash)
    return hash.low % size
  })
}

async function sizeOf(store: Store): Promise<number> {
  return ((await store.get(sizeKey)) as number | undefined) ?? firstSize
}
