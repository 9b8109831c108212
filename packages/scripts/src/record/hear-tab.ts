// Listens in one tab.
import { pageCall } from '@harvestman/ports/adapters'
import { z } from 'zod'

import { installInspector, installListeners } from '../page-scripts.ts'
import type { LivePage } from '../page/live-page.ts'
import { inspect, reportName, worldName } from '../page/names.ts'
import { heardSchema } from '../page/seen.ts'

/** What is heard in a tab. */
export interface TabHearer {
  told(told: z.output<typeof heardSchema>): void
  /** Another page is shown. `isGiven` where nothing on the page before led to it. */
  shown(url: string, isGiven: boolean): void
}

const largestTold = 2_000_000
/** Milliseconds that a page has to take what listens. */
const timeout = 10_000

const framesSchema = z.object({ frame: z.object({ id: z.string(), url: z.string(), parentId: z.string().optional() }) })

/** Listens until the page is let go of. Gives the address that it shows. */
export async function hearTab(page: LivePage, hearer: TabHearer, signal: AbortSignal): Promise<string> {
  // The page that a tab was opened for comes after the tab.
  let isOpening = page.opener !== undefined
  const asked = new Set<string>()
  page.listen((method, params) => {
    if (method === 'Runtime.bindingCalled' && params['name'] === reportName) hear(params['payload'], hearer)
    // The page itself asked to go on: an act did that. Other addresses were opened by hand.
    if (method === 'Page.frameRequestedNavigation') asked.add(String(params['frameId']))
    if (method !== 'Page.frameNavigated') return
    const { frame } = framesSchema.parse(params)
    if (frame.parentId !== undefined) return
    // A page in another process of the browser has nothing of what was added to the one before.
    arm(page, AbortSignal.timeout(timeout)).catch(() => undefined)
    const isLedTo = asked.delete(frame.id) || isOpening
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

/** Whether an address is one of the web. */
export const isWeb = (url: string): boolean => /^https?:/.test(url)

async function arm(page: LivePage, signal: AbortSignal): Promise<void> {
  await page.send('Runtime.addBinding', { name: reportName, executionContextName: worldName }, signal)
  await page.see(`(${pageCall(installListeners)}, true)`, z.boolean(), signal)
}

function hear(payload: unknown, hearer: TabHearer): void {
  if (typeof payload !== 'string' || payload.length > largestTold) return
  const told = heardSchema.safeParse(JSON.parse(payload)).data
  if (told) hearer.told(told)
}
