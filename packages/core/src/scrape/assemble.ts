import { displayUrl, withoutCredentials } from '../lib/target.ts'
import type { Derived, FurtherPages, ParsedPage } from './made.ts'
import type { Field } from '../plugin/field.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Usage } from '@harvestman/ports'
import { nodeHttp } from '@harvestman/toolbox/node-http'
import { noUsage, sumUsage } from './usage.ts'
import type { Draft } from './document.ts'
import type { Plan, PlannedFormat } from './plan.ts'
import type { SeenVisit } from './visit.ts'
import type { Claim } from '../schema/citation.ts'
import type { OmittedPart } from '../schema/omitted.ts'

export interface Gathered {
  readonly derived: Derived
  readonly further: Pick<FurtherPages, 'credits'>
  readonly registry: Registry
  readonly content: ParsedPage
  readonly visit: SeenVisit
  readonly plan: Plan
  readonly warnings: readonly string[]
  readonly claims: readonly Claim[]
  readonly omitted: readonly OmittedPart[]
  readonly isScreened?: boolean | undefined
  readonly id: string
}

/** Builds the document from the requested formats and the facts about the visit. */
export function assemble({
  derived,
  further,
  registry,
  content,
  visit,
  plan,
  warnings,
  claims,
  omitted,
  isScreened,
  id,
}: Gathered): Draft {
  const { page } = visit
  const { fields } = derived
  const asked = plan.formats.flatMap(({ format, options }) =>
    (format.propertiesFor?.(options) ?? [format.as]).map((name) => [name, fields[format.name]] as const),
  )
  const { contentType } = content
  const error = statusText(page.status)
  const isEnhanced = page.proxyUsed === 'stealth' && visit.cacheState !== 'hit'
  const priced = plan.formats.map((planned) => ({
    ...planned,
    usage: usageOf(planned, plan, derived, registry),
    value: fields[planned.format.name],
  }))
  return {
    ...Object.fromEntries(asked.filter(([, value]) => value !== undefined)),
    ...(Object.keys(page.actions).length > 0 && { actions: page.actions }),
    ...(claims.length > 0 && { claims }),
    ...(omitted.length > 0 && { omitted }),
    ...(warnings.length > 0 && { warning: [...new Set(warnings)].join(' ') }),
    metadata: {
      ...(fields['metadata'] as object),
      ...content.metadata,
      sourceURL: displayUrl(plan.request.url),
      url: withoutCredentials(page.url),
      statusCode: page.status,
      ...(error && { error }),
      ...(contentType && { contentType }),
      scrapeId: id,
      proxyUsed: page.proxyUsed,
      ...(visit.cacheState && { cacheState: visit.cacheState }),
      ...(visit.cacheState === 'hit' && { cachedAt: new Date(visit.at).toISOString() }),
      creditsUsed:
        further.credits +
        plan.pricing.price({
          formats: priced,
          units: content.units,
          hasEnhancedProxy: isEnhanced,
          mayKeep: plan.mayKeep,
          isRedacted: plan.isRedacted,
          isScreened,
          isLockdown: plan.isLockdown,
          isCopy: visit.revisited?.isCopy === true,
        }),
    },
  }
}

function statusText(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  return nodeHttp().STATUS_CODES[status] ?? `Status ${status}`
}

/** Token usage of a format and its input fields, except inputs that are requested formats and charged as such. */
function usageOf({ format }: PlannedFormat, { formats }: Plan, { usage }: Derived, registry: Registry): Usage {
  if (usage.size === 0) return noUsage
  const others = new Set<Field>(formats.map((planned) => planned.format))
  const seen = new Set<Field>()
  const total = (field: Field): Usage => {
    if (seen.has(field)) return noUsage
    seen.add(field)
    const needs = Object.values(field.needs).map((need) => registry.bind(need))
    const paidHere = needs.filter((need) => !others.has(need))
    return paidHere.map(total).reduce(sumUsage, usage.get(field.name) ?? noUsage)
  }
  return total(format)
}
