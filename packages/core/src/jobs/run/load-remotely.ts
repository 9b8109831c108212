import type { HostTurn } from '@harvestman/schedule'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import type { NotLoaded, LoadTools } from './load-page.ts'
import { parseLoadedPage, type RemotePage, type LoadedElsewhere } from './remote-page.ts'

/**
 * Has another engine load a page of a job, and settles its price. Returns `back` if that engine did not load it, or if its
 * response is malformed or costs more than was reserved. Rejects with the error of the page if loading failed.
 */
export async function loadRemotely(
  { helpers }: Pick<JobKit, 'helpers'>,
  { id }: Pick<Opening, 'id'>,
  { heldFor }: Pick<HostTurn, 'heldFor'>,
  { task: { number }, page: { request, isUnlinked, listed }, visit, hold }: LoadTools,
): Promise<LoadedElsewhere | NotLoaded> {
  const { most } = hold
  const page: RemotePage = {
    task: number,
    url: request.url,
    ...(most !== undefined && { most }),
    ...(heldFor !== undefined && { heldFor }),
    ...(isUnlinked !== undefined && { isUnlinked }),
    ...(listed !== undefined && { listed }),
  }
  const lent = await helpers.run(id, page, visit.signal)
  if ('back' in lent) return lent
  const loaded = parseLoadedPage(lent.value, page)
  if (!loaded) return { back: 'unable' }
  await hold.settle(loaded.document.metadata.creditsUsed)
  return loaded
}
