import { STATUS_CODES } from 'node:http'

import { priceOf } from '../credits/tariff.ts'
import type { Json } from '../ports/value.ts'
import type { Fields } from './derive.ts'
import type { Visit } from './load.ts'
import type { ParsedPage } from './parse.ts'
import type { Plan } from './plan.ts'

/** What every document can have, whatever was asked for. */
export interface BaseDocument {
  readonly metadata: Metadata
  /** What was left out or done otherwise, and why. */
  readonly warning?: string
  /** What the actions brought, by kind. */
  readonly actions?: Readonly<Record<string, readonly Json[]>>
}

/** A document of any engine, whatever its plugins add. */
export interface AnyDocument extends BaseDocument {
  readonly [format: string]: unknown
}

export interface Metadata {
  readonly title?: string
  readonly description?: string
  readonly language?: string
  /** As it was asked for. */
  readonly sourceURL: string
  /** Where the redirects ended. */
  readonly url: string
  readonly statusCode: number
  /** What the status says, when it is not a good one. */
  readonly error?: string
  readonly contentType?: string
  readonly scrapeId: string
  readonly proxyUsed: 'basic' | 'stealth'
  readonly cacheState?: 'hit' | 'miss'
  readonly cachedAt?: string
  readonly creditsUsed: number
  readonly [key: string]: unknown
}

export interface Gathered {
  readonly fields: Fields
  readonly content: ParsedPage
  readonly visit: Visit
  readonly plan: Plan
  readonly warnings: readonly string[]
  readonly id: string
}

/** Picks what was asked for, and adds what is known about the visit. */
export function assemble({ fields, content, visit, plan, warnings, id }: Gathered): AnyDocument {
  const { page } = visit
  const asked = plan.formats.map(({ format }) => [format.type, fields[format.name]] as const)
  const contentType = page.headers['content-type']
  const error = statusText(page.status)
  return {
    ...Object.fromEntries(asked.filter(([, value]) => value !== undefined)),
    ...(Object.keys(page.actions).length > 0 && { actions: page.actions }),
    ...(warnings.length > 0 && { warning: [...new Set(warnings)].join(' ') }),
    metadata: {
      ...(fields['metadata'] as object),
      ...content.metadata,
      sourceURL: plan.request.url,
      url: page.url,
      statusCode: page.status,
      ...(error && { error }),
      ...(contentType && { contentType }),
      scrapeId: id,
      proxyUsed: page.proxyUsed,
      ...(visit.cacheState && { cacheState: visit.cacheState }),
      ...(visit.cacheState === 'hit' && { cachedAt: new Date(visit.at).toISOString() }),
      creditsUsed: priceOf(plan.formats, content.units),
    },
  }
}

function statusText(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  return STATUS_CODES[status] ?? `Status ${status}`
}
