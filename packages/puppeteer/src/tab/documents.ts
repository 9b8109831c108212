import { type BrowserProfile, EngineError, type ErrorCode, type Guard } from '@harvestman/ports'

import { tell, type Protocol, type Session } from '../lib/cdp.ts'
import type { Route } from '../egress/route.ts'
import { isOwnChallenge } from '../lib/proxy-challenge.ts'
import { headersFor, type Headers } from './document-headers.ts'
import type { DocumentAnswer } from './network.ts'
import { readStream } from './stream.ts'
import { allTraffic, answerOf, fulfil, requestOf } from './traffic.ts'

/** A file that was received instead of a page. */
export interface FileAnswer extends DocumentAnswer {
  readonly body: Uint8Array
}

/** Intercepts documents and, if needed, all requests: adds headers, and blocks downloads, forbidden URLs and trackers. */
export interface Documents {
  /** Origin of the page. The caller's headers are only sent there. */
  home: string | undefined
  /** Returns why the last document of the main frame was refused, if it was, since the last call. */
  takeRefusal(): EngineError | undefined
  /** Returns the file that was received instead of a page, if any, since the last call. */
  takeFile(): FileAnswer | undefined
  follow(session: Session): Promise<void>
}

/**
 * Restricts another window of the page to the URLs that the page itself may visit. Does nothing if the profile has no
 * `mayVisit`. Must be called before the window sends any request.
 */
export function holdWindow(session: Session, mainFrame: string, { mayVisit }: BrowserProfile): void {
  if (!mayVisit) return
  const sendsData = followForms(session)
  session.on('Fetch.requestPaused', (event) => {
    const isMain = event.frameId === mainFrame
    const url = isMain || sendsData(event) ? URL.parse(event.request.url) : undefined
    const allowed = url ? mayVisit(url) : Promise.resolve()
    allowed.then(
      () => pass(session, event),
      () => refuse(session, event, 'BlockedByClient'),
    )
  })
  void tell(session, 'Fetch.enable', { patterns: [documentsAsked] })
}

export interface DocumentsOptions {
  readonly profile: BrowserProfile
  readonly guard: Guard
  readonly route: Route
  readonly mainFrame: string
  /** Returns whether the browser downloads files. */
  mayDownload(): boolean
  /** Called with a message about something that was blocked without an error. */
  note(sentence: string): void
}

// Headers that are sent in other ways: by emulation, and as cookies.
const sentOtherwise: ReadonlySet<string> = new Set(['user-agent', 'accept-language', 'cookie'])

const defaultMaxBytes = 50_000_000

/**
 * Creates the interception of the requests of a page: checks each document against the profile and the guard, and adds the
 * caller's headers for the page's own origin.
 */
export function makeDocuments(options: DocumentsOptions): Documents {
  const own = Object.entries(options.profile.headers).filter(([name]) => !sentOtherwise.has(name))
  const met: Met = { refusal: undefined, file: undefined }
  const answered = makeAnswered(options, met)

  const meet = async (
    session: Session,
    event: Protocol.Fetch.RequestPausedEvent,
    sendsData: SendsData,
  ): Promise<void> => {
    const isMain = event.resourceType === 'Document' && event.frameId === options.mainFrame
    if (event.responseStatusCode !== undefined) {
      const body = await noteAnswer(session, event, options)
      return answered(session, event, isMain, body)
    }
    if (event.responseErrorReason !== undefined) return pass(session, event)
    if (event.resourceType === 'Ping' && options.profile.blockAds) return refuse(session, event, 'BlockedByClient')
    if (event.resourceType === 'Document' && !(await isAllowed(options, met, event, { isMain, sendsData }))) {
      return refuse(session, event, isMain ? 'Aborted' : 'BlockedByClient')
    }
    if (await answeredInPlace(session, event, isMain, options, met)) return undefined
    const isHome = URL.parse(event.request.url)?.origin === state.home
    try {
      sendWith(session, event, headersFor(event, options.profile, isHome ? own : []))
    } catch (error) {
      if (isMain) met.refusal = asRefusal(error, 'internal', 'The headers of the request could not be determined.')
      refuse(session, event, isMain ? 'Aborted' : 'BlockedByClient')
    }
  }

  const state: Documents = {
    home: undefined,
    takeRefusal: () => {
      const taken = met.refusal
      met.refusal = undefined
      return taken
    },
    takeFile: () => {
      const taken = met.file
      met.file = undefined
      return taken
    },
    follow: (session) => {
      const sendsData = followForms(session)
      session.on('Fetch.requestPaused', (event) => void meet(session, event, sendsData).catch(() => undefined))
      session.on('Fetch.authRequired', (event) => authenticate(session, event, options))
      return tell(session, 'Fetch.enable', {
        handleAuthRequests: true,
        patterns: patternsFor(options.profile, own.length > 0),
      })
    },
  }
  return state
}

