// Policies of plugins. They are checked for every request, for every URL before any request is sent to it, and for every
// action. All of them must agree; a policy that throws denies.
import { EngineError } from '@harvestman/ports'
import type { PolicyGate } from '../plugin/feature.ts'
import type { Policy, PolicyContext, PolicyQuestion } from '../plugin/policy.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'

/** Policies of an engine, including checks of whole requests. */
export interface Policies extends PolicyGate {
  request(request: ScrapeRequest, context: PolicyContext): Promise<void>
}

/** Combines policies. Each check resolves if all allow it, and rejects with `policy_denied` if one of them refuses or fails. */
export function makePolicies(policies: readonly Policy[]): Policies {
  const ask = async (question: PolicyQuestion, what: string, context: PolicyContext): Promise<void> => {
    for (const policy of policies) {
      const verdict = await verdictOf(policy, question, context)
      if (verdict !== true) throw denied(policy, what, verdict)
    }
  }
  return {
    areAny: policies.length > 0,
    request: (request, context) => ask({ is: 'request', request }, `the request for ${request.url}`, context),
    url: (url, context) => ask({ is: 'url', url }, url.href, context),
    action: (action, url, context) =>
      ask({ is: 'action', action, url }, `the action ${action.type} on ${url}`, context),
  }
}

/**
 * Returns whether access was denied by a policy or the threat protection of the request. Then neither another loader nor an
 * earlier copy may be used instead.
 */
export function isDenied(error: unknown): boolean {
  return EngineError.is(error) && (error.code === 'policy_denied' || error.code === 'unsafe_domain_blocked')
}

async function verdictOf(policy: Policy, question: PolicyQuestion, context: PolicyContext): Promise<unknown> {
  try {
    return await policy.may(question, context)
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
