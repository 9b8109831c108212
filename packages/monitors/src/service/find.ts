// Finds a monitor or check by id, within the team of the caller.
import { EngineError } from '@harvestman/ports'

import type { MonitorKit } from '../kit.ts'
import type { CheckRecord } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { queuedCheck } from '../run/writer.ts'

/** The team of a call. */
export interface OfTeam {
  readonly team: string
}

/** Returns the `not_found` error for a monitor. */
export function monitorMissing(): EngineError {
  return new EngineError('not_found', 'Monitor not found')
}

/** Returns a monitor of the team. Rejects with `not_found` if it does not exist or belongs to another team. */
export async function findMonitor(id: string, { team }: OfTeam, { monitors }: MonitorKit): Promise<MonitorRecord> {
  const record = await monitors.get(id)
  if (record?.team === team) return record
  throw monitorMissing()
}

/**
 * Returns a check of a monitor, also one that has not started. Rejects with `not_found` if it does not exist or belongs to
 * another team.
 */
export async function findCheck(id: string, checkId: string, call: OfTeam, kit: MonitorKit): Promise<CheckRecord> {
  const record = await kit.monitors.get(id)
  if (record?.team === call.team) {
    const queued = record.current?.id === checkId ? queuedCheck(record) : undefined
    const found = (await kit.checks.get(id, checkId)) ?? queued
    if (found) return found
  }
  throw new EngineError('not_found', 'Check not found')
}
