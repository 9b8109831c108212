import { STATUS_CODES } from 'node:http'

import { priceOf } from '../credits/tariff.ts'
import type { Fields } from './derive.ts'
import type { Draft } from './document.ts'
import type { ParsedPage } from './parse.ts'
import type { Plan } from './plan.ts'
import type { Visit } from './visit.ts'

export interface Gathered {
  readonly fields: Fields
  readonly content: ParsedPage
  readonly visit: Visit
  readonly plan: Plan
  readonly warnings: readonly string[]
  readonly id: string
}

/** Picks what was asked for, and adds what is known about the visit. */
export function assemble({ fields, content, visit, plan, warnings, id }: Gathered): Draft {
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
      creditsUsed: priceOf(plan.formats, content.units, page.proxyUsed === 'stealth' && visit.cacheState !== 'hit'),
    },
  }
}

function statusText(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  return STATUS_CODES[status] ?? `Status ${status}`
}
