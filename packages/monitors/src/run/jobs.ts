// The jobs of monitors: one runs a check, another sends the messages of the ended check.
import type { OwnWork } from '@harvestman/core/plugin'

import type { MonitorKit } from '../kit.ts'
import { isOver, type CheckRecord } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { runCheck } from './run-check.ts'

/** Options of the jobs of monitors. */
export interface CheckJobsOptions {
  /** Maximum number of concurrent checks per engine. */
  readonly checksAtOnce: number
  /** Called when a check has ended. */
  readonly ended: (check: CheckRecord) => void
  /** Sends the messages of an ended check. */
  readonly post: (monitor: string, check: string, kit: MonitorKit) => Promise<void>
}

export interface CheckJobs {
  /** Starts the job of the open check of a monitor, unless there is one. */
  start(record: MonitorRecord): Promise<void>
  /** Continues jobs that other engines have left. */
  resume(): Promise<void>
}

type CheckRequest = { readonly monitor: string; readonly check: string }

/** Maximum number of checks whose messages are sent concurrently. */
const postsAtOnce = 256
/** Number of consecutive failures after which the next attempt ends the check as failed. */
const maxFailures = 8

/**
 * Defines the jobs that run checks and send their notifications. `start` does nothing if the monitor has no open check. Calls
 * reject if the store fails.
 */
export function makeCheckJobs(kit: MonitorKit, { checksAtOnce, ended, post }: CheckJobsOptions): CheckJobs {
  const posts = kit.ownWork<CheckRequest>({
    kind: 'monitor-messages',
    atOnce: postsAtOnce,
    run: ({ monitor, check }, { signal }) => post(monitor, check, { ...kit, signal }),
  })
  const checks = kit.ownWork<CheckRequest>({
    kind: 'monitor-check',
    atOnce: checksAtOnce,
    run: async ({ monitor, check: id }, { signal, failures }) => {
      const check = await runCheck(monitor, id, { ...kit, signal }, failures >= maxFailures)
      if (!check || !isOver(check)) return
      ended(check)
      if (check.notificationStatus !== null) return
      await startAgain(posts, check, async () => {
        const now = await kit.checks.get(monitor, id)
        return now !== undefined && now.notificationStatus === null
      })
    },
  })

  /** Starts a job. A store that was restored from a backup may have its end, but not its results; then another one starts. */
  const startAgain = async (
    work: OwnWork<CheckRequest>,
    { monitorId: monitor, id: check, team }: Pick<CheckRecord, 'monitorId' | 'id' | 'team'>,
    isOpen: () => Promise<boolean>,
  ): Promise<void> => {
    const request = { monitor, check }
    const { hasEnded } = await work.start(request, { team, key: check })
    if (hasEnded && (await isOpen())) await work.start(request, { team, key: `${check}/${kit.clock.now()}` })
  }

  return {
    start: async ({ id: monitorId, team, current }) => {
      if (!current) return
      await startAgain(checks, { monitorId, id: current.id, team }, async () => {
        return (await kit.monitors.get(monitorId))?.current?.id === current.id
      })
    },
    resume: () => checks.resume(),
  }
}
