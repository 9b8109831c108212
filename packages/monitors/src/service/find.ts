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

export function monitorMissing(): EngineError {
  return new EngineError('not_found', 'Monitor not found')
}

export async function findMonitor(id: string, { team }: OfTeam, { monitors }: MonitorKit): Promise<MonitorRecord> {
  const record = await monitors.get(id)
  if (record?.team === team) return record
  throw monitorMissing()
}

export async function findCheck(id: string, checkId: string, call: OfTeam, kit: MonitorKit): Promise<CheckRecord> {
  const record = await kit.monitors.get(id)
  if (record?.team === call.team) {
    const queued = record.current?.id === checkId ? queuedCheck(record) : undefined
    const found = (await kit.checks.get(id, checkId)) ?? queued
    if (found) return found
  }
  throw new EngineError('not_found', 'Check not found')
}
