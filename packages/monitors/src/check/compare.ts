// Compares a loaded page with its last known state.
import type { FeatureDocument, History, Look } from '@harvestman/core/plugin'
import { EngineError, type Json } from '@harvestman/ports'

import type { CheckedPage, PageDiff } from '../records/check.ts'
import type { ChangeRules } from '../requests/change.ts'
import type { Baseline } from './baseline.ts'
import { changedFields, type FieldChanges } from './fields.ts'
import type { TargetJob } from './page-request.ts'
import { textCounts } from './text-counts.ts'

/** The result of comparing a page. */
export interface Comparison extends Pick<CheckedPage, 'status' | 'diff' | 'error' | 'snapshot'> {
  /**
   * Whether to store the page as the baseline of later checks. False for unreadable pages and for changes that do not count.
   */
  readonly isStored: boolean
}

/** Context of a comparison. */
export interface CompareKit {
  readonly history: Pick<History, 'look'>
  readonly team: string
  /** Tag under which the page content is stored, for `engine.changes`. */
  readonly tag: string
  /** Id of the check. */
  readonly check: string
  readonly change: ChangeRules
  readonly job: Pick<TargetJob, 'values' | 'comparesText'>
  readonly signal: AbortSignal
}

const missingStatuses: ReadonlySet<number> = new Set([404, 410])
/** Maximum size of a diff, in characters. */
const maxDiffLength = 200_000
const maxValueSize = 1_000_000

/** Returns whether the response has status 404 or 410. */
export function isMissing({ metadata: { statusCode } }: FeatureDocument): boolean {
  return missingStatuses.has(statusCode)
}

/**
 * Compares a page with its state before the check. Without an earlier state the page is new. Status 404 or 410 means removed,
 * or `same` if it was gone before. Does not reject for a bad page: the status is then `error`, with the reason. Rejects if the
 * history fails or the signal is aborted.
 */
export async function comparePage(
  page: FeatureDocument,
  before: Baseline | undefined,
  kit: CompareKit,
): Promise<Comparison> {
  const { statusCode } = page.metadata
  if (isMissing(page)) {
    if (!before) return failed(`The page responded with status ${statusCode}.`)
    return { status: before.isGone ? 'same' : 'removed', diff: null, error: null, isStored: true }
  }
  if (statusCode >= 400) return failed(`The page responded with status ${statusCode}.`)
  const value = valueOf(page, kit.job.values)
  if (value === undefined && kit.job.values.length > 0)
    return failed(`The page has no ${kit.job.values.join(' and no ')}.`)
  if (JSON.stringify(value ?? null).length > maxValueSize)
    return failed('The values of the page are too large to be compared.')
  const snapshot = value === undefined ? {} : { snapshot: { json: value } }
  if (!before || before.isGone) return { status: 'new', diff: null, error: null, isStored: true, ...snapshot }
  return { error: null, ...snapshot, ...(await differences(page, value, before, kit)) }
}

async function differences(page: FeatureDocument, value: Json | undefined, before: Baseline, kit: CompareKit) {
  const { change, job } = kit
  const fields = value === undefined ? {} : changedFields(before.value ?? null, value, change)
  const look = job.comparesText ? await lookAt(page, kit) : undefined
  const hasFields = Object.keys(fields).length > 0
  const textChanged = look !== undefined && !look.isSame
  const counts = textChanged && textCounts(look.diff, change)
  if (hasFields || counts)
    return { status: 'changed', diff: shown(fields, value !== undefined, look), isStored: true } as const
  return { status: 'same', diff: null, isStored: !textChanged && isSameValue(before.value, value) } as const
}

/** Compares a page with its history. If the history no longer has the page, it counts as changed, without a diff. */
async function lookAt(page: FeatureDocument, { history, team, tag, check, change, signal }: CompareKit): Promise<Look> {
  const sighting = { ...sightingOf(page), patterns: change.ignore.patterns }
  try {
    return await history.look({ team, url: page.metadata.sourceURL, tag }, sighting, ['diff'], { task: check, signal })
  } catch (error) {
    if (EngineError.is(error) && error.code === 'not_found') return { isSame: false }
    throw error
  }
}

/** Returns the page text to store for later comparisons. It is empty if the page has none. */
export function sightingOf(page: FeatureDocument) {
  const { markdown } = page
  return { markdown: typeof markdown === 'string' ? markdown : '', hidden: [], isRemoved: isMissing(page) }
}

/**
 * Returns the values to compare. A single `json` value is returned as is; other formats are keyed by name. `undefined` if a
 * format is missing, or without formats.
 */
export function valueOf(page: FeatureDocument, formats: readonly string[]): Json | undefined {
  const found = formats.filter((name) => page[name] !== undefined)
  if (found.length === 0 || found.length < formats.length) return undefined
  if (found.length === 1 && found[0] === 'json') return page['json'] as Json
  return Object.fromEntries(found.map((name) => [name, page[name] as Json]))
}

function shown(fields: FieldChanges, hasValues: boolean, look: Look | undefined): PageDiff | null {
  const { diff } = look ?? {}
  const isLong = (diff?.text.length ?? 0) > maxDiffLength
  const text = diff && (isLong ? `${diff.text.slice(0, maxDiffLength)}\n…` : diff.text)
  if (hasValues) return { ...(text !== undefined && { text }), json: jsonOf(fields) }
  // Cast: a diff has only strings and numbers.
  return text === undefined ? null : { text, json: (isLong ? { files: [] } : diff?.json) as unknown as Json }
}

function isSameValue(before: Json | undefined, now: Json | undefined): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(now ?? null)
}

function failed(error: string): Comparison {
  return { status: 'error', diff: null, error, isStored: false }
}

function jsonOf(fields: FieldChanges): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([path, { previous, current }]) => [path, { previous, current }]),
  )
}