/** Passes a response to the traffic recorder. Returns its body if it was read, because it can only be read once. */
async function noteAnswer(
  session: Session,
  event: Protocol.Fetch.RequestPausedEvent,
  { profile: { traffic }, mainFrame }: DocumentsOptions,
): Promise<Uint8Array | undefined> {
  if (!traffic?.note) return undefined
  const answer = await answerOf(session, event, traffic.maxBytes).catch(() => undefined)
  if (answer) traffic.note(requestOf(event, mainFrame), answer)
  return answer && !answer.isCut && answer.body.length > 0 ? answer.body : undefined
}

/** Returns whether the traffic handler responded to the request or refused it. */
async function answeredInPlace(
  session: Session,
  event: Protocol.Fetch.RequestPausedEvent,
  isMain: boolean,
  { profile, note, mainFrame }: DocumentsOptions,
  met: Met,
): Promise<boolean> {
  if (!profile.traffic?.answer) return false
  try {
    const answer = await profile.traffic.answer(requestOf(event, mainFrame))
    if (!answer) return false
    const { status, headers, body } = answer
    const isShown = event.resourceType !== 'Document' || isRedirect(status) || isPage(headers, showsFiles(profile))
    if (isShown) fulfil(session, event, answer)
    else {
      if (isMain) met.file = { url: event.request.url, status, headers, body }
      else note('A download was refused.')
      refuse(session, event, 'Aborted')
    }
  } catch (error) {
    if (isMain) met.refusal = asRefusal(error, 'bad_response', 'The page could not be answered.')
    refuse(session, event, isMain ? 'Aborted' : 'BlockedByClient')
  }
  return true
}

function asRefusal(cause: unknown, code: ErrorCode, message: string): EngineError {
  return EngineError.is(cause) ? cause : new EngineError(code, message, { cause })
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

// Default: without screenshots, files are not shown.
function showsFiles({ showsFiles, pictures }: BrowserProfile): boolean {
  return showsFiles ?? pictures !== false
}

/** The result of the last document, until it is read. */
interface Met {
  refusal: EngineError | undefined
  file: FileAnswer | undefined
}

type SendsData = (event: Protocol.Fetch.RequestPausedEvent) => boolean

/**
 * Returns a function that tells whether a request submits a form into a frame. A GET submission can only be recognised by the
 * event that precedes it.
 */
function followForms(session: Session): SendsData {
  const announced = new Set<string>()
  session.on('Page.frameRequestedNavigation', ({ frameId, reason }) => {
    if (reason === 'formSubmissionGet') announced.add(frameId)
    else announced.delete(frameId)
  })
  session.on('Page.frameNavigated', ({ frame }) => announced.delete(frame.id))
  session.on('Page.frameDetached', ({ frameId }) => announced.delete(frameId))
  return ({ frameId, request: { method } }) => (method !== 'GET' && method !== 'HEAD') || announced.has(frameId)
}

/**
 * Returns whether a document may be requested. The proxy checks it too, but its refusal would replace the page that is already
 * open.
 */
async function isAllowed(
  { guard, route, profile }: DocumentsOptions,
  met: Met,
  event: Protocol.Fetch.RequestPausedEvent,
  { isMain, sendsData }: { readonly isMain: boolean; readonly sendsData: SendsData },
): Promise<boolean> {
  try {
    const url = new URL(event.request.url)
    guard.checkUrl(url)
    if (!isMain && sendsData(event)) await profile.mayVisit?.(url)
    if (isMain) {
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      await guard.resolve(url.hostname, port, route.signal).catch(unlessBlocked)
      await profile.mayVisit?.(url)
    }
    return true
  } catch (error) {
    if (isMain && EngineError.is(error)) met.refusal = error
    return false
  }
}

/** Returns the handler of responses: pages are shown, and a file that was received instead of one is read. */
function makeAnswered({ profile, mayDownload, note }: DocumentsOptions, met: Met) {
  let reading: Promise<FileAnswer> | undefined
  return async (
    session: Session,
    event: Protocol.Fetch.RequestPausedEvent,
    isMain: boolean,
    body?: Uint8Array,
  ): Promise<void> => {
    const headers = (event.responseHeaders ?? []).map(({ name, value }) => [name.toLowerCase(), value] as const)
    const status = event.responseStatusCode ?? 0
    const isDocument = event.resourceType === 'Document'
    if (!isDocument || isRedirect(status) || isPage(headers, showsFiles(profile))) return pass(session, event)
    if (mayDownload()) return pass(session, event)
    if (!isMain) {
      note('A download was refused.')
      return refuse(session, event, 'Aborted')
    }
    const file = body && { url: event.request.url, status, headers, body }
    reading ??= file ? Promise.resolve(file) : readFile(session, event, headers, profile.maxBytes ?? defaultMaxBytes)
    try {
      met.file = await reading
    } catch (error) {
      met.refusal = EngineError.is(error)
        ? error
        : new EngineError('bad_response', 'The file could not be read to its end.', { cause: error })
    } finally {
      reading = undefined
      refuse(session, event, 'Aborted')
    }
  }
}

/** Ignores hosts that cannot be resolved here: an upstream proxy may know them, or else reports the error. */
function unlessBlocked(error: unknown): void {
  if (!EngineError.is(error) || error.code === 'url_blocked') throw error
}

async function readFile(
  session: Session,
  { requestId, request, responseStatusCode: status = 0 }: Protocol.Fetch.RequestPausedEvent,
  headers: DocumentAnswer['headers'],
  maxBytes: number,
): Promise<FileAnswer> {
  const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId })
  return { url: request.url, status, headers, body: await readStream(session, stream, maxBytes) }
}

