import { EngineError } from '@harvestman/ports'

import type { EngineWork, Feature } from '../plugin/feature.ts'
import { isRecorded, storesNothing } from '../schema/record.ts'

/** An operation of the engine, as it starts. */
export type BegunWork = Omit<EngineWork, 'isRecorded'>

/** A feature of an engine, with the value it was opened with. */
export interface OpenFeature {
  readonly feature: Feature
  readonly value: unknown
}

/** Runs the engine's operations inside the wrappers that features add. */
export interface WorkWrappers {
  /** Throws if a request wants to be recorded but the engine keeps no records or the request forbids storing. */
  check(request: unknown): void
  /** Runs an operation inside all wrappers, the first one outermost. */
  run<Result>(work: BegunWork, run: () => Promise<Result>): Promise<Result>
  /** Adds features, which are opened after the parts that this object wraps. */
  add(features: readonly OpenFeature[]): void
}

/**
 * Creates the wrappers of one engine. Until features are added, work runs unwrapped. `check` throws `not_configured` if a
 * request asks for a recording and no plugin records, and `invalid_request` if nothing of it may be stored.
 */
export function makeWorkWrappers(): WorkWrappers {
  const open: OpenFeature[] = []
  return {
    add: (features) => void open.push(...features.filter(({ feature }) => feature.around)),
    check: (request) => {
      if (!isRecorded(request)) return
      if (!open.some(({ feature }) => feature.keepsRecords)) throw new EngineError('not_configured', noRecords)
      if (storesNothing(request)) throw new EngineError('invalid_request', keepsNothing)
    },
    run: async (work, run) => {
      const noted = { ...work, isRecorded: isRecorded(work.request) }
      const within =
        (inner: typeof run, { feature, value }: OpenFeature) =>
        async () =>
          (await feature.around?.(value, noted, inner)) as Awaited<ReturnType<typeof run>>
      return open.reduceRight(within, run)()
    },
  }
}

const noRecords = 'record: this engine keeps no records. Add the plugin records() of @harvestman/record.'
const keepsNothing = 'record cannot be combined with zeroDataRetention, which stores nothing. Remove one of them.'
