// Origins of secrets whose values a record does not contain.
import { originOf, type Origin, type OriginSources } from './tokens.ts'

const ofCsrf = /csrf|xsrf/i
const metaOfCsrf = /<meta[^>]{0,200}[cx]srf[^>]{0,300}>/i
const content = /content\s{0,5}=\s{0,5}["']([^"']{8,4000})["']/i
const propertyOfToken = /"(?:[a-z_-]{0,20}token|jwt|api_?key)"\s{0,5}:\s{0,5}"([^"\\\s]{8,4000})"/i

/**
 * Returns the probable origin of a secret by its header or parameter: a `meta` element for CSRF, and otherwise a
 * property for a token in the latest earlier response of the same site, or in the document. Learning tries whether it works.
 */
export function probableOrigin(name: string, sources: OriginSources): Origin | undefined {
  const { page, trusted } = sources
  if (ofCsrf.test(name)) {
    const meta = metaOfCsrf.exec(page.text)?.[0]
    const value = meta === undefined ? undefined : content.exec(meta)?.[1]
    return value === undefined ? undefined : originOf(value, sources)
  }
  for (const { text } of [...trusted.toReversed(), page]) {
    const value = propertyOfToken.exec(text)?.[1]
    const origin = value === undefined ? undefined : originOf(value, { ...sources, earlier: trusted })
    if (origin) return origin
  }
  return undefined
}
