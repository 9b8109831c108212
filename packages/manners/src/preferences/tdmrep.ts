// The file /.well-known/tdmrep.json of the TDM Reservation Protocol.
import { readReservation } from './fields.ts'
import { matchesPath } from './path-pattern.ts'
import { sourceOf, type Statement } from './statements.ts'

/** A rule of the file. */
export interface TdmRule {
  readonly location: string
  readonly reservation: unknown
  readonly policy?: string
}

const maxRules = 1_000
const maxLocation = 2_000

/** Reads the rules of a file. Omits invalid rules. Empty if the file is not a JSON array. */
export function readTdmrep(text: string): readonly TdmRule[] {
  const list = parse(text)
  if (!Array.isArray(list)) return []
  return list.slice(0, maxRules).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { location, 'tdm-reservation': reservation, 'tdm-policy': policy } = one as Record<string, unknown>
    if (typeof location !== 'string' || location.length > maxLocation) return []
    return [{ location, reservation, ...(typeof policy === 'string' && { policy }) }]
  })
}

/** Returns the statement of the first rule for a page, and the URL of its policy. */
export function tdmrepAbout(
  rules: readonly TdmRule[],
  where: string,
  url: URL,
): { readonly statements: readonly Statement[]; readonly policies: readonly string[] } {
  const path = `${url.pathname}${url.search}`
  const rule = rules.find(({ location }) => matchesPath(location, path))
  if (!rule) return { statements: [], policies: [] }
  const text = `${JSON.stringify(rule.location)}: tdm-reservation ${String(rule.reservation)}`
  const policy = rule.policy === undefined ? null : URL.parse(rule.policy, where)
  return {
    statements: readReservation(rule.reservation, sourceOf(where, text)),
    policies: policy ? [policy.href] : [],
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
