import type { Store } from '../../ports/store.ts'
import type { Json } from '../../ports/value.ts'

/** A job that somebody has to see to. */
export interface OpenJob {
  readonly id: string
  readonly team: string
  readonly kind: string
  readonly createdAt: number
}

// One value, because a store cannot be asked for the keys it has. It holds what runs, not what was.
const key = 'jobs/open'

/** Must be called before a job is opened: whoever looks for lost jobs finds it then, whatever happens in between. */
export async function markOpen(store: Store, { id, ...job }: OpenJob): Promise<void> {
  await store.update(key, (old) => {
    const open = old as Readonly<Record<string, Json>> | undefined
    return open?.[id] ? open : { ...open, [id]: { team: job.team, kind: job.kind, createdAt: job.createdAt } }
  })
}

export async function markSettled(store: Store, id: string): Promise<void> {
  await store.update(key, (old) => {
    if (typeof old !== 'object' || old === null || !(id in old)) return old
    const { [id]: _, ...rest } = old as Record<string, Json>
    return Object.keys(rest).length > 0 ? rest : undefined
  })
}

export async function listOpen(store: Store): Promise<readonly OpenJob[]> {
  const open = (await store.get(key)) as Readonly<Record<string, Omit<OpenJob, 'id'>>> | undefined
  return Object.entries(open ?? {}).map(([id, job]) => ({ id, ...job }))
}
