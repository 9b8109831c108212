// Estimates the price of a check.
import { problemsAt, type FeatureCall, type FeatureEngine } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import type { ChangeRules } from '../requests/change.ts'
import type { Target } from '../requests/targets.ts'
import { jobOf } from './page-request.ts'

/** The parts of a monitor that determine its price. */
export interface Estimated {
  readonly targets: readonly Target[]
  readonly change: ChangeRules
  readonly goal: string | null
  readonly judgeEnabled?: boolean | undefined
}

type Scoped = Pick<FeatureCall, 'scopes'>

/**
 * Returns the expected credits of one check, or their maximum if nothing is expected, with one more per page if changes are
 * judged. Throws the engine's error if it would reject the options, `scope_missing` if the scopes of the caller do not allow
 * them, and `invalid_request` for `zeroDataRetention`.
 */
export function estimateOf(
  { targets, change, goal, judgeEnabled = true }: Estimated,
  engine: FeatureEngine,
  call: Scoped,
): number {
  const isJudged = goal !== null && judgeEnabled
  const credits = targets.map((target, index) => {
    try {
      return ofTarget(target, change, engine, call) + (isJudged ? pagesOf(target) : 0)
    } catch (error) {
      throw problemsAt(error, (path) => ['targets', index, ...placeIn(target, path)])
    }
  })
  return credits.reduce((sum, one) => sum + one, 0)
}

function ofTarget(target: Target, change: ChangeRules, engine: FeatureEngine, call: Scoped): number {
  if (target.type === 'search') {
    engine.preview('search', { query: target.queries[0] }, call)
    return Math.ceil((target.queries.length * target.maxResults) / 10) * 2
  }
  const { kind, request } = jobOf(target, change)
  const page = kind === 'crawl' ? request['scrapeOptions'] : request
  if ((page as { readonly zeroDataRetention?: boolean }).zeroDataRetention === true)
    throw new EngineError('invalid_request', 'A monitor stores its pages. Remove zeroDataRetention.')
  const { expected, max, min } = engine.preview(kind, request, call)
  return expected ?? max ?? min
}

/** Returns the path in a target of an option of its job. */
function placeIn({ type }: Target, path: readonly (string | number)[]): readonly (string | number)[] {
  const [first] = path
  if (type === 'search' || first === 'urls' || first === 'url') return path
  if (type === 'scrape') return ['scrapeOptions', ...path]
  return first === 'scrapeOptions' ? path : ['crawlOptions', ...path]
}

function pagesOf(target: Target): number {
  if (target.type === 'scrape') return target.urls.length
  if (target.type === 'search') return target.maxResults
  const { limit } = target.crawlOptions
  return typeof limit === 'number' ? limit : 10_000
}