function authenticate(
  session: Session,
  { requestId, authChallenge }: Protocol.Fetch.AuthRequiredEvent,
  { route, note }: DocumentsOptions,
): void {
  const { username, password } = route
  const isOurs = isOwnChallenge(authChallenge)
  if (!isOurs) note('The host asks for a name and a password.')
  void tell(session, 'Fetch.continueWithAuth', {
    requestId,
    authChallengeResponse: isOurs ? { response: 'ProvideCredentials', username, password } : { response: 'CancelAuth' },
  })
}

const documentsAsked: Protocol.Fetch.RequestPattern = {
  urlPattern: '*',
  resourceType: 'Document',
  requestStage: 'Request',
}

// Pages do not see the responses of beacons, so blocking them changes nothing.
const beacons: Protocol.Fetch.RequestPattern = { urlPattern: '*', resourceType: 'Ping', requestStage: 'Request' }

function patternsFor({ blockAds, traffic }: BrowserProfile, hasHeaders: boolean): Protocol.Fetch.RequestPattern[] {
  if (traffic) return [...allTraffic]
  return [
    ...(blockAds ? [beacons] : []),
    // Intercepting all requests costs two messages for each, so it is only done if headers must be added.
    hasHeaders ? { urlPattern: '*', requestStage: 'Request' } : documentsAsked,
    { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
  ]
}

function pass(session: Session, { requestId }: Protocol.Fetch.RequestPausedEvent): void {
  void tell(session, 'Fetch.continueRequest', { requestId })
}

/** Sends a request with these headers, or unchanged without them. */
function sendWith(session: Session, event: Protocol.Fetch.RequestPausedEvent, headers: Headers | undefined): void {
  if (!headers) return pass(session, event)
  void tell(session, 'Fetch.continueRequest', {
    requestId: event.requestId,
    headers: headers.map(([name, value]) => ({ name, value })),
  })
}

function refuse(
  session: Session,
  { requestId }: Protocol.Fetch.RequestPausedEvent,
  errorReason: Protocol.Network.ErrorReason,
): void {
  void tell(session, 'Fetch.failRequest', { requestId, errorReason })
}

const pageTypes = /^(?:text\/html|application\/xhtml\+xml|multipart\/x-mixed-replace)$/
const shownTypes = /^(?:text\/|image\/|application\/(?:json|xml|javascript)|.*\+(?:xml|json)$)/

/** Returns whether a response is shown as a page. Files such as images count only if `isLookedAt`. */
function isPage(headers: DocumentAnswer['headers'], isLookedAt: boolean): boolean {
  const valueOf = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? ''
  if (/^\s*attachment/i.test(valueOf('content-disposition'))) return false
  const type = valueOf('content-type').split(';')[0]!.trim().toLowerCase()
  if (type === '' || pageTypes.test(type)) return true
  return isLookedAt && shownTypes.test(type) && type !== 'text/csv'
}
