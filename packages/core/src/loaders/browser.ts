import {
  type Browser,
  type BrowserProfile,
  EngineError,
  type ErrorCode,
  type Landing,
  type Tab,
  type Value,
} from '@harvestman/ports'
import { documentTally, type DocumentTally } from '@harvestman/threads'
import { ownBytes } from '@harvestman/ports/adapters'
import { dataUrl } from '../lib/file-type.ts'
import { defineLoader, pass } from '../plugin/define.ts'
import type { LoadJob, LoaderKit, Page } from '../plugin/parts.ts'

/** Opens the page in a browser, acts on it, and takes what is there after the last action. */
export const browserLoader = defineLoader({
  name: 'browser',
  cost: 20,
  offers: ['actions', 'capture', 'mobile', 'wait', 'scripts', 'proxy'],
  load: async (job, kit) => {
    if (!kit.browser) return pass('this engine has no browser')
    try {
      return await visit(kit.browser, job, kit)
    } catch (error) {
      if (job.signal.aborted || !(isWorthAnotherTry(error) || mayMissPictures(error, job))) throw error
      const browserNeeds = { ...job.browserNeeds, pictures: job.browserNeeds.pictures || mayMissPictures(error, job) }
      return await visit(kit.browser, { ...job, browserNeeds }, kit)
    }
  },
})

/** A browser that broke down is replaced, and the page asked for again, unless something was done to it already. */
function isWorthAnotherTry(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'browser_failed' && error.details['acted'] === undefined
}

/** True when an action may fail for want of a picture. The page was told nothing yet, so it can be visited again. */
function mayMissPictures(error: unknown, job: LoadJob): boolean {
  return EngineError.is(error) && error.code === 'action_failed' && mayRetry(job)
}

function mayRetry({ browserNeeds, actions }: LoadJob): boolean {
  return !browserNeeds.pictures && actions.every(({ needs }) => !needs.ownContext)
}

async function visit(browser: Browser, job: LoadJob, kit: LoaderKit): Promise<Page> {
  const tab = await browser.open(profileOf(job), job.signal)
  try {
    return await look(tab, job, kit)
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
}: LoadJob): BrowserProfile {
  const { mobile, blockAds, skipTlsVerification, location } = request
  // Actions and captures on JSON or on a text work on what the browser shows of it.
  const showsFiles = captures.length > 0 || actions.length > 0
  const shared = ownContext ? undefined : group
  const look = { headers, mobile, blockAds, skipTlsVerification, location, pictures, showsFiles }
  return { ...look, team, maxBytes, mayVisit, ...(proxy && { proxy }), ...(shared !== undefined && { group: shared }) }
}

async function look(tab: Tab, job: LoadJob, kit: LoaderKit): Promise<Page> {
  const { url, request, signal } = job
  const landing = await tab.goto(url, signal, { patience: patienceOf(job) })
  if (landing.download) return takeFile(landing, landing.download, job)
  if (request.waitFor > 0) await kit.clock.sleep(request.waitFor, signal)
  const tally = documentTally(job.most)
  const actions = await act(tab, job, kit, tally)
  const captured: Record<string, unknown> = {}
  for (const { name, run } of job.captures) captured[name] = counted(await run(tab, signal), tally)
  const html = await tab.html(signal)
  return {
    url: await tab.url(),
    status: landing.status,
    headers: { ...joined(landing.headers), 'content-type': 'text/html; charset=utf-8' },
    body: ownBytes(new TextEncoder().encode(html)),
    captured,
    actions,
    proxyUsed: 'basic',
    latency: landing.latency,
    ranScripts: true,
    warnings: [...certificateWarning(job), ...(tab.warnings?.() ?? [])],
  }
}

const maxPatience = 15_000

/** Half of the time that is left: the rest is for actions, captures and reading. */
function patienceOf({ request: { waitFor }, timeLeft }: LoadJob): number {
  return Math.min(maxPatience, Math.max(0, (timeLeft() - waitFor) / 2))
}

/** Hands a file that the browser would have saved and not shown to a parser, like any file. */
function takeFile({ url, status, headers, latency }: Landing, body: Uint8Array, job: LoadJob): Page {
  if (job.actions.length > 0 || job.captures.length > 0) {
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

/** Pages choose what is brought from them. Bytes are files, which are bounded by themselves and not in the document. */
function counted<T>(value: T, tally: DocumentTally): T {
  if (!(value instanceof Uint8Array)) tally.add(value)
  return value
}

/** A browser that broke down may be asked again by the caller; what is forbidden is no fault of the action. */
const notOfTheAction: ReadonlySet<ErrorCode> = new Set(['browser_failed', 'policy_denied'])

function failedAction(cause: unknown, index: number, type: string, results: Results): EngineError {
  const reason = EngineError.is(cause) ? cause.message : 'The action has a fault.'
  const details = { index, type, results: printable(results), acted: true }
  const code = EngineError.is(cause) && notOfTheAction.has(cause.code) ? cause.code : 'action_failed'
  return new EngineError(code, `actions[${index}] (${type}) did not succeed. ${reason}`, { cause, details })
}

function printable(results: Results): Record<string, unknown[]> {
  const print = (value: Value): unknown => (value instanceof Uint8Array ? dataUrl(value) : value)
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, values.map(print)]))
}
