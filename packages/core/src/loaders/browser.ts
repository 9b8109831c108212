import {
  type Browser,
  type BrowserProfile,
  EngineError,
  type ErrorCode,
  type Json,
  type Landing,
  type ReadDocument,
  type Tab,
  elapsed,
  type Value,
  publicMessage,
} from '@harvestman/ports'
import { documentTally, type DocumentTally } from '@harvestman/threads'
import { ownBytes } from '@harvestman/ports/values'
import { dataUrl } from '../lib/file-type.ts'
import { defineLoader, pass } from '../plugin/define.ts'
import type { LoadJob, LoaderKit, Page } from '../plugin/parts.ts'

/** Opens the page in a browser, runs the actions, and returns its HTML after the last one. */
export const browserLoader = defineLoader({
  name: 'browser',
  cost: 20,
  offers: ['actions', 'capture', 'mobile', 'wait', 'scripts', 'proxy', 'profile'],
  load: async (job, kit) => {
    if (!kit.browser) return pass('this engine has no browser')
    const progress: Progress = { hasActed: false }
    try {
      return await visit(kit.browser, job, kit, progress)
    } catch (error) {
      if (job.signal.aborted || !(isWorthAnotherTry(error, progress) || mayMissPictures(error, job))) throw error
      const browserNeeds = { ...job.browserNeeds, pictures: job.browserNeeds.pictures || mayMissPictures(error, job) }
      return await visit(kit.browser, { ...job, browserNeeds }, kit, progress)
    }
  },
})

interface Progress {
  /** True once an action has started. */
  hasActed: boolean
}

/** Returns whether to retry after a browser crash. False once an action has started, because it must not be repeated. */
function isWorthAnotherTry(error: unknown, { hasActed }: Progress): boolean {
  return EngineError.is(error) && error.code === 'browser_failed' && !hasActed
}

/**
 * Returns whether an action may have failed because images are not loaded. The page has no changed state yet, so it can be
 * loaded again with images.
 */
function mayMissPictures(error: unknown, job: LoadJob): boolean {
  return EngineError.is(error) && error.code === 'action_failed' && mayRetry(job)
}

function mayRetry({ browserNeeds, actions }: LoadJob): boolean {
  return !browserNeeds.pictures && actions.every(({ needs }) => !needs.ownContext)
}

async function visit(browser: Browser, job: LoadJob, kit: LoaderKit, progress: Progress): Promise<Page> {
  const tab = await browser.open(profileOf(job), job.signal)
  try {
    return await look(tab, job, kit, progress)
  } finally {
    await tab.close()
  }
}

function profileOf({
  request,
  headers,
  captures,
  actions,
  browserNeeds: { pictures, ownContext },
  maxBytes,
  proxy,
  team,
  group,
  mayVisit,
  state,
}: LoadJob): BrowserProfile {
  const { mobile, blockAds, skipTlsVerification, location } = request
  // Actions and captures of a JSON or text file need the browser's view of the file.
  const showsFiles = captures.length > 0 || actions.length > 0
  const shared = ownContext ? undefined : group
  const look = { headers, mobile, blockAds, skipTlsVerification, location, pictures, showsFiles }
  const more = { ...(proxy && { proxy }), ...(shared !== undefined && { group: shared }) }
  return { ...look, team, maxBytes, mayVisit, ...more, ...(state !== undefined && { state }) }
}

async function look(tab: Tab, job: LoadJob, kit: LoaderKit, progress: Progress): Promise<Page> {
  const { url, request, signal } = job
  const first = await tab.goto(url, signal, { patience: patienceOf(job) })
  if (first.download) return takeFile(first, first.download, job)
  const isPlain = request.waitFor === 0 && job.actions.length === 0 && job.captures.length === 0
  // Reading a good page before its actions would cost time and show an earlier state.
  const seen = isPlain || first.status >= 400 ? await passChallenge(tab, first, job, kit) : undefined
  const landing = seen?.landing ?? first
  if (landing.download) return takeFile(landing, landing.download, job)
  if (request.waitFor > 0) await kit.clock.sleep(request.waitFor, signal)
  const tally = documentTally(job.most)
  progress.hasActed ||= job.actions.length > 0
  const actions = await act(tab, job, kit, tally)
  const captured: Record<string, unknown> = {}
  for (const { name, run } of job.captures) captured[name] = counted(await run(tab, signal), tally)
  const { state, unsaved = [] } = job.savesState && job.actions.length > 0 ? await saveState(tab, signal) : {}
  const { html, hidden } = isPlain && seen ? seen.document : await readDocument(tab, signal)
  return {
    url: await tab.url(),
    status: landing.status,
    headers: headersOf(landing),
    body: ownBytes(new TextEncoder().encode(html)),
    captured,
    actions,
    proxyUsed: 'basic',
    latency: landing.latency,
    ...(landing.readiness !== undefined && { readiness: landing.readiness }),
    ranScripts: true,
    ...(hidden && { hidden }),
    ...(state !== undefined && { state }),
    warnings: [...certificateWarning(job), ...(tab.warnings?.() ?? []), ...unsaved],
  }
}

function headersOf({ headers }: Landing): Record<string, string> {
  return { ...joined(headers), 'content-type': 'text/html; charset=utf-8' }
}

