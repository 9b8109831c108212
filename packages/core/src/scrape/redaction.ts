import { EngineError } from '@harvestman/ports'
import type { Field, Format } from '../plugin/field.ts'
import type { Registry } from '../plugin/registry.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** Throws `not_configured` if the request asks for redaction and a plugin replaces the Markdown by one that is not redacted. */
export function checkRedaction(request: ScrapeRequest, registry: Registry): void {
  if (!request.redactPII) return
  const markdown = registry.format('markdown')
  if (!markdown || isRedacted(markdown, request, registry)) return
  throw new EngineError(
    'not_configured',
    `redactPII is not supported by the format markdown of the plugin ${registry.ownerOf(markdown)}.`,
  )
}

interface Requested {
  readonly request: ScrapeRequest
  readonly formats: readonly { readonly format: Format }[]
}

/**
 * Returns warnings about personal data in the document: names and places, and values that are not redacted. Empty if the
 * request does not ask for redaction. `unredacted` are the other properties of the document that have something of the page.
 */
export function redactionWarnings(
  { request, formats }: Requested,
  unredacted: readonly string[],
  registry: Registry,
): readonly string[] {
  if (!request.redactPII) return []
  const formatsLeft = formats.flatMap(({ format }) => (isRedacted(format, request, registry) ? [] : [format.as]))
  const others = [...formatsLeft, ...unredacted]
  const rest = `redactPII changes only the Markdown: ${others.join(', ')} may contain personal data.`
  return [
    'redactPII does not find names of people and places (PERSON, LOCATION).',
    ...(others.length > 0 ? [rest] : []),
  ]
}

/** Returns whether a value is made only from redacted values. */
function isRedacted(field: Field | Format, request: ScrapeRequest, registry: Registry): boolean {
  if (field.redacts === true) return true
  if (field.read) return 'redact' in ((field.read(request) ?? {}) as object)
  const needs = Object.values(field.needs)
  return needs.length > 0 && needs.every((need) => isRedacted(registry.bind(need), request, registry))
}
