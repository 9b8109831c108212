// A live browser belongs to one process. Other processes forward requests about it to its owner.
import { createHmac, timingSafeEqual } from 'node:crypto'

import { EngineError } from '@harvestman/core'

import { jsonAnswer, toResponse, type Refusal } from '../answer/answer.ts'
import { statuses } from '../refusals/errors.ts'
import { relayWebSocket } from './relay-web-socket.ts'
import type { Handler } from './node-handler.ts'

/** Finds the process of a live browser, or that it has ended. Returns `undefined` if it is in this process or unknown. */
export type FindOwner = (id: string) => Promise<{ readonly url: string } | { readonly isGone: true } | undefined>

/** Options for finding and calling other processes on the same store. */
export interface PeerOptions {
  readonly find: FindOwner
  /** Shared by all processes; it authenticates forwarded requests. */
  readonly secret: string
}

const ignore = (): void => undefined
const uuid = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'
const aboutBrowser = new RegExp(
  `/(?:v2/scrape/${uuid}/interact|v2/(?:browser|interact)/${uuid}(?:/[^/]+){0,2}|(?:cdp|live)/${uuid}(?:/screen)?)$`,
  'i',
)
const headers = { request: 'x-harvestman-asked', signed: 'x-harvestman-signed' }
// Maximum age of a forwarded request, in milliseconds. Forwarding takes a moment, but clocks of hosts differ by more.
const goodFor = 120_000
const over: Refusal = {
  ...statuses.session_over,
  error: 'The live browser has ended. Scrape the page again to get another one.',
}
const away: Refusal = {
  ...statuses.connection_failed,
  status: 502,
  error: 'The process of the live browser did not respond. Try again.',
}

/**
 * Wraps a handler to forward requests about live browsers of other processes, including WebSockets, to their owners, which
 * check keys and tokens as usual. Without another owner, `handle` responds. If the owner does not respond, the status is 502,
 * and 403 for a WebSocket; a WebSocket of a browser that has ended is refused with `session_over`. Rejects if `find` does, or
 * the caller disconnects.
 */
export function withPeers(handle: Handler, { find, secret }: PeerOptions): Handler {
  const ownerOf = async (request: Request) => {
    const id = idIn(request.url)
    return id === undefined ? undefined : find(id)
  }
  const passed: Handler = async (request, transport) => {
    const original = readPassed(request, secret)
    if (original) return handle(original.request, { ...transport, peer: original.peer })
    const owner = await ownerOf(request)
    if (!owner || 'isGone' in owner) return handle(request, transport)
    try {
      const { method, body, signal } = request
      const init = {
        method,
        headers: headersFor(request, transport?.peer, secret),
        signal,
        redirect: 'manual' as const,
      }
      const answer = await fetch(urlAt(owner.url, request.url), body ? { ...init, body, duplex: 'half' } : init)
      // `fetch` has decompressed the body, so these headers no longer apply.
      const responseHeaders = new Headers(answer.headers)
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
        responseHeaders.delete(name)
      return new Response(answer.body, { status: answer.status, headers: responseHeaders })
    } catch (error) {
      if (request.signal.aborted) throw error
      return toResponse(jsonAnswer(away.status, { success: false, code: away.code, error: away.error }, {}))
    }
  }
  const { isOpen, watch, onFault, forwarded } = handle
  return Object.assign(passed, {
    ...(isOpen !== undefined && { isOpen }),
    ...(forwarded && { forwarded }),
    ...(onFault && { onFault }),
    ...(watch && {
      watch: (request: Request, transport?: Parameters<typeof watch>[1]) => {
        const original = readPassed(request, secret)
        if (original) return watch(original.request, { ...transport, peer: original.peer })
        if (idIn(request.url) === undefined) return watch(request, transport)
        return ownerOf(request).then((owner) => {
          if (!owner) return watch(request, transport) as ReturnType<typeof relayWebSocket>
          if ('isGone' in owner) return over
          return relayWebSocket(
            urlAt(owner.url, request.url).replace(/^http/, 'ws'),
            headersFor(request, transport?.peer, secret),
            onFault ?? ignore,
          )
        })
      },
    }),
  })
}

/**
 * Throws `not_configured` if a peer URL is not on the loopback and no secret is configured. Throws a `TypeError` for
 * an invalid URL.
 */
export function checkPeer(url: string, secret: string | undefined): void {
  const { hostname } = new URL(url)
  if (secret !== undefined || /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)) return
  throw new EngineError(
    'not_configured',
    `Other processes reach this one at ${hostname}, which is not a loopback address. Set a secret for all of them.`,
  )
}

function idIn(url: string): string | undefined {
  return aboutBrowser.exec(new URL(url).pathname)?.slice(1).find(Boolean)
}

function urlAt(peer: string, url: string): string {
  const { pathname, search } = new URL(url)
  return new URL(pathname + search, peer).href
}

const signatureOf = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest()

/**
 * Returns the headers of a forwarded request. They include the IP address of the original connection, so that the owner
 * evaluates proxy headers as this process would.
 */
function headersFor(request: Request, peer = '', secret: string): Record<string, string> {
  const { host: _, connection: __, ...kept } = Object.fromEntries(request.headers)
  for (const name of Object.keys(kept))
    if (/^(?:upgrade|sec-websocket|content-length|transfer-|keep-alive)/.test(name)) delete kept[name]
  const signedText = `${Date.now()} ${request.method} ${request.url} ${peer}`
  return { ...kept, [headers.request]: signedText, [headers.signed]: signatureOf(secret, signedText).toString('hex') }
}

interface Passed {
  readonly request: Request
  readonly peer: string | undefined
}

/** Returns the original request that a peer forwarded, or `undefined` if it was not forwarded or its signature is invalid. */
function readPassed(request: Request, secret: string): Passed | undefined {
  const signedText = request.headers.get(headers.request)
  if (signedText === null) return undefined
  const signed = Buffer.from(request.headers.get(headers.signed) ?? '', 'hex')
  const right = signatureOf(secret, signedText)
  const [at = '', method, url = '', peer = ''] = signedText.split(' ')
  const isFresh = Math.abs(Date.now() - Number(at)) < goodFor
  const isSame =
    URL.canParse(url) && method === request.method && urlAt('http://peer', url) === urlAt('http://peer', request.url)
  if (signed.length !== right.length || !timingSafeEqual(signed, right) || !isFresh || !isSame) return undefined
  const { body, signal, headers: given } = request
  const original = new Request(url, { method, headers: given, signal, ...(body && { body, duplex: 'half' as const }) })
  return { request: original, peer: peer === '' ? undefined : peer }
}
