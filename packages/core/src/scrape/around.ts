import { EngineError } from '@harvestman/ports'

import type { EngineWork, Feature } from '../plugin/feature.ts'
import { isRecorded, leavesNothing } from '../schema/record.ts'

/** A piece of work, before it is known whether it is recorded. */
export type BegunWork = Omit<EngineWork, 'isRecorded'>

/** A feature of an engine, with the value that it was opened with. */
export interface OpenFeature {
  readonly feature: Feature
  readonly value: unknown
}

/** The features that stand around the work of an engine. */
export interface Around {
  /** Refuses a request for a record that would not be kept. */
  check(request: unknown): void
  /** Does a piece of work within all of them, the first outermost. */
  run<Result>(work: BegunWork, run: () => Promise<Result>): Promise<Result>
  /** Adds features. They are opened after the parts that work within them. */
  add(features: readonly OpenFeature[]): void
}

/** Makes the place where features stand around the work of one engine. */
export function makeAround(): Around {
  const open: OpenFeature[] = []
  return {
    add: (features) => void open.push(...features.filter(({ feature }) => feature.around)),
    check: (request) => {
      if (!isRecorded(request)) return
      if (open.length === 0) throw new EngineError('not_configured', noRecords)
      if (leavesNothing(request)) throw new EngineError('invalid_request', keepsNothing)
    },
    run: async (work, run) => {
      const whole = { ...work, isRecorded: isRecorded(work.request) }
      const within =
        (inner: typeof run, { feature, value }: OpenFeature) =>
        async () =>
          (await feature.around?.(value, whole, inner)) as Awaited<ReturnType<typeof run>>
      return open.reduceRight(within, run)()
    },
  }
}

const noRecords = 'record: this engine keeps no records. Add the plugin records() of @harvestman/record.'
const keepsNothing = 'record: a request that keeps nothing cannot be recorded. Remove record, or zeroDataRetention.'
