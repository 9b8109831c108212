// Secrets in records and files: their removal, and the origins of those whose values are not known.
import { leftOut, redactionOf } from '@harvestman/toolbox/redaction'

import type { Exchange } from './exchanges.ts'
import { originOf, type Origin, type OriginSources } from './tokens.ts'

/** Placeholder of secrets after `withoutSecretValues`. */
export const redactedValue: string = leftOut

const { address, headers: redactHeaders } = redactionOf({})

/**
 * Returns an exchange without cookies, with a placeholder in place of the values of headers and query parameters that are always secret.
 * Bodies are unchanged.
 */
export function withoutSecretValues(one: Exchange): Exchange {
  const clean = (fields: Exchange['headers']): Exchange['headers'] =>
    new Map(redactHeaders([...fields]).filter(([name]) => !/^(?:set-)?cookie2?$/.test(name)))
  return { ...one, url: address(one.url), headers: clean(one.headers), received: clean(one.received) }
}

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
