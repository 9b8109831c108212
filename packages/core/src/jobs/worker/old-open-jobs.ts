// Open jobs as earlier versions kept them, so that those that they left are seen to: in numbered rows, of which each
// held one job or nothing, and before that all in one value. It may go with the next version.
import type { Store } from '@harvestman/ports'
import { getMany } from '@harvestman/coordination'
import { type OpenJob, openJobIn } from './open-job.ts'
import { storeKeys } from '../../keys.ts'

const oldestKey = storeKeys.oldJobs('open')
const sizeKey = storeKeys.oldJobs('open/size')
const firstSize = 16
const rowKeys = (from: number, to: number): string[] =>
  Array.from({ length: Math.max(to - from, 0) }, (_, row) => storeKeys.oldJobs(`open/${from + row}`))

type OldRows = Readonly<Record<string, Omit<OpenJob, 'id'>>>

type Mark = (job: OpenJob) => Promise<void>

/** Marks each job that is still there as it is done now, and takes it away. */
export async function moveOldRows(store: Store, mark: Mark): Promise<void> {
  const first = rowKeys(0, firstSize)
  const [oldest, size, ...rows] = await getMany(store, [oldestKey, sizeKey, ...first])
  const further = rowKeys(firstSize, (size as number | undefined) ?? firstSize)
  if (further.length > 0) rows.push(...(await getMany(store, further)))
  for (const [place, key] of [...first, ...further].entries()) {
    const job = openJobIn(rows[place])
    if (!job) continue
    await mark(job)
    // An engine of that version may have put another one there.
    await store.update(key, (now) => (openJobIn(now)?.id === job.id ? undefined : now))
  }
  if (oldest !== undefined) await moveOldest(store, oldest as OldRows, mark)
}

async function moveOldest(store: Store, old: OldRows, mark: Mark): Promise<void> {
  for (const [id, job] of Object.entries(old)) await mark({ id, ...job })
  await store.update(oldestKey, (now) => {
    const rest = Object.entries((now ?? {}) as OldRows).filter(([id]) => !(id in old))
    return rest.length > 0 ? Object.fromEntries(rest) : undefined
  })
}
