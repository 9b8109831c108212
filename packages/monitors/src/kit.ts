import type { FeatureKit, History } from '@harvestman/core/plugin'
import type { LLM } from '@harvestman/ports'

import type { CheckRecords } from './records/check.ts'
import type { Indexes } from './records/indexes.ts'
import type { MonitorRecords } from './records/monitor.ts'
import type { Recipients } from './records/recipients.ts'

type OfTheEngine =
  | 'store'
  | 'clock'
  | 'engine'
  | 'ownWork'
  | 'hold'
  | 'fetcher'
  | 'guard'
  | 'webhookSecrets'
  | 'warn'
  | 'keep'

/** Context of monitors: parts of the engine, and their records. */
export interface MonitorKit extends Pick<FeatureKit, OfTheEngine> {
  readonly monitors: MonitorRecords
  readonly checks: CheckRecords
  readonly indexes: Indexes
  readonly recipients: Recipients
  readonly history: History
  readonly llm: LLM | undefined
  /** Aborted when the engine closes. */
  readonly signal: AbortSignal
}
