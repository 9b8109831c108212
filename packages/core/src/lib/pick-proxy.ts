import { EngineError, type PickedProxy, type Proxies, type ProxyRequest } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

/**
 * Picks a proxy. Rejects with the reason of the signal if it is aborted, also while a pool does not respond, and with
 * `connection_failed` if the pool fails.
 */
export async function pickProxy(
  proxies: Proxies,
  request: ProxyRequest,
  signal: AbortSignal,
): Promise<PickedProxy | undefined> {
  try {
    return await untilAborted(proxies.pick(request), signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (EngineError.is(cause)) throw cause
    throw new EngineError('connection_failed', 'No proxy is available. Check the proxies of this engine.', { cause })
  }
}

/** Returns the session for the proxies of a page: that of its profile, or else that of its job. */
export function proxySession(
  team: string,
  profile: { readonly name: string } | undefined,
  group: string | undefined,
): string | undefined {
  return profile ? `profile ${team}/${profile.name}` : group
}
