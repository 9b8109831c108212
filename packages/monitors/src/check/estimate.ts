// What a check costs at the most, as far as that is known beforehand.
import type { FeatureEngine } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import type { ChangeRules } from '../requests/change.ts'
import type { Target } from '../requests/targets.ts'
import { jobOf } from './page-request.ts'

/** What is estimated: of a monitor, its targets and how they are judged. */
export interface Estimated {
  readonly targets: readonly Target[]
  readonly change: ChangeRules
  readonly goal: string | null
  readonly judgeEnabled?: boolean | undefined
}

/** The credits of one check. Refuses options that the engine would refuse then. */
export function estimateOf({ targets, change, goal, judgeEnabled = true }: Estimated, engine: FeatureEngine): number {
  const isJudged = goal !== null && judgeEnabled
  return targets.reduce((sum, target) => sum + ofTarget(target, change, engine) + (isJudged ? pagesOf(target) : 0), 0)
}

function ofTarget(target: Target, change: ChangeRules, engine: FeatureEngine): number {
  if (target.type === 'search') return Math.ceil((target.queries.length * target.maxResults) / 10) * 2
  const { kind, request } = jobOf(target, change)
  const page = kind === 'crawl' ? request['scrapeOptions'] : request
  if ((page as { readonly zeroDataRetention?: boolean }).zeroDataRetention === true)
    throw new EngineError('invalid_request', 'A monitor keeps what pages were: leave zeroDataRetention out.')
  const { max, min } = engine.preview(kind, request)
  return max ?? min
}

function pagesOf(target: Target): number {
  if (target.type === 'scrape') return target.urls.length
  if (target.type === 'search') return target.maxResults
  const { limit } = target.crawlOptions
  return typeof limit === 'number' ? limit : 10_000
}
