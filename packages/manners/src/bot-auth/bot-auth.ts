// Web Bot Auth: the plugin that signs requests, and the key directory.
import { definePlugin, type Plugin } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { readBotKey, type BotKey } from './bot-key.ts'
import { makeSigner, signingBrowser, signingFetcher } from './sign-requests.ts'
import { signComponents } from './signature.ts'

/** Options of `botAuth`. */
export interface BotAuthOptions extends BotDirectoryOptions {
  /** The `userAgent` of the engine. Requests with another user agent are not signed. */
  readonly userAgent: string
}

/** Options of `botDirectory`. */
export interface BotDirectoryOptions {
  /** Private keys. The first one signs requests; all are in the directory, so that keys can be replaced. */
  readonly keys: readonly string[]
  /** HTTPS origin that serves the directory, such as `https://bot.example.com`. */
  readonly agent: string
}

/**
 * Creates a plugin that signs the requests of the engine with Web Bot Auth, so that sites can verify which bot sent them. Each
 * request to a host has its own signature, also after redirects. In a browser, the requests for documents are signed. Throws
 * `invalid_request` for an invalid key, agent or user agent.
 */
export function botAuth({ keys, agent: url, userAgent }: BotAuthOptions): Plugin {
  const [key] = readKeys(keys)
  const agent = readAgent(url)
  if (userAgent === undefined || userAgent.trim() === '')
    throw new EngineError('invalid_request', 'botAuth: userAgent is required: the userAgent option of the engine.')
  return definePlugin({
    name: 'bot-auth',
    ports: ({ fetcher, browser, clock }) => {
      const sign = makeSigner({ key, agent: agent.origin, userAgent, clock })
      return {
        fetcher: (guard) => signingFetcher(fetcher(guard), sign),
        ...(browser && { browser: (guard) => signingBrowser(browser(guard), sign) }),
      }
    },
  })
}

/** Path of the directory on the agent's origin. */
export const botDirectoryPath = '/.well-known/http-message-signatures-directory'

const mediaType = 'application/http-message-signatures-directory+json'
// Verifiers may cache the directory for this time, and each response is signed for as long.
const directorySeconds = 3_600

/**
 * Creates the handler of the key directory, for the path `botDirectoryPath`. Responses are signed with each key for the agent's
 * host, so that no other host can serve them. Throws `invalid_request` for an invalid key or agent.
 */
export function botDirectory({ keys: texts, agent: url }: BotDirectoryOptions): (request: Request) => Response {
  const keys = readKeys(texts)
  const { host } = readAgent(url)
  const body = JSON.stringify({ keys: keys.map(({ id, publicKey }) => ({ ...publicKey, kid: id, use: 'sig' })) })
  return ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
    const signed = keys.map((key, index) =>
      signComponents([['"@authority";req', host]], key, {
        label: `sig${index + 1}`,
        tag: 'http-message-signatures-directory',
        now: Date.now(),
        lifetime: directorySeconds,
      }),
    )
    const headers = {
      'content-type': mediaType,
      'cache-control': `public, max-age=${directorySeconds}`,
      'signature-input': signed.map((one) => one['signature-input']).join(', '),
      signature: signed.map(({ signature }) => signature).join(', '),
    }
    return new Response(method === 'HEAD' ? null : body, { headers })
  }
}

function readKeys(texts: readonly string[]): readonly [BotKey, ...BotKey[]] {
  const [first, ...others] = texts.map(readBotKey)
  if (first) return [first, ...others]
  throw new EngineError('invalid_request', 'botAuth: keys must not be empty. Create a key with `harvestman bot-key`.')
}

function readAgent(text: string): URL {
  const url = URL.parse(text)
  const isOrigin = url?.protocol === 'https:' && url.pathname === '/' && url.search === ''
  if (isOrigin && url.username === '' && url.password === '') return url
  // The message does not quote a URL that may contain a password.
  const hasCredentials = url ? url.username !== '' || url.password !== '' : text.includes('@')
  const what = hasCredentials ? 'a URL with a user name or password' : JSON.stringify(text)
  throw new EngineError(
    'invalid_request',
    `botAuth: ${what} is not an HTTPS origin. Write it as https://bot.example.com.`,
  )
}
