// Policies of plugins. They are checked for every request, for every URL before any request is sent to it, and for every
// action. All of them must agree; a policy that throws denies.
import { EngineError } from '@harvestman/ports'
import type { PolicyGate } from '../plugin/feature.ts'
import type { Policy, PolicyContext, PolicyPage, PolicyQuestion } from '../plugin/policy.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Reading } from './readings.ts'

/** Policies of an engine, including checks of whole requests. */
export interface Policies extends PolicyGate {
  request(request: ScrapeRequest, context: PolicyContext): Promise<void>
  /** Whether any policy decides about the use of pages. */
  readonly hasPageChecks: boolean
  /** Checks the use of a page. `values` has those of `policyReadings`. */
  page(
    page: Omit<PolicyPage, 'elements'>,
    values: Readonly<Record<string, unknown>>,
    context: PolicyContext,
  ): Promise<void>
}

/**
 * Combines policies. Each check resolves if all allow it, and rejects with `policy_denied` if one of them refuses or fails.
 * `open` opens the plugins of the policies before the first check, and resolves at once afterwards.
 */
export function makePolicies(policies: readonly Policy[], open: () => Promise<void> | undefined): Policies {
  const ask = async (question: PolicyQuestion, what: string, context: PolicyContext): Promise<void> => {
    if (policies.length > 0) await open()
    for (const policy of policies) {
      const verdict = await verdictOf(policy, () => policy.may(question, context), context)
      if (verdict !== true) throw denied(policy, what, verdict)
    }
  }
  return {
    areAny: policies.length > 0,
    request: (request, context) => ask({ is: 'request', request }, `the request for ${request.url}`, context),
    url: (url, context) => ask({ is: 'url', url }, url.href, context),
    action: (action, url, context) =>
      ask({ is: 'action', action, url }, `the action ${action.type} on ${url}`, context),
    hasPageChecks: policies.some(({ mayUse }) => mayUse),
    page: async (page, values, context) => {
      for (const policy of policies) {
        const { mayUse } = policy
        if (!mayUse) continue
        // Cast: the values of this reading. A file without elements has none.
        const elements = (values[fieldOf(policy)] ?? []) as PolicyPage['elements']
        const verdict = await verdictOf(policy, () => mayUse({ ...page, elements }, context), context)
        if (verdict !== true) throw denied(policy, `the use of ${page.url}`, verdict)
      }
    },
  }
}

const fieldOf = ({ name }: Policy): string => `policy.${name}`

/** Returns what to read from each page for the policies. */
export function policyReadings(policies: readonly Policy[]): readonly Reading[] {
  return policies.flatMap((policy) => {
    const { mayUse, elements = [] } = policy
    if (!mayUse || elements.length === 0) return []
    const selectors = elements.map(({ selector, attribute }) => ({ selector, attribute }))
    return [{ field: fieldOf(policy), name: 'attributes', options: { selectors } }]
  })
}

/**
 * Returns whether access was denied by a policy or the threat protection of the request. Then neither another loader nor an
 * earlier copy may be used instead.
 */
export function isDenied(error: unknown): boolean {
  return EngineError.is(error) && (error.code === 'policy_denied' || error.code === 'unsafe_domain_blocked')
}

async function verdictOf(policy: Policy, ask: () => unknown, context: PolicyContext): Promise<unknown> {
  try {
    return await ask()
  } catch (cause) {
    context.signal.throwIfAborted()
    if (isDenied(cause)) throw cause
    const message = `The policy ${policy.name} failed, so nothing is allowed. See the cause.`
    throw new EngineError('policy_denied', message, { cause, details: { policy: policy.name } })
  }
}

function denied({ name }: Policy, what: string, verdict: unknown): EngineError {
  const reason = typeof verdict === 'string' ? verdict : 'It gives no reason.'
  return new EngineError('policy_denied', `The policy ${name} does not allow ${what}. ${reason}`, {
    details: { policy: name, reason },
  })
}
