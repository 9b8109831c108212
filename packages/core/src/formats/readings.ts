// Values that are read directly from the parsed page in the reader thread. The other files in this folder expose them as
// formats. Each reading selects the options that it needs from the request.
import type { Filled, HiddenText, PageMedia } from '@harvestman/html/internal'

import type { Field, ReadingRequest } from '../plugin/field.ts'
import type { Json } from '@harvestman/ports'

function builtInReading<Value>(
  name: string,
  read: (request: ReadingRequest) => Json = () => null,
): Field<string, Value> {
  return Object.freeze({ name: `page.${name}`, needs: {}, derive: missing, read })
}

function missing(): never {
  throw new Error('A reading is read with the page, never derived.')
}

export const pageMarkdown = builtInReading<string>('markdown', ({ removeBase64Images, redactPII }) => ({
  removeBase64Images,
  ...(redactPII && { redact: redactPII }),
}))
export const pageHtml = builtInReading<string>('html')
export const pageText = builtInReading<string>('rawHtml')
/** The body of the response as base64. Only for formats with `isRaw`. */
export const pageBase64: Field<string, string> = Object.freeze({ name: 'page.base64', needs: {}, derive: missing })
export const pageLinks = builtInReading<readonly string[]>('links')
export const pageImages = builtInReading<readonly string[]>('images')
/** Text that the page hides when it opens, in full. */
export const pageHiddenText = builtInReading<readonly HiddenText[]>('hiddenText')
export const pageMedia = builtInReading<PageMedia>('media')
export const pageMetadata = builtInReading<Readonly<Record<string, Json>>>('metadata')
export const pageAttributes = builtInReading<readonly FoundAttribute[]>('attributes', ({ formats }) => {
  const format = formats.find(({ type }) => type === 'attributes')
  return { selectors: (format?.['selectors'] ?? []) as Json }
})

/** The page's structured data in the shape of the `json` schema; `undefined` without a schema, or if only redacted text may be read. */
export const pageFilled = builtInReading<Filled | undefined>('filled', schemaToFill)

/**
 * Returns the options of a reading that fills the schema of the format `json`. `schema` is null if the request has no such
 * schema, or has `redactPII`.
 */
export function schemaToFill({ formats, redactPII }: ReadingRequest): { readonly schema: Json } {
  if (redactPII) return { schema: null }
  const format = formats.find(({ type }) => type === 'json')
  return { schema: (format?.['schema'] ?? null) as Json }
}

/** Text of the elements that `changeTracking` ignores. */
export const pageTexts = builtInReading<readonly string[]>('texts', ({ formats }) => {
  const format = formats.find(({ type }) => type === 'changeTracking') as { readonly ignore?: Ignore } | undefined
  return { elements: format?.ignore?.selectors ?? [] }
})

interface Ignore {
  readonly selectors: readonly string[]
}

/** Values of one attribute of the elements that match a selector. */
export interface FoundAttribute {
  readonly selector: string
  readonly attribute: string
  readonly values: readonly string[]
}
