// Listens to a live browser from when it is told to until it is asked for the script.
import { EngineError, type Clock } from '@harvestman/ports'
import { z } from 'zod'

import { eyesSource, eyesWorld } from '../page/eyes.ts'
import type { LivePage } from '../page/live-page.ts'
import { heardSchema, outcomeSchema } from '../page/seen.ts'
import type { Heard } from './compile.ts'
import { withOutcome, withTold, type Act } from './acts.ts'
import { earsSource, tellName } from './ears.ts'

/** A recording that is under way. */
export interface Recorder extends AsyncDisposable {
  /** What has been done so far. */
  heard(signal: AbortSignal): Promise<Heard>
}

const mostActs = 1_000
const largestTold = 2_000_000
/** Milliseconds that a page has to take what listens. */
const timeout = 10_000

/** Milliseconds between two looks at a page that comes to rest, the most of them, and how many in a row are the same at rest. */
const looksEvery = 100
const mostLooks = 20
const looksAtRest = 3

const framesSchema = z.object({ frame: z.object({ id: z.string(), url: z.string(), parentId: z.string().optional() }) })

/** Begins to listen. */
export async function listenTo(page: LivePage, clock: Clock, signal: AbortSignal): Promise<Recorder> {
  let acts: readonly Act[] = []
  let isFull = false
  const add = (act: Act): void => {
    if (acts.length >= mostActs) isFull = true
    else acts = [...acts, act]
  }
  const hear = (payload: unknown): void => {
    if (typeof payload !== 'string' || payload.length > largestTold) return
    const told = heardSchema.safeParse(JSON.parse(payload)).data
    if (told && acts.length < mostActs) acts = withTold(acts, told)
    else if (told) isFull = true
  }
  const arm = async (within: AbortSignal): Promise<void> => {
    await page.send('Runtime.addBinding', { name: tellName, executionContextName: eyesWorld }, within)
    await page.see(`(${earsSource}, true)`, z.boolean(), within)
  }
  const asked = new Set<string>()
  page.listen((method, params) => {
    if (method === 'Runtime.bindingCalled' && params['name'] === tellName) hear(params['payload'])
    // The page itself asked to go on: an act did that. Other addresses were opened by hand.
    if (method === 'Page.frameRequestedNavigation') asked.add(String(params['frameId']))
    if (method !== 'Page.frameNavigated') return
    const { frame } = framesSchema.parse(params)
    if (frame.parentId !== undefined) return
    // A page in another process of the browser has nothing of what was added to the one before.
    arm(AbortSignal.timeout(timeout)).catch(() => undefined)
    if (asked.delete(frame.id) || !/^https?:/.test(frame.url)) return
    add({ type: 'goto', id: `goto:${acts.length}`, url: frame.url })
  })
  const source = `${eyesSource}\n${earsSource}`
  await page.send(
    'Page.addScriptToEvaluateOnNewDocument',
    { source, worldName: eyesWorld, runImmediately: true },
    signal,
  )
  await arm(signal)
  const { url: start } = await page.see('eyes.page()', z.object({ url: z.string() }), signal)
  return {
    heard: async (within) => {
      if (isFull)
        throw new EngineError('invalid_request', `More than ${mostActs} acts were recorded. Record fewer at a time.`)
      const { after, page: now } = await outcomeAtRest(page, clock, within)
      return heardFrom(start, withOutcome(acts, now, after))
    },
    [Symbol.asyncDispose]: () => page[Symbol.asyncDispose](),
  }
}

/** How the last act left the page, once that has come to rest: an element may be gone only until its picture is loaded. */
async function outcomeAtRest(
  page: LivePage,
  clock: Clock,
  signal: AbortSignal,
): Promise<z.output<typeof outcomeSchema>> {
  const look = (): Promise<z.output<typeof outcomeSchema>> =>
    page.see('globalThis.ears ? ears.outcome() : { page: eyes.digest() }', outcomeSchema, signal)
  let before = await look()
  for (let count = 0, same = 0; count < mostLooks && same < looksAtRest; count += 1) {
    await clock.sleep(looksEvery, signal)
    const now = await look()
    same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0
    before = now
  }
  return before
}

/** A script begins on a page of the web: where the recording began, or where it first went. */
function heardFrom(start: string, acts: readonly Act[]): Heard {
  const [first, ...rest] = acts
  const isPage = /^https?:/.test(start)
  if (first?.type === 'goto' && first.url !== undefined) return { start: first.url, acts: rest }
  if (!isPage) throw new EngineError('invalid_request', 'Nothing was done yet that a script could repeat.')
  return { start, acts }
}
