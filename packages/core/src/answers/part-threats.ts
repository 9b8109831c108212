import { isRecord } from '@harvestman/ports'
import { threatRules, type ThreatLists } from '../threats/rules.ts'

/**
 * Returns the lists of a parsed request whose kind has the option `threatProtection`; `undefined` if it has none. They are not
 * checked.
 */
export function listsIn(request: unknown): ThreatLists | undefined {
  // Cast: the schema of the option parses to these lists.
  return isRecord(request) ? (request['threatProtection'] as ThreatLists | undefined) : undefined
}

/** Throws `unsafe_domain_blocked` if one of the URLs is blocked. Invalid URLs are ignored. */
export function checkThreats(urls: unknown, lists: ThreatLists | undefined): void {
  const rules = threatRules(lists)
  if (!rules || !Array.isArray(urls)) return
  for (const text of urls) {
    const url = URL.parse(String(text))
    if (url) rules.check(url)
  }
}
