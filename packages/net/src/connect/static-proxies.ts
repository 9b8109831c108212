import { parseProxy } from './proxy-address.ts'
import type { Proxies, Proxy } from '@harvestman/ports'

/** A proxy by its URL, `scheme://user:password@host:port`, and its country if known. */
export type StaticProxy = string | { readonly url: string; readonly country?: string | undefined }

/** The proxies of `staticProxies`, by tier. */
export interface StaticProxiesOptions {
  readonly basic?: readonly StaticProxy[] | undefined
  readonly enhanced?: readonly StaticProxy[] | undefined
}

/**
 * Chooses proxies from a list, round-robin. Uses proxies of the requested tier and country, or else proxies without a country,
 * but never proxies of another country; `pick` resolves to `undefined` if there are none. Throws `invalid_request` if the URL
 * of a proxy is invalid.
 */
export function staticProxies({ basic = [], enhanced = [] }: StaticProxiesOptions): Proxies {
  const tiers = { basic: inTurn(basic), enhanced: inTurn(enhanced) }
  return { pick: async ({ tier, country }) => tiers[tier](country) }
}

function inTurn(entries: readonly StaticProxy[]): (country: string) => Proxy | undefined {
  const byCountry = Map.groupBy(entries.map(normalizeEntry), ({ country }) => country?.toUpperCase())
  let turn = 0
  return (country) => {
    const fitting = byCountry.get(country.toUpperCase()) ?? byCountry.get(undefined) ?? []
    const chosen = fitting[turn++ % Math.max(1, fitting.length)]
    return chosen && { url: chosen.url }
  }
}

function normalizeEntry(entry: StaticProxy): { readonly url: string; readonly country?: string | undefined } {
  const proxy = typeof entry === 'string' ? { url: entry } : entry
  // An invalid URL is reported at configuration time, not when a page is requested.
  parseProxy(proxy.url)
  return proxy
}
