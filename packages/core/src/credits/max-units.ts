import type { Parser } from '../plugin/parts.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** Returns the maximum number of pages of a file that a request may be charged for, whatever parser reads it. */
export function maxUnits(request: ScrapeRequest, parsers: readonly Parser[]): number {
  return Math.max(1, ...parsers.map((parser) => parser.maxUnits?.(request) ?? 1))
}
