import { credentialsUrl } from '../egress/egress.ts'
import type { Protocol, Session } from '../lib/cdp.ts'
import { tell } from '../lib/cdp.ts'
import { browserFailed } from '../lib/errors.ts'
import { isOwnChallenge, type Credentials } from '../lib/proxy-challenge.ts'

/**
 * Gives a context the credentials of its route: Chromium keeps the credentials of a proxy for each context, and sends them
 * with every later request, whichever page, window, worker, WebSocket or download it belongs to. The proxy responds with
 * 204, so the page stays empty.
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
  // A response without content leaves the page as it was, which Chromium calls an aborted navigation.
  if (errorText !== 'net::ERR_ABORTED') throw browserFailed('The browser does not reach its proxy.')
}
