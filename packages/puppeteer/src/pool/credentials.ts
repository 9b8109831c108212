import { credentialsUrl } from '../egress/egress.ts'
import type { Protocol, Session } from '../lib/cdp.ts'
import { tell } from '../lib/cdp.ts'
import { browserFailed } from '../lib/errors.ts'
import { isOwnChallenge, type Credentials } from '../lib/proxy-challenge.ts'

/**
 * Stores the proxy credentials of a route in its context: Chromium then sends them with every request of the context, including
 * requests of windows, workers, WebSockets and downloads. The proxy responds with 204, so the page stays empty. Rejects with
 * `browser_failed` if the proxy is not reached.
 */
export async function presentCredentials(session: Session, { username, password }: Credentials): Promise<void> {
  const respond = ({ requestId, authChallenge }: Protocol.Fetch.AuthRequiredEvent): void =>
    void tell(session, 'Fetch.continueWithAuth', {
      requestId,
      authChallengeResponse: isOwnChallenge(authChallenge)
        ? { response: 'ProvideCredentials', username, password }
        : { response: 'CancelAuth' },
    })
  const resume = ({ requestId }: Protocol.Fetch.RequestPausedEvent): void =>
    void tell(session, 'Fetch.continueRequest', { requestId })
  session.on('Fetch.authRequired', respond)
  session.on('Fetch.requestPaused', resume)
  const [, { errorText }] = await Promise.all([
    session.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: credentialsUrl }] }),
    session.send('Page.navigate', { url: credentialsUrl }),
  ])
  session.off('Fetch.authRequired', respond)
  session.off('Fetch.requestPaused', resume)
  // Chromium reports a navigation that ends in a 204 response as aborted.
  if (errorText !== 'net::ERR_ABORTED') throw browserFailed('The browser cannot reach its proxy.')
}
