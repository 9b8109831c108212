// Records the actions in one tab.
import { pageCall } from '@harvestman/toolbox/page-call'
import { z } from 'zod'

import { installInspector, installListeners } from '../page-scripts.ts'
import type { LivePage } from '../page/live-page.ts'
import { inspect, reportName, worldName } from '../page/names.ts'
import { heardSchema } from '../page/seen.ts'

/** Receives the events of a tab. */
export interface TabHearer {
  onEvent(event: z.output<typeof heardSchema>): void
  /** Called on navigation. `isGiven` is true if the user opened the URL, rather than an action on the page. */
  shown(url: string, isGiven: boolean): void
}

const maxEventLength = 2_000_000
/** Milliseconds to wait until the listeners are installed. */
const timeout = 10_000

const framesSchema = z.object({ frame: z.object({ id: z.string(), url: z.string(), parentId: z.string().optional() }) })

/**
 * Installs the listeners in a tab, which report actions and navigations to `hearer`, and returns its URL. Rejects with
 * `action_failed` if the tab is closed, or when aborted.
 */
export async function hearTab(page: LivePage, hearer: TabHearer, signal: AbortSignal): Promise<string> {
  // A new tab first shows an empty document, then the page it was opened for.
  let isOpening = page.opener !== undefined
  const requestedFrames = new Set<string>()
  page.listen((method, params) => {
    if (method === 'Runtime.bindingCalled' && params['name'] === reportName) hear(params['payload'], hearer)
    // The page itself requested the navigation, so an action caused it. Otherwise the user opened the URL.
    if (method === 'Page.frameRequestedNavigation') requestedFrames.add(String(params['frameId']))
    if (method !== 'Page.frameNavigated') return
    const { frame } = framesSchema.parse(params)
    if (frame.parentId !== undefined) return
    // Reinstall the listeners, because a page in a new browser process lacks them.
    arm(page, AbortSignal.timeout(timeout)).catch(() => undefined)
    const isLedTo = requestedFrames.delete(frame.id) || isOpening
    isOpening = false
    hearer.shown(frame.url, !isLedTo)
  })
  const source = `${pageCall(installInspector)}\n${pageCall(installListeners)}`
  const added = { source, worldName, runImmediately: true }
  await Promise.all([arm(page, signal), page.send('Page.addScriptToEvaluateOnNewDocument', added, signal)])
  const { url } = await page.see(inspect('page'), z.object({ url: z.string() }), signal)
  if (isWeb(url)) isOpening = false
  return url
}

/** Returns whether a URL is http or https. */
export const isWeb = (url: string): boolean => /^https?:/.test(url)

async function arm(page: LivePage, signal: AbortSignal): Promise<void> {
  await page.send('Runtime.addBinding', { name: reportName, executionContextName: worldName }, signal)
  await page.see(`(${pageCall(installListeners)}, true)`, z.boolean(), signal)
}

function hear(payload: unknown, hearer: TabHearer): void {
  if (typeof payload !== 'string' || payload.length > maxEventLength) return
  const event = heardSchema.safeParse(JSON.parse(payload)).data
  if (event) hearer.onEvent(event)
}
