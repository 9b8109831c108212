// What the log of a job says at its end, read by the code that ships.
import type { Store } from '@harvestman/ports'

import { factsOf } from '../../../../packages/core/src/jobs/log/facts.ts'
import { jobKey } from '../../../../packages/core/src/jobs/log/storage.ts'
import { openLog } from '../../../../packages/coordination/src/records/log.ts'

export interface LogFindings {
  /** Different pages. */
  readonly pages: number
  /** Pages that stand there once more. */
  readonly twice: number
  readonly failed: number
  /** Once for each job that has come to its end. */
  readonly ended: number
}

export async function checkLogs(store: Store, job: string): Promise<LogFindings> {
  const log = openLog(store, jobKey(job), () => ({}))
  const pages = new Set<string>()
  const found = { twice: 0, failed: 0, ended: 0 }
  for (let place = 0; ; place += 1) {
    const segment = await log.read(place)
    if (!segment) return { pages: pages.size, ...found }
    for (const fact of factsOf(segment)) {
      if (fact.is === 'failed') found.failed += 1
      if (fact.is === 'ended') found.ended += 1
      if (fact.is !== 'page') continue
      if (pages.has(fact.url)) found.twice += 1
      pages.add(fact.url)
    }
    segment.free()
  }
}