async function readDocument(tab: Tab, signal: AbortSignal): Promise<ReadDocument> {
  return tab.read ? tab.read(signal) : { html: await tab.html(signal) }
}

const maxChallenge = 6_000

/**
 * Reads the document. One that only runs a challenge is read again when its script has replaced it, as long as the time
 * suffices, and so is one that was replaced while it was read.
 */
async function passChallenge(
  tab: Tab,
  first: Landing,
  job: LoadJob,
  { clock }: LoaderKit,
): Promise<{ readonly landing: Landing; readonly document: ReadDocument }> {
  let document = await readDocument(tab, job.signal)
  if (!tab.leaves) return { landing: first, document }
  const end = elapsed(clock) + Math.min(maxChallenge, patienceOf(job))
  let landing = first
  for (;;) {
    const left = end - elapsed(clock)
    if (left <= 0) return { landing, document }
    const isBlocked = await isChallenge(document, landing, tab, job)
    const next = await tab.leaves(isBlocked ? left : 0, job.signal)
    if (!next) return { landing, document: isBlocked ? await readDocument(tab, job.signal) : document }
    landing = next
    if (next.download) return { landing, document }
    document = await readDocument(tab, job.signal)
  }
}

async function isChallenge({ html }: ReadDocument, landing: Landing, tab: Tab, job: LoadJob): Promise<boolean> {
  // Only the first 60,000 bytes are searched; one more shows that the page is larger.
  const body = new TextEncoder().encode(html.slice(0, 60_001))
  const block = job.blockOf({ url: await tab.url(), status: landing.status, headers: headersOf(landing), body })
  return block?.signal === 'challenge' || block?.signal === 'wall'
}

/** Returns the cookies and storage. If they cannot be read, the actions have been performed all the same, so it is a warning. */
async function saveState(tab: Tab, signal: AbortSignal): Promise<{ state?: Json | undefined; unsaved?: string[] }> {
  try {
    return { state: await tab.save?.(signal) }
  } catch (error) {
    signal.throwIfAborted()
    return { unsaved: [`The profile was not saved. ${publicMessage(error, 'The browser failed.')}`] }
  }
}

const maxPatience = 15_000

/** Half of the remaining time; the other half is for actions, captures and reading. */
function patienceOf({ request: { waitFor }, timeLeft }: LoadJob): number {
  return Math.min(maxPatience, Math.max(0, (timeLeft() - waitFor) / 2))
}

/** Returns a file that the browser would have downloaded, to be parsed like any other file. */
function takeFile({ url, status, headers, latency }: Landing, body: Uint8Array, job: LoadJob): Page {
  if (job.actions.length > 0 || job.captures.length > 0) {
    const failure = job.captures.find((capture) => capture.failure !== undefined)
    if (failure?.failure !== undefined)
      throw new EngineError(
        failure.failure,
        `The URL is a file and not a page, so ${failure.name} cannot be read from it.`,
      )
    throw new EngineError(
      'unsupported_file',
      'The URL is a file and not a page, so actions and screenshots do not apply. Remove them.',
    )
  }
  const warnings = certificateWarning(job)
  const file = { url, status, headers: joined(headers), body, latency }
  return { ...file, captured: {}, actions: {}, proxyUsed: 'basic', warnings }
}

function certificateWarning({ request }: LoadJob): string[] {
  return request.skipTlsVerification ? ['The certificate of the host was not checked.'] : []
}

function joined(headers: Landing['headers']): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of headers) all[name] = name in all ? `${all[name]}, ${value}` : value
  return all
}

type Results = Record<string, Value[]>

async function act(tab: Tab, job: LoadJob, { clock }: LoaderKit, tally: DocumentTally): Promise<Results> {
  const { actions, signal, timeLeft, read } = job
  const results: Results = {}
  for (const [index, { type, run }] of actions.entries()) {
    try {
      const result = await run(tab, { clock, signal, timeLeft, read, mayRetry: mayRetry(job) })
      if (result) (results[result.into] ??= []).push(counted(result.value, tally))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw failedAction(error, index, type, results)
    }
  }
  return results
}

/**
 * Adds a value to the size of the document, because pages can return values of any size. Bytes are files, which have their own
 * limit.
 */
function counted<T>(value: T, tally: DocumentTally): T {
  if (!(value instanceof Uint8Array)) tally.add(value)
  return value
}

/** Errors that are not caused by the action: a browser crash, which the caller may retry, and a denied action. */
const notOfTheAction: ReadonlySet<ErrorCode> = new Set(['browser_failed', 'policy_denied', 'unsafe_domain_blocked'])

function failedAction(cause: unknown, index: number, type: string, results: Results): EngineError {
  const reason = publicMessage(cause, 'The action has a bug.')
  const details = { index, type, results: printable(results) }
  const code = EngineError.is(cause) && notOfTheAction.has(cause.code) ? cause.code : 'action_failed'
  return new EngineError(code, `actions[${index}] (${type}) did not succeed. ${reason}`, { cause, details })
}

function printable(results: Results): Record<string, unknown[]> {
  const print = (value: Value): unknown => (value instanceof Uint8Array ? dataUrl(value) : value)
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, values.map(print)]))
}
