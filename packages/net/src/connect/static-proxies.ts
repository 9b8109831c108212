import { parseProxy } from './proxy-address.ts'
import type { Proxies, Proxy } from '@harvestman/ports'

/** A proxy by its address, `scheme://user:password@host:port`, and the country where it stands, if that is known. */
export type StaticProxy = string | { readonly url: string; readonly country?: string | undefined }

/** The proxies of `staticProxies`, by tier. */
export interface StaticProxiesOptions {
  readonly basic?: readonly StaticProxy[] | undefined
  readonly enhanced?: readonly StaticProxy[] | undefined
}

/**
 * Proxies from a list, each in its turn. Those of the country asked for come first; without any, those of no country in
 * particular are taken, and never one of another country.
 */
export function staticProxies({ basic = [], enhanced = [] }: StaticProxiesOptions): Proxies {
  const tiers = { basic: inTurn(basic), enhanced: inTurn(enhanced) }
  return { pick: async ({ tier, country }) => tiers[tier](country) }
}

function inTurn(entries: readonly StaticProxy[]): (country: string) => Proxy | undefined {
  const byCountry = Map.groupBy(entries.map(whole), ({ country }) => country?.toUpperCase())
  let turn = 0
  return (country) => {
    const fitting = byCountry.get(country.toUpperCase()) ?? byCountry.get(undefined) ?? []
    const chosen = fitting[turn++ % Math.max(1, fitting.length)]
    return chosen && { url: chosen.url }
  }
}

function whole(entry: StaticProxy): { readonly url: string; readonly country?: string | undefined } {
  const proxy = typeof entry === 'string' ? { url: entry } : entry
  // A list with a fault is found out when it is written, not when a page is asked for.
  parseProxy(proxy.url)
  return proxy
}
