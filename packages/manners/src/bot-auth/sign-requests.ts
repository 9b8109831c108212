// Adds signatures to the requests of an engine, in its fetcher and its browser.
import type { Browser, Clock, Fetcher } from '@harvestman/ports'

import type { BotKey } from './bot-key.ts'
import { signComponents } from './signature.ts'

/** Returns the headers that sign one request, or nothing if it must not be signed. */
export type SignRequest = (request: {
  readonly url: URL
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}) => Readonly<Record<string, string>>

/** Identity of a bot. */
export interface BotIdentity {
  readonly key: BotKey
  /** Origin that serves the key directory. */
  readonly agent: string
  /** User agent of the bot. Requests with another one are not signed. */
  readonly userAgent: string
  readonly clock: Clock
}

// Long enough for slow connections and clocks that differ, and too short for a stolen signature to be of use.
const lifetime = 60
const label = 'sig1'

/**
 * Creates the function that signs requests. A signature is valid for one host and a minute. Requests that have a signature, or a
 * user agent other than that of the bot, are not signed.
 */
export function makeSigner({ key, agent, userAgent, clock }: BotIdentity): SignRequest {
  const signatureAgent = JSON.stringify(agent)
  return ({ url, headers }) => {
    if (headers['user-agent'] !== userAgent || headers['signature-input'] !== undefined) return {}
    const components = [
      ['"@authority"', url.host],
      [`"signature-agent";key="${label}"`, signatureAgent],
    ] as const
    const signed = signComponents(components, key, { label, tag: 'web-bot-auth', now: clock.now(), lifetime })
    return { 'signature-agent': `${label}=${signatureAgent}`, ...signed }
  }
}

/** Signs each request of a fetcher. Redirects are separate requests, so each host gets its own signature. */
export function signingFetcher(fetcher: Fetcher, sign: SignRequest): Fetcher {
  return {
    exchange: (request, signal) =>
      fetcher.exchange({ ...request, headers: { ...request.headers, ...sign(request) } }, signal),
    close: () => fetcher.close(),
  }
}

/** Signs the requests for documents in a browser: pages, redirects and frames. */
export function signingBrowser(browser: Browser, sign: SignRequest): Browser {
  return {
    open: (profile, signal) => {
      const documentHeaders: SignRequest = ({ url, headers }) => {
        const others = profile.documentHeaders?.({ url, headers })
        return { ...others, ...sign({ url, headers: { ...headers, ...others } }) }
      }
      return browser.open({ ...profile, documentHeaders }, signal)
    },
    ...(browser.identity && { identity: () => browser.identity!() }),
    close: () => browser.close(),
  }
}
